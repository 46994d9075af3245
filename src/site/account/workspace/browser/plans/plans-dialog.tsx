/** All plans: opens, copies, renames, and deletes them, and creates new ones. */
import { useState } from 'preact/hooks';
import { RefusalText, useLoaded } from '../controls/attempt.tsx';
import { config } from '../config.ts';
import { Dialog } from '../controls/dialog.tsx';
import { LoadedList } from '../controls/loaded-list.tsx';
import { verticalOf } from '../measures.ts';
import { beginningHere, openPlan } from './open-plan.ts';
import { PlanNameForm } from './plan-name-form.tsx';
import { createPlan, listPlans } from './plan-requests.ts';
import { PlanRow } from './plan-row.tsx';
import { store } from '../state.ts';
import { useStore } from '../use-store.ts';

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
            {...{ plan, mayChange, change, reload, open }}
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
      ...{ name, ...beginningHere(start) },
      // A copy keeps the settings of its original.
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
