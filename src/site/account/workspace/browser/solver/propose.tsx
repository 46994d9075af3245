/** The solver's tasks, each with a dialog. */
import { useState } from 'preact/hooks';
import { config } from '../config.ts';
import { SolveDialog } from './solve-dialog.tsx';
import type { TaskKind } from './solve-task.ts';
import { useStore } from '../use-store.ts';

const TASKS: readonly { task: TaskKind; label: string; hint: string }[] = [
  { task: 'divide', label: 'Divide…', hint: 'Divide the market into even territories' },
  { task: 'rebalance', label: 'Rebalance…', hint: 'Balance the territories with few moves' },
  { task: 'grow', label: 'Grow…', hint: 'Add ZIP codes to a territory until it reaches an amount' },
  { task: 'split', label: 'Split…', hint: 'Divide one territory into several' },
  {
    task: 'fill',
    label: 'Fill gaps…',
    hint: 'Assign every unassigned ZIP code to a nearby territory',
  },
];

export function Propose() {
  const [task, setTask] = useState<TaskKind | null>(null);
  const market = useStore((state) => state.market);
  const draft = useStore((state) => state.draft);
  const { planRefusal, refusal } = config();
  // People who can't change territories couldn't save a proposal.
  if (!market || planRefusal !== null || refusal !== null) return null;
  const isEmpty = draft.territories.every(({ zips }) => zips.size === 0);
  return (
    <section class="propose" aria-labelledby="propose-title">
      <h2 id="propose-title">Propose territories</h2>
      {market.withheld !== null ? (
        <p class="quiet small">
          The solver needs the figures{market.asksForFigures && '. Show them first'}.
        </p>
      ) : (
        <ul>
          {TASKS.map(({ task: own, label, hint }) => (
            <li key={own}>
              <button
                type="button"
                class="quiet-button"
                title={hint}
                disabled={isEmpty && own !== 'divide'}
                onClick={() => setTask(own)}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
      {task !== null && <SolveDialog task={task} market={market} onClose={() => setTask(null)} />}
    </section>
  );
}
