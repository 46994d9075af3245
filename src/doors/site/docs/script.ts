/** Copy buttons and the folding menu of the documentation, which also works without this script. */
import { copyOrSelect, copyStatus } from '../browser/copy.ts';
import { data, find, findAll, findById } from '../browser/dom.ts';

const CONFIRMATION_MS = 2000;

const status = findById('copied', HTMLElement);

for (const button of findAll('[data-copy-from]', HTMLButtonElement)) {
  const code = findById(data(button, 'copyFrom'), HTMLElement);
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await copyOrSelect(code);
    status.textContent = copyStatus(isCopied);
    button.textContent = isCopied ? 'Copied' : 'Selected';
    setTimeout(() => {
      button.textContent = 'Copy';
      status.textContent = '';
    }, CONFIRMATION_MS);
  });
}

// On narrow screens, following a link to a section closes the menu.
const menu = find('.docs-nav details', HTMLDetailsElement);
menu.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a[href^="#"]')) menu.open = false;
});
