/** Asks before the figures of a large market use up much of the month's limit. */
import { useState } from 'preact/hooks';
import { reloadColumns } from './load.ts';
import { messageOf } from './requests.ts';
import { useStore } from './use-store.ts';

export function FiguresQuestion() {
  const market = useStore((state) => state.market);
  const [isLoading, setLoading] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  if (!market?.asksForFigures) return null;
  const show = async () => {
    setLoading(true);
    setRefusal(null);
    try {
      await reloadColumns(true);
    } catch (error) {
      setRefusal(messageOf(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <section class="figures-question" aria-label="Figures">
      <p>{market.withheld}</p>
      <p class="quiet small">
        Without them, the map shows score classes, and you can still select and edit.
      </p>
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      <button type="button" class="button" disabled={isLoading} onClick={() => void show()}>
        {isLoading ? 'Loading…' : 'Show the figures'}
      </button>
    </section>
  );
}
