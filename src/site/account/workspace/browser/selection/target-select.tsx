/** The choice of the territory that receives ZIP codes. */
import { store } from '../state.ts';
import type { DraftTerritory } from '../territories/draft.ts';
import { useStore } from '../use-store.ts';

interface TargetSelectProps {
  id: string;
  label: string;
  territories: readonly DraftTerritory[];
}

export function TargetSelect({ id, label, territories }: TargetSelectProps) {
  const chosen = useStore((state) => state.target);
  const isKnown = territories.some(({ number }) => number === chosen);
  return (
    <div class="give">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={isKnown ? chosen! : ''}
        onChange={({ currentTarget: { value } }) =>
          store.update({ target: value === '' ? null : Number(value) })
        }
      >
        <option value="">Choose a territory</option>
        {territories.map(({ number, name }) => (
          <option key={number} value={number}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
