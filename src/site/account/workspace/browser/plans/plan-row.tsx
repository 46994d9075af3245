/** A plan in the list of plans: opens, copies, renames, and deletes it. */
import { useState } from 'preact/hooks';
import { ConfirmedButton } from '../controls/confirmed-button.tsx';
import { openLive } from './open-plan.ts';
import { createPlan, deletePlan, editPlan, type PlanSummary } from './plan-requests.ts';
import { PlanNameForm } from './plan-name-form.tsx';
import { store } from '../state.ts';

interface PlanRowProps {
  plan: PlanSummary;
  isOpen: boolean;
  mayChange: boolean;
  /** Changes the list. */
  change: (work: () => Promise<unknown>) => Promise<void>;
  /** Loads the list again. */
  reload: () => Promise<void>;
  open: (id: string) => void;
}

export function PlanRow({ plan, isOpen, mayChange, change, reload, open }: PlanRowProps) {
  const [isRenamed, setRenamed] = useState(false);
  const { id, version } = plan;
  const rename = async (name: string) => {
    const { version: renamed } = await editPlan(id, version, { name });
    setRenamed(false);
    const { source } = store.get();
    // If the open plan has another version, saving must still detect that.
    if (source.kind === 'plan' && source.id === id && source.version === version) {
      store.update({ source: { ...source, name, version: renamed } });
    }
  };
  const copy = () => createPlan({ name: `Copy of ${plan.name}`, copyOf: id });
  const remove = async () => {
    await deletePlan(id);
    if (isOpen) await openLive();
  };
  const day = new Date(plan.changedAt).toLocaleDateString('en-US', { dateStyle: 'medium' });
  return (
    <li>
      <div>
        <b>{plan.name}</b>
        {isOpen && <span class="tag">open</span>}
        <span class="quiet small">
          {plan.market}, {plan.territoryCount}{' '}
          {plan.territoryCount === 1 ? 'territory' : 'territories'}, changed by {plan.changedBy} on{' '}
          {day}
        </span>
      </div>
      {isRenamed ? (
        <PlanNameForm
          label="New name"
          first={plan.name}
          submit="Rename"
          isQuiet
          save={(name) => rename(name).finally(reload)}
          more={
            <button type="button" class="quiet-button" onClick={() => setRenamed(false)}>
              Cancel
            </button>
          }
        />
      ) : (
        <div class="buttons">
          {!isOpen && (
            <button
              type="button"
              class="quiet-button"
              aria-label={`Open ${plan.name}`}
              onClick={() => open(id)}
            >
              Open
            </button>
          )}
          {mayChange && (
            <>
              <button
                type="button"
                class="quiet-button"
                aria-label={`Copy ${plan.name}`}
                onClick={() => void change(copy)}
              >
                Copy
              </button>
              <button
                type="button"
                class="quiet-button"
                aria-label={`Rename ${plan.name}`}
                onClick={() => setRenamed(true)}
              >
                Rename
              </button>
              <ConfirmedButton label="Delete" of={plan.name} act={() => void change(remove)} />
            </>
          )}
        </div>
      )}
    </li>
  );
}
