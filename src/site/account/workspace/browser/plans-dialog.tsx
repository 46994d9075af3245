/** All plans: opens, copies, renames, and deletes them, and creates new ones. */
import { useState } from 'preact/hooks';
import { config } from './config.ts';
import { Dialog } from './dialog.tsx';
import { verticalOf } from './measures.ts';
import { beginningHere, openLive, openPlan } from './open-plan.ts';
import { createPlan, deletePlan, editPlan, type PlanSummary } from './plan-requests.ts';
import { messageOf } from './requests.ts';
import { store } from './state.ts';
import { usePlans } from './use-plans.ts';
import { useStore } from './use-store.ts';

export function PlansDialog({ onClose }: { onClose: () => void }) {
  const { plans, refusal, setRefusal, reload } = usePlans();
  const source = useStore((state) => state.source);
  const mayChange = config().refusal === null;
  const act = async (work: () => Promise<unknown>) => {
    setRefusal(null);
    try {
      await work();
    } catch (error) {
      setRefusal(messageOf(error));
    }
    await reload();
  };
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
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      {plans === null && refusal === null && <p role="status">Loading plans…</p>}
      {plans?.length === 0 && <p>There are no plans yet.</p>}
      {plans && plans.length > 0 && (
        <ul class="plans">
          {plans.map((plan) => (
            <PlanRow
              key={plan.id}
              plan={plan}
              isOpen={source.kind === 'plan' && source.id === plan.id}
              mayChange={mayChange}
              act={act}
              open={open}
            />
          ))}
        </ul>
      )}
      {mayChange && <NewPlan open={open} />}
    </Dialog>
  );
}

interface PlanRowProps {
  plan: PlanSummary;
  isOpen: boolean;
  mayChange: boolean;
  act: (work: () => Promise<unknown>) => Promise<void>;
  open: (id: string) => void;
}

function PlanRow({ plan, isOpen, mayChange, act, open }: PlanRowProps) {
  const [asked, setAsked] = useState<'rename' | 'delete' | null>(null);
  const [name, setName] = useState(plan.name);
  const { id, version } = plan;
  const rename = () =>
    act(async () => {
      const { version: renamed } = await editPlan(id, version, { name });
      setAsked(null);
      const { source } = store.get();
      // Of another version than the one that is open, saving must still find that out.
      if (source.kind === 'plan' && source.id === id && source.version === version) {
        store.update({ source: { ...source, name, version: renamed } });
      }
    });
  const remove = () =>
    act(async () => {
      await deletePlan(id);
      if (isOpen) await openLive();
    });
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
      {asked === 'rename' ? (
        <form
          class="buttons"
          onSubmit={(event) => {
            event.preventDefault();
            void rename();
          }}
        >
          <input
            type="text"
            aria-label="New name"
            required
            maxLength={120}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit" class="quiet-button">
            Rename
          </button>
          <button type="button" class="quiet-button" onClick={() => setAsked(null)}>
            Cancel
          </button>
        </form>
      ) : asked === 'delete' ? (
        <div class="buttons">
          <span class="small">Delete it for everyone?</span>
          <button type="button" class="quiet-button" onClick={() => void remove()}>
            Delete
          </button>
          <button type="button" class="quiet-button" onClick={() => setAsked(null)}>
            Keep
          </button>
        </div>
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
                onClick={() =>
                  void act(() => createPlan({ name: `Copy of ${plan.name}`, copyOf: id }))
                }
              >
                Copy
              </button>
              <button
                type="button"
                class="quiet-button"
                aria-label={`Rename ${plan.name}`}
                onClick={() => setAsked('rename')}
              >
                Rename
              </button>
              <button
                type="button"
                class="quiet-button"
                aria-label={`Delete ${plan.name}`}
                onClick={() => setAsked('delete')}
              >
                Delete
              </button>
            </>
          )}
        </div>
      )}
    </li>
  );
}

function NewPlan({ open }: { open: (id: string) => void }) {
  const market = useStore((state) => state.market);
  const source = useStore((state) => state.source);
  const [name, setName] = useState('');
  const [start, setStart] = useState<'live' | 'empty'>('live');
  const [refusal, setRefusal] = useState<string | null>(null);
  const isCopy = source.kind === 'plan';
  const create = async () => {
    setRefusal(null);
    try {
      const vertical = verticalOf(store.get().colorBy);
      const { id } = await createPlan({
        ...{ name, ...beginningHere(start) },
        // A copy has the settings of its original.
        ...(!isCopy && vertical !== null && { vertical }),
      });
      open(id);
    } catch (error) {
      setRefusal(messageOf(error));
    }
  };
  return (
    <form
      class="new-plan"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h3>{isCopy ? `New plan, as a copy of ${source.name}` : `New plan for ${market?.label}`}</h3>
      <label>
        Name
        <input
          type="text"
          required
          maxLength={120}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
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
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      <button type="submit" class="button">
        Create and open
      </button>
    </form>
  );
}
