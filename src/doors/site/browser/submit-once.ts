/**
 * Disables the buttons of forms marked `data-once` after the first click, to show that the request is being
 * sent. The service ignores a second request anyway.
 */
export function submitOnce(): void {
  const buttonsOf = (parent: ParentNode) => parent.querySelectorAll('button');
  const forms = document.querySelectorAll<HTMLFormElement>('form[data-once]');
  for (const form of forms) {
    form.addEventListener('submit', () => {
      // A button that is disabled too early is not part of the submission.
      setTimeout(() => {
        for (const button of buttonsOf(form)) button.disabled = true;
      });
    });
  }
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    for (const form of forms) for (const button of buttonsOf(form)) button.disabled = false;
  });
}
