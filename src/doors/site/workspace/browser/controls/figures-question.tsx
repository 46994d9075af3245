/** Gives the reason for missing figures, and asks before a large market uses up much of the monthly limit. */
import { RefusalText, useAttempt } from './attempt.tsx';
import { reloadColumns } from '../load.ts';
import { useStore } from '../use-store.ts';

export function FiguresQuestion() {
  const market = useStore((state) => state.market);
  const { attempt, isWorking, refusal } = useAttempt();
  if (!market || market.withheld === null) return null;
  const show = () => attempt(() => reloadColumns(true));
  return (
    <section class="figures-question" aria-label="Figures">
      <p>{market.withheld}</p>
      <p class="quiet small">
        Without them, the map shows score classes, and you can still select and edit.
      </p>
      <RefusalText>{refusal}</RefusalText>
      {market.asksForFigures && (
        <button type="button" class="button" disabled={isWorking} onClick={() => void show()}>
          {isWorking ? 'Loading…' : 'Show the figures'}
        </button>
      )}
    </section>
  );
}
