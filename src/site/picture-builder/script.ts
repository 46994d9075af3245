/** Shows the picture of the current fields without a reload, and copies its URL. The page works without it. */
import { showCopyButtons } from '../browser/copy.ts';
import { find, findById, formFields } from '../browser/dom.ts';

/** While someone types, no picture is drawn. */
const PAUSE_MS = 500;

const form = find('.builder form', HTMLFormElement);
let timer: number | undefined;
let latest = 0;

form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => void update(), PAUSE_MS);
});
showCopyButtons();

/** The server knows what is valid: its page for these fields contains the result. */
async function update(): Promise<void> {
  const url = `${form.action}?${formFields(form)}`;
  const run = ++latest;
  const response = await fetch(url).catch(() => null);
  // A newer change is under way, or the button still works.
  if (run !== latest || !response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  findById('result', HTMLElement).replaceWith(find('#result', HTMLElement, page));
  history.replaceState(null, '', url);
  showCopyButtons();
}
