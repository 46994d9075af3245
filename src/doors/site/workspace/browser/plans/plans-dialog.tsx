/** All plans: opens, copies, renames, and deletes them, and creates new ones. */
import { useState } from 'preact/hooks';
import { RefusalText, useLoaded } from '../controls/attempt.tsx';
import { config } from '../config.ts';
import { Dialog } from '../controls/dialog.tsx';
import { LoadedList } from '../controls/loaded-list.tsx';
import { verticalOf } from '../measures.ts';
import { beginningHere, openPlan, openLive } from './open-plan.ts';
import { PlanNameForm } from './plan-name-form.tsx';
import { createPlan, listPlans, deletePlan, editPlan, type PlanSummary } from './plan-requests.ts';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';
import { ConfirmedButton } from '../controls/confirmed-button.tsx';

export function PlansDialog({ onClose }: { onClose: () => void }) {
  const { value: plans, refusal, change, reload } = useLoaded(listPlans);
  const source = useStore((state) => state.source);
  const mayChange = config().refusal === null;
  const open = (id: string) => {
    onClose();
    void openPlan(id);
  };
  return (
    <Dialog title="Plans" onClose={onClose}>
      <p class="quiet small">
        A plan is a draft of territories that your organization shares. It changes nothing until you
        apply it.
      </p>
      <RefusalText>{refusal}</RefusalText>
      <LoadedList
        items={plans}
        refusal={refusal}
        loading="Loading plans…"
        empty="There are no plans yet."
        row={(plan) => (
          <PlanRow
            key={plan.id}
            plan={plan}
            mayChange={mayChange}
            change={change}
            reload={reload}
            open={open}
            isOpen={source.kind === 'plan' && source.id === plan.id}
          />
        )}
      />
      {mayChange && <NewPlan open={open} />}
    </Dialog>
  );
}

function NewPlan({ open }: { open: (id: string) => void }) {
  const market = useStore((state) => state.market);
  const source = useStore((state) => state.source);
  const [start, setStart] = useState<'live' | 'empty'>('live');
  const isCopy = source.kind === 'plan';
  const create = async (name: string) => {
    const vertical = verticalOf(store.get().colorBy);
    const { id } = await createPlan({
      name,
      ...beginningHere(start),
      ...(!isCopy && vertical !== null && { vertical }),
    });
    open(id);
  };
  return (
    <section class="addition">
      <h3>{isCopy ? `New plan, as a copy of ${source.name}` : `New plan for ${market?.label}`}</h3>
      <PlanNameForm submit="Create and open" save={create}>
        {!isCopy && (
          <div class="choices" role="radiogroup" aria-label="Begin with">
            {(['live', 'empty'] as const).map((one) => (
              <label key={one} class="choice">
                <input
                  type="radio"
                  name="start"
                  checked={start === one}
                  onChange={() => setStart(one)}
                />
                <span>
                  {one === 'live' ? 'Current territories of your brands' : 'No territories'}
                </span>
              </label>
            ))}
          </div>
        )}
      </PlanNameForm>
    </section>
  );
}

/** A plan in the list of plans: opens, copies, renames, and deletes it. */
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

function PlanRow({ plan, isOpen, mayChange, change, reload, open }: PlanRowProps) {
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
