/** Buttons that copy the text next to them. */
import { data, find, findAll, findById } from './dom.ts';

/** Shows the copy buttons of a page, which are hidden without this script. */
export function showCopyButtons(): void {
  for (const copyable of findAll('.copyable', HTMLElement)) {
    const button = find('[data-copy]', HTMLButtonElement, copyable);
    const source = findById(data(button, 'copy'), HTMLElement);
    const status = find('[role=status]', HTMLElement, copyable);
    button.hidden = false;
    button.addEventListener('click', async () => {
      const isCopied = await copyOrSelect(source);
      status.textContent = copyStatus(isCopied);
    });
    if (source instanceof HTMLInputElement) source.addEventListener('focus', () => source.select());
  }
}

export const copyStatus = (isCopied: boolean) =>
  isCopied ? 'Copied.' : 'The text is selected. Press Ctrl+C (⌘C on a Mac) to copy it.';

/**
 * Copies an element's text to the clipboard. Browsers allow that only on pages served over TLS; elsewhere,
 * the text is selected.
 * @returns whether it was copied
 */
export async function copyOrSelect(element: HTMLElement): Promise<boolean> {
  const isField = element instanceof HTMLInputElement;
  if (isField) element.select();
  else getSelection()?.selectAllChildren(element);
  try {
    await navigator.clipboard.writeText(isField ? element.value : (element.textContent ?? ''));
    return true;
  } catch {
    return false;
  }
}
