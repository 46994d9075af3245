/** Asks before edits are lost. */
import { isEdited } from './editing.ts';
import { store } from './state.ts';

/** Whether there are no unsaved changes, or the person agrees to lose them. */
export const mayLeave = (): boolean =>
  !isEdited(store.get()) || confirm('Changes that aren’t saved will be lost. Leave anyway?');
