/** Copy buttons and the folding menu of the documentation. It works without them. */
import { copyOrSelect } from '../browser/copy.ts';
import { data, find, findAll, findById } from '../browser/dom.ts';

const CONFIRMATION_MS = 2000;

const status = findById('copied', HTMLElement);

for (const button of findAll('[data-copy-from]', HTMLButtonElement)) {
  const code = findById(data(button, 'copyFrom'), HTMLElement);
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await copyOrSelect(code);
    status.textContent = isCopied ? 'Copied.' : 'Selected. Copy it with the keyboard.';
    button.textContent = isCopied ? 'Copied' : 'Selected';
    setTimeout(() => {
      button.textContent = 'Copy';
      status.textContent = '';
    }, CONFIRMATION_MS);
  });
}

// Where the menu is folded, following a link to a place on the page closes it.
const menu = find('.docs-nav details', HTMLDetailsElement);
menu.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a[href^="#"]')) menu.open = false;
});
