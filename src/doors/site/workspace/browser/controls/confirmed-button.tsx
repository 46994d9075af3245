/** A button for actions that affect everyone. It asks for confirmation first. */
import { useState } from 'preact/hooks';

interface ConfirmedButtonProps {
  /** `Delete` */
  label: string;
  /** The object of the action, for screen readers: the first button is `Delete Jobs` */
  of: string;
  act: () => void;
}

export function ConfirmedButton({ label, of, act }: ConfirmedButtonProps) {
  const [asked, setAsked] = useState<'no' | 'yes' | 'declined'>('no');
  if (asked === 'yes') {
    return (
      <>
        <span class="small">{label} it for everyone?</span>
        <button
          type="button"
          class="quiet-button"
          ref={focus}
          onClick={() => {
            setAsked('no');
            act();
          }}
        >
          {label}
        </button>
        <button type="button" class="quiet-button" onClick={() => setAsked('declined')}>
          Keep
        </button>
      </>
    );
  }
  return (
    <button
      key="ask"
      type="button"
      class="quiet-button"
      aria-label={`${label} ${of}`}
      {...(asked === 'declined' && { ref: focus })}
      onClick={() => setAsked('yes')}
    >
      {label}
    </button>
  );
}

/** Moves the focus to the buttons that replace each other. */
const focus = (button: HTMLButtonElement | null) => button?.focus();
