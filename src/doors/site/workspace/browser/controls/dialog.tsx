/** A modal dialog in the page's top layer. The browser keeps the focus in it and restores it at the end. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  /** Called after the dialog is closed, including with Escape */
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog class="work-dialog" ref={ref} aria-labelledby="dialog-title" onClose={onClose}>
      <header>
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="close" onClick={() => ref.current?.close()}>
          <span class="visually-hidden">Close</span>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      <div class="dialog-content">{children}</div>
    </dialog>
  );
}
