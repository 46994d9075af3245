/**
 * Results while typing in the search box of the header. They load when someone goes to the box: most
 * visits need none.
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
  // Takes over the field and its text, but moves it, which takes the focus away.
  render(h(PlaceSearch, props), box);
  if (isFocused) input.focus();
}
