/** The header's search box with results while typing. */
import { h, render } from 'preact';
import { PlaceSearch } from './place-search.tsx';

export interface SearchBox {
  /** Contains the form */
  box: Element;
  form: HTMLFormElement;
  input: HTMLInputElement;
}

export function showResults({ box, form, input }: SearchBox): void {
  const props = {
    action: form.action,
    launchedOnly: true,
    initial: input.value,
    entersResults: true,
    onChoose: ({ url }: { url: string | null }) => {
      if (url !== null) location.assign(url);
    },
  };
  const isFocused = document.activeElement === input;
  // Rendering moves the field and keeps its text, but the field loses focus.
  render(h(PlaceSearch, props), box);
  if (isFocused) input.focus();
}
