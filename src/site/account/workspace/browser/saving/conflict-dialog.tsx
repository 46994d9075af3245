/** Ways to continue after someone else has saved the plan. */
import { RefusalText, useLoaded } from '../controls/attempt.tsx';
import { countZips, formatList } from '../counts.ts';
import { Dialog } from '../controls/dialog.tsx';
import { PlanNameForm } from '../plans/plan-name-form.tsx';
import { messageOf } from '../requests.ts';
import {
  discardEdits,
  loadConflict,
  reapplyEdits,
  saveAsCopy,
  type Conflict,
} from './save-plan.ts';
import { store } from '../state.ts';

export function ConflictDialog({ onClose }: { onClose: () => void }) {
  const { value, refusal } = useLoaded(loadConflict);
  return (
    <Dialog title="Someone else saved this plan" onClose={onClose}>
      <RefusalText>{refusal}</RefusalText>
      {!value && refusal === null && <p role="status">Loading the other version…</p>}
      {value && <ConflictForm conflict={value} />}
    </Dialog>
  );
}

function ConflictForm({ conflict }: { conflict: Conflict }) {
  const { changedBy, changedAt, source, merged } = conflict;
  const { contested, restored } = merged;
  const when = new Date(changedAt).toLocaleTimeString('en-US', { timeStyle: 'short' });
  /** The edits appear at once, but other measures may fail to load. */
  const act = (change: (conflict: Conflict) => Promise<void>) =>
    change(conflict).catch((error: unknown) =>
      store.update({ notice: { text: messageOf(error) } }),
    );
  return (
    <div class="conflict">
      <p>
        {changedBy} saved version {source.version} at {when}. Your edits are still here, and nothing
        was overwritten.
      </p>
      <h3>Keep both</h3>
      <p>
        {contested.size === 0
          ? 'You changed different ZIP codes, so your edits don’t conflict.'
          : `You both moved ${countZips(contested.size)}. Your moves take precedence. ${contested.size === 1 ? 'This ZIP code is' : 'These ZIP codes are'} selected on the map so you can check ${contested.size === 1 ? 'it' : 'them'}.`}
        {restored.length > 0 &&
          ` ${formatList(restored.map(({ name }) => name))} ${restored.length === 1 ? 'was' : 'were'} deleted in the meantime. Your edits restore ${restored.length === 1 ? 'it' : 'them'}.`}
      </p>
      <p>
        <button type="button" class="button" onClick={() => void act(reapplyEdits)}>
          Reapply my edits
        </button>
      </p>
      <h3>Save mine as another plan</h3>
      <PlanNameForm
        first={`Copy of ${source.name}`}
        submit="Save a copy"
        isQuiet
        save={(name) => saveAsCopy(conflict, name)}
      />
      <h3>Keep only theirs</h3>
      <p>
        <button type="button" class="quiet-button" onClick={() => void act(discardEdits)}>
          Discard my edits
        </button>
      </p>
    </div>
  );
}
