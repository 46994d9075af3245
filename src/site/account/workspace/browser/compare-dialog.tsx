/** Chooses what the plan or the live territories are compared with. */
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { compareWith } from './compare-plans.ts';
import { messageOf } from './requests.ts';
import { usePlans } from './use-plans.ts';
import { useStore } from './use-store.ts';

export function CompareDialog({ onClose }: { onClose: () => void }) {
  const { plans, refusal, setRefusal } = usePlans();
  const source = useStore((state) => state.source);
  const [other, setOther] = useState<string | null>(null);
  const others = (plans ?? []).filter(({ id }) => source.kind !== 'plan' || id !== source.id);
  const chosen = other ?? (source.kind === 'plan' ? 'live' : (others[0]?.id ?? ''));
  const compare = async () => {
    try {
      await compareWith(others.find(({ id }) => id === chosen) ?? null);
      onClose();
    } catch (error) {
      setRefusal(messageOf(error));
    }
  };
  const isNothing = plans !== null && source.kind === 'live' && others.length === 0;
  return (
    <Dialog title="Compare" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void compare();
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
        {refusal !== null && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        <footer>
          <p class="quiet small">
            Shows the ZIP codes that change territories and the measures before and after.
          </p>
          <div class="buttons">
            <button type="submit" class="button" disabled={plans === null || isNothing}>
              Compare
            </button>
          </div>
        </footer>
      </form>
    </Dialog>
  );
}
