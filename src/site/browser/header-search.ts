/**
 * Shows results while typing in the header's search box. The code loads when the box gets the focus,
 * because most visits don't search.
 */
const box = document.querySelector('.site-header search');
const form = box?.querySelector('form');
const input = box?.querySelector('input');

input?.addEventListener('focus', () => void showResults(), { once: true });

async function showResults(): Promise<void> {
  const [{ h, render }, { PlaceSearch }] = await Promise.all([
    import('preact'),
    import('./place-search.tsx'),
  ]);
  if (!box || !form || !input) return;
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
