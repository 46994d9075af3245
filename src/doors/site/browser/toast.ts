import { find, findOptional } from './dom.ts';

/** Time that screen readers need to notice an empty live region */
const ANNOUNCE_DELAY_MS = 300;

/**
 * Announces the page's toast and makes it dismissible.
 * @param parameter query parameter that shows the toast. It is removed, so that a reload doesn't repeat the
 *   toast
 */
export function showToast(parameter: string): void {
  const toast = findOptional('.toast', HTMLElement);
  if (!toast) return;
  const url = new URL(location.href);
  url.searchParams.delete(parameter);
  history.replaceState(null, '', url);

  const dismiss = find('.dismiss', HTMLButtonElement, toast);
  dismiss.hidden = false;
  dismiss.addEventListener('click', () => toast.remove());
  toast.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') toast.remove();
  });

  // Screen readers announce changes of a live region, but not its initial text.
  const message = find('p', HTMLElement, toast);
  const text = message.textContent;
  message.textContent = '';
  setTimeout(() => (message.textContent = text), ANNOUNCE_DELAY_MS);
}
