/**
 * Search results while typing, as a combobox with a listbox (WAI-ARIA Authoring Practices). Without this
 * script, the form opens the page of results.
 */
import { find } from '../../browser/dom.ts';

interface Hit {
  title: string;
  page: string;
  excerpt: string;
  url: string;
}

const DELAY_MS = 120;
const LIST_ID = 'docs-search-results';

const form = find('[data-docs-search]', HTMLFormElement);
const input = find('[data-docs-search] input', HTMLInputElement);
const list = document.createElement('div');
const status = document.createElement('p');

list.id = LIST_ID;
list.className = 'suggestions';
list.hidden = true;
list.setAttribute('role', 'listbox');
list.setAttribute('aria-label', 'Search results');
status.id = 'search-status';
status.className = 'visually-hidden';
status.setAttribute('role', 'status');
form.append(list, status);

input.setAttribute('role', 'combobox');
input.setAttribute('aria-autocomplete', 'list');
input.setAttribute('aria-controls', LIST_ID);
input.setAttribute('aria-expanded', 'false');

let options: HTMLAnchorElement[] = [];
/** Index of the active option; -1 for none */
let active = -1;
let request: AbortController | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

input.addEventListener('input', () => {
  clearTimeout(timer);
  request?.abort();
  const query = input.value.trim();
  if (query === '') close();
  else timer = setTimeout(() => void suggest(query), DELAY_MS);
});

input.addEventListener('keydown', (event) => {
  const { length } = options;
  if (event.key === 'Escape' && !list.hidden) {
    event.preventDefault();
    close();
  } else if (event.key === 'Enter' && active >= 0) {
    event.preventDefault();
    options[active]?.click();
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && length > 0) {
    event.preventDefault();
    open();
    // The position after the last option is the input itself.
    const step = event.key === 'ArrowDown' ? 1 : -1;
    activate(((active + 1 + step + length + 1) % (length + 1)) - 1);
  }
});

input.addEventListener('focus', () => {
  if (options.length > 0 && input.value.trim() !== '') open();
});
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close();
});
// Pressing an option must not move the focus before the click.
list.addEventListener('mousedown', (event) => event.preventDefault());
list.addEventListener('click', close);

async function suggest(query: string): Promise<void> {
  request = new AbortController();
  try {
    const address = `${form.action}.json?q=${encodeURIComponent(query)}`;
    const response = await fetch(address, { signal: request.signal });
    // If the request fails, for example over the rate limit or offline, the form still opens the results.
    if (response.ok) show(((await response.json()) as { hits: Hit[] }).hits);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) close();
  }
}

function show(hits: readonly Hit[]): void {
  options = hits.map(option);
  list.replaceChildren(...options);
  activate(-1);
  if (options.length > 0) open();
  else close();
  const count = options.length;
  status.textContent =
    count === 0
      ? 'No results. Try fewer or other words.'
      : `${count} ${count === 1 ? 'result' : 'results'}`;
  // The length of the list is only for screen readers, but everyone needs to know if there are no results.
  status.className = count === 0 ? 'suggestions' : 'visually-hidden';
}

function option({ title, page, excerpt, url }: Hit, at: number): HTMLAnchorElement {
  const link = document.createElement('a');
  link.id = `${LIST_ID}-${at}`;
  link.href = url;
  link.setAttribute('role', 'option');
  link.setAttribute('aria-selected', 'false');
  // The input keeps the focus, and the arrow keys reach the options.
  link.tabIndex = -1;
  link.append(
    textElement('strong', title),
    textElement('span', page),
    textElement('small', excerpt),
  );
  return link;
}

const textElement = (tag: string, text: string) =>
  Object.assign(document.createElement(tag), { textContent: text });

function activate(at: number): void {
  active = at;
  for (const [i, link] of options.entries()) link.setAttribute('aria-selected', String(i === at));
  const link = options[at];
  if (link) {
    input.setAttribute('aria-activedescendant', link.id);
    link.scrollIntoView({ block: 'nearest' });
  } else {
    input.removeAttribute('aria-activedescendant');
  }
}

function open(): void {
  list.hidden = false;
  input.setAttribute('aria-expanded', 'true');
}

function close(): void {
  list.hidden = true;
  status.className = 'visually-hidden';
  input.setAttribute('aria-expanded', 'false');
  activate(-1);
}
