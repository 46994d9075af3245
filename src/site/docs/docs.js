/* What the documentation does better where scripts run: none of it is needed. */

const copied = document.getElementById('copied');

for (const button of document.querySelectorAll('[data-copy-from]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = document.getElementById(button.dataset.copyFrom);
    try {
      await navigator.clipboard.writeText(code.textContent);
      show(button, 'Copied');
    } catch {
      // Without TLS browsers keep the clipboard from scripts.
      getSelection().selectAllChildren(code);
      show(button, 'Selected');
    }
  });
}

function show(button, word) {
  copied.textContent = word === 'Copied' ? 'Copied.' : 'Selected: copy it with the keyboard.';
  button.textContent = word;
  setTimeout(() => {
    button.textContent = 'Copy';
    copied.textContent = '';
  }, 2000);
}

// Where the menu folds, going to a place on the page closes it.
const menu = document.querySelector('.docs-nav details');
menu.addEventListener('click', (event) => {
  if (event.target.closest('a[href^="#"]')) menu.open = false;
});
