/** A button that shows further actions, one per line. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

interface MenuProps {
  label: string;
  /** Buttons and links */
  children: readonly ComponentChildren[];
}

export function Menu({ label, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    // A dialog that an action opens returns the focus here.
    opener.current?.focus();
  };
  return (
    <div
      class="menu"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault();
        close();
      }}
    >
      <button
        type="button"
        class="quiet-button"
        ref={opener}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && (
        // Pressing an action must not move the focus before the click.
        <ul onMouseDown={(event) => event.preventDefault()} onClick={close}>
          {children.map((child, i) => (
            <li key={i}>{child}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
