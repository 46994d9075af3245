/** Copy buttons of the account area. Its pages work without them. */
import { copyOrSelect } from '../browser/copy.ts';
import { data, find, findAll, findById } from '../browser/dom.ts';

for (const copyable of findAll('.copyable', HTMLElement)) {
  const button = find('[data-copy]', HTMLButtonElement, copyable);
  const source = findById(data(button, 'copy'), HTMLElement);
  const status = find('[role=status]', HTMLElement, copyable);
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await copyOrSelect(source);
    status.textContent = isCopied ? 'Copied.' : 'Selected. Copy it with the keyboard.';
  });
  if (source instanceof HTMLInputElement) source.addEventListener('focus', () => source.select());
}
