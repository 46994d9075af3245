/**
 * Copies an element's text to the clipboard. Browsers allow that only on pages served over TLS;
 * elsewhere the text is selected.
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
