/** Buttons that show a password while one types it. Without this script, passwords stay hidden. */
import { find, findAll } from './dom.ts';

for (const button of findAll('[data-show-password]', HTMLButtonElement)) {
  const input = find('input', HTMLInputElement, button.parentElement!);
  const word = find('span', HTMLElement, button);
  const show = (isShown: boolean) => {
    input.type = isShown ? 'text' : 'password';
    word.textContent = isShown ? 'Hide' : 'Show';
  };
  button.hidden = false;
  button.addEventListener('click', () => show(input.type === 'password'));
  // Browsers offer to save only what is sent as a password, and a page that is kept for the Back button hides it again.
  input.form?.addEventListener('submit', () => show(false));
}
