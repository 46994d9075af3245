/**
 * Shows results while typing in the header's search box. The code loads when the box gets the focus,
 * because most visits don't search.
 */
import type { SearchBox } from './header-results.ts';

const box = document.querySelector('.site-header search');
const form = box?.querySelector('form');
const input = box?.querySelector('input');

if (box && form && input) loadOnFocus({ box, form, input });

/** If loading fails, the next focus tries again. Meanwhile, the form opens the page of results. */
function loadOnFocus(parts: SearchBox): void {
  const load = async () => {
    const loaded = await import('./header-results.ts').catch(() => null);
    if (loaded) loaded.showResults(parts);
    else loadOnFocus(parts);
  };
  parts.input.addEventListener('focus', load, { once: true });
}
