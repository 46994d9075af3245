/** The dialogs for saving, which the state opens. */
import { ConflictDialog } from './conflict-dialog.tsx';
import { LiveDialog } from './live-dialog.tsx';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';

const close = () => store.update({ dialog: null });

export function SaveDialogs() {
  const dialog = useStore((state) => state.dialog);
  if (dialog === 'save') return <LiveDialog onClose={close} />;
  return dialog === 'conflict' ? <ConflictDialog onClose={close} /> : null;
}
