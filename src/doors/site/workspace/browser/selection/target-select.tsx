/** The choice of the territory that receives ZIP codes. */
import { formatCount } from '../counts.ts';
import { store } from '../state.ts';
import type { DraftTerritory } from '../territories/draft.ts';
import { useStore } from '../use-store.ts';

interface TargetSelectProps {
  id: string;
  label: string;
  territories: readonly DraftTerritory[];
  /** Returns how many of the ZIP codes a territory can't get. Default: none */
  countRefused?: (number: number) => number;
}

export function TargetSelect({
  id,
  label,
  territories,
  countRefused = () => 0,
}: TargetSelectProps) {
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
        {territories.map(({ number, name }) => {
          const refused = countRefused(number);
          return (
            <option key={number} value={number}>
              {name}
              {refused > 0 && ` (${formatCount(refused)} can’t go there)`}
            </option>
          );
        })}
      </select>
    </div>
  );
}
