/** Undo, redo, and save, in the head of the page. */
import { editRefusal } from '../selection/actions.ts';
import { liveChangesOf } from '../saving/changes.ts';
import { isEdited, redoEdit, undoEdit } from './editing.ts';
import { savePlan } from '../saving/save-plan.ts';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';

export function EditBar() {
  const { past, future } = useStore((state) => state.history);
  const isLive = useStore((state) => state.source.kind === 'live');
  const hasEdits = useStore(isEdited);
  const refusal = useStore(editRefusal);
  const market = useStore((state) => state.market);
  const [before, after] = [past.at(-1), future.at(-1)];
  if (!market) return null;
  return (
    <>
      <div class="undo" role="group" aria-label="Edits">
        <button
          type="button"
          class="icon-button"
          disabled={!before}
          title={before ? `Undo: ${before.label} (Ctrl+Z)` : 'Nothing to undo'}
          onClick={undoEdit}
        >
          <UndoIcon />
          <span class="visually-hidden">Undo{before && `: ${before.label}`}</span>
        </button>
        <button
          type="button"
          class="icon-button"
          disabled={!after}
          title={after ? `Redo: ${after.label} (Ctrl+Shift+Z)` : 'Nothing to redo'}
          onClick={redoEdit}
        >
          <UndoIcon isRedo />
          <span class="visually-hidden">Redo{after && `: ${after.label}`}</span>
        </button>
      </div>
      {hasEdits && refusal === null && (
        <button
          type="button"
          class="button save"
          aria-label={isLive ? 'Review changes' : undefined}
          onClick={() => void save()}
        >
          {isLive ? (
            <>
              Review<span class="more"> changes</span>
            </>
          ) : (
            'Save'
          )}
        </button>
      )}
      <button
        type="button"
        class="icon-button shortcuts-button"
        title="Keyboard shortcuts (?)"
        onClick={() => store.update({ dialog: 'shortcuts' })}
      >
        <span aria-hidden="true">?</span>
        <span class="visually-hidden">Keyboard shortcuts</span>
      </button>
    </>
  );
}

/** Saves a plan at once. For live territories, shows the changes first. */
export async function save(): Promise<void> {
  const state = store.get();
  const { source, market, saved, draft } = state;
  if (!market || !isEdited(state) || editRefusal(state) !== null) return;
  if (source.kind === 'plan') await savePlan();
  else if (liveChangesOf(market, saved, draft).length > 0) store.update({ dialog: 'save' });
  else store.update({ notice: { text: 'There are no changes to save.' } });
}

const UndoIcon = ({ isRedo = false }: { isRedo?: boolean }) => (
  <svg
    viewBox="0 0 20 20"
    width="20"
    height="20"
    aria-hidden="true"
    class={isRedo ? 'mirrored' : ''}
  >
    <path
      d="M7 4 3.5 7.5 7 11M4 7.5h7.5a4.5 4.5 0 0 1 0 9H8"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);
