/**
 * Shows the full name of an element with `data-full` that is cut off or short, while one points at it or it has the
 * focus. A title would show only to the pointer.
 */
export function followFullNames(): void {
  const tip = document.createElement('div');
  tip.className = 'full-name';
  // The top layer is above dialogs, and no ancestor cuts it off.
  tip.popover = 'manual';
  document.body.append(tip);
  const hide = () => tip.togglePopover(false);
  const show = (event: Event) => {
    const named = namedElement(event.target, event.type === 'focusin');
    const name = named?.dataset['full'] ?? '';
    if (!named || name === '' || !(isCutOff(named) || named.textContent.trim() !== name)) {
      hide();
      return;
    }
    tip.textContent = name;
    tip.togglePopover(true);
    const { left, bottom, top } = named.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const isBelow = bottom + height + 4 < innerHeight;
    tip.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
    tip.style.top = `${isBelow ? bottom + 4 : top - height - 4}px`;
  };
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, show);
  document.addEventListener('focusout', hide);
  document.addEventListener('scroll', hide, { capture: true, passive: true });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
}

/** The pointer is on the name. The focus is on it, around it, or on a control of its row. */
function namedElement(target: EventTarget | null, hasFocus: boolean): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  const named = target.closest<HTMLElement>('[data-full]');
  if (named || !hasFocus) return named;
  const row = target.closest('li, tr') ?? target;
  return row.querySelector<HTMLElement>('[data-full]');
}

const isCutOff = (element: HTMLElement) =>
  element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
