/** The field of the filter, with suggestions for what can follow: a combobox with a listbox (WAI-ARIA Authoring Practices). */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Suggestion, Suggestions } from './filter-suggest.ts';

interface FilterInputProps {
  text: string;
  change(text: string): void;
  /** @param part the text up to the cursor */
  suggestions(part: string): Suggestions;
  placeholder: string;
  isInvalid: boolean;
}

const NONE: Suggestions = { from: 0, list: [] };

export function FilterInput({
  text,
  change,
  suggestions,
  placeholder,
  isInvalid,
}: FilterInputProps) {
  const field = useRef<HTMLInputElement>(null);
  /** Position of the cursor; null while the list is closed */
  const [cursor, setCursor] = useState<number | null>(null);
  /** Index of the active option; -1 for none */
  const [active, setActive] = useState(-1);
  const { from, list } = useMemo(
    () => (cursor === null ? NONE : suggestions(text.slice(0, cursor))),
    [text, cursor],
  );
  const open = () => {
    setCursor(field.current?.selectionStart ?? text.length);
    setActive(-1);
  };
  const close = () => {
    setCursor(null);
    setActive(-1);
  };
  const choose = (chosen: Suggestion) => {
    const before = `${text.slice(0, from)}${chosen.text} `;
    change(before + text.slice(cursor!).trimStart());
    setCursor(before.length);
    setActive(-1);
    // The field gets its text with the next frame.
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (cursor === null) {
        open();
        return;
      }
      // The position after the last option is the field itself.
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const places = list.length + 1;
      setActive(((active + 1 + step + places) % places) - 1);
    } else if (event.key === 'Escape' && list.length > 0) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter') {
      const chosen = list[active];
      if (!chosen) close();
      else {
        event.preventDefault();
        choose(chosen);
      }
    }
  };
  const isShown = list.length > 0;
  return (
    <div class="filter-field">
      <input
        id="filter"
        name="filter"
        type="text"
        ref={field}
        value={text}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls="filter-list"
        aria-describedby="filter-hint"
        aria-invalid={isInvalid ? true : undefined}
        {...(isShown && active >= 0 && { 'aria-activedescendant': `filter-${active}` })}
        onInput={(event) => {
          const { value } = event.currentTarget;
          change(value);
          if (value === '') close();
          else open();
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <ul
        id="filter-list"
        class="place-options"
        role="listbox"
        aria-label="What can follow"
        hidden={!isShown}
      >
        {list.map((one, at) => (
          // The field keeps the focus, so keys reach the options through it.
          <li
            key={one.text}
            id={`filter-${at}`}
            role="option"
            aria-selected={at === active}
            // Pressing an option must not move the focus before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(one)}
          >
            <b>{one.text}</b> <span>{one.detail}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
