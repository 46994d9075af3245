/**
 * Updates the picture for the current fields without a reload, and copies its URL. The page works without
 * this script.
 */
import { showCopyButtons } from '../browser/copy.ts';
import { find, findById, formFields } from '../browser/dom.ts';

/** Pause in typing after which the picture is drawn. */
const PAUSE_MS = 500;

const form = find('.builder form', HTMLFormElement);
let timer: number | undefined;
let latest = 0;

form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => void update(), PAUSE_MS);
});
showCopyButtons();

/**
 * Loads the server's page for these fields, which contains the result, because the server knows what is
 * valid.
 */
async function update(): Promise<void> {
  const url = `${form.action}?${formFields(form)}`;
  const run = ++latest;
  const response = await fetch(url).catch(() => null);
  // A newer change is being processed, or the request failed. The button still works.
  if (run !== latest || !response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  findById('result', HTMLElement).replaceWith(find('#result', HTMLElement, page));
  history.replaceState(null, '', url);
  showCopyButtons();
}
