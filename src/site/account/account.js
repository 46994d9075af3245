/* What pages of the account area do better where scripts run: none needs it. */

for (const button of document.querySelectorAll('[data-copy]')) {
  const field = document.getElementById(button.dataset.copy);
  const status = button.closest('.copyable').querySelector('[role=status]');
  button.hidden = false;
  button.addEventListener('click', async () => {
    selectAll(field);
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
      status.textContent = 'Copied.';
    } catch {
      // Without TLS browsers keep the clipboard from scripts.
      status.textContent = 'Selected: copy it with the keyboard.';
    }
  });
}

function selectAll(field) {
  if (field.select) field.select();
  else getSelection().selectAllChildren(field);
}

for (const field of document.querySelectorAll('.copyable input')) {
  field.addEventListener('focus', () => field.select());
}
