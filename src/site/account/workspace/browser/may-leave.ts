/** Asks before edits are lost. */
import { isEdited } from './editing.ts';
import { store } from './state.ts';

/** Whether the person agrees to lose what isn't saved, if there is something. */
export const mayLeave = (): boolean =>
  !isEdited(store.get()) || confirm('Changes that aren’t saved will be lost. Leave anyway?');
