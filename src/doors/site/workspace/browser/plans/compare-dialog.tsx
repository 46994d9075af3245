/** Chooses what the plan or the live territories are compared with. */
import { useState } from 'preact/hooks';
import { RefusalText, useAttempt, useLoaded } from '../controls/attempt.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { compareWith } from './compare-plans.ts';
import { listPlans } from './plan-requests.ts';
import { useStore } from '../use-store.ts';

export function CompareDialog({ onClose }: { onClose: () => void }) {
  const { value: plans, refusal: missing } = useLoaded(listPlans);
  const { attempt, isWorking, refusal } = useAttempt();
  const source = useStore((state) => state.source);
  const [other, setOther] = useState<string | null>(null);
  const others = (plans ?? []).filter(({ id }) => source.kind !== 'plan' || id !== source.id);
  const chosen = other ?? (source.kind === 'plan' ? 'live' : (others[0]?.id ?? ''));
  const compare = async () => {
    await compareWith(others.find(({ id }) => id === chosen) ?? null);
    onClose();
  };
  const isNothing = plans !== null && source.kind === 'live' && others.length === 0;
  return (
    <Dialog title="Compare" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWorking) void attempt(compare);
        }}
      >
        {isNothing ? (
          <p>There are no plans to compare with yet. Create one first.</p>
        ) : (
          <label>
            {source.kind === 'plan' ? source.name : 'The live territories'} with
            <select value={chosen} onChange={(event) => setOther(event.currentTarget.value)}>
              {source.kind === 'plan' && (
                <option value="live">Current territories of your brands</option>
              )}
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <RefusalText>{missing ?? refusal}</RefusalText>
        <footer>
          <p class="quiet small">
            Shows the ZIP codes that change territories and the measures before and after.
          </p>
          <div class="buttons">
            <button
              type="submit"
              class="button"
              disabled={plans === null || isNothing || isWorking}
            >
              Compare
            </button>
          </div>
        </footer>
      </form>
    </Dialog>
  );
}
