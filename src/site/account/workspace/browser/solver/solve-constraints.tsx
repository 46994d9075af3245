/** The constraints of a solver's task, collapsed at first, and its time limit. */
import { config } from '../config.ts';
import type { Draft } from '../territories/draft.ts';
import type { Market } from '../market.ts';
import { NumberInput, type FieldsProps } from './solve-fields.tsx';
import type { TaskKind } from './solve-task.ts';

/**
 * Maximum number of ZIP codes that can be homes or kept together by selection. More are probably a selected
 * area.
 */
const MAX_SEEDS = 100;
/** The API accepts 500 pairs, and these make 496. */
const MAX_APART = 32;
/** Tasks in which the solver chooses among several territories */
const CAN_PART: ReadonlySet<TaskKind> = new Set(['divide', 'rebalance', 'split', 'fill']);
/** The selection has one role at a time. */
const NO_ROLE = { seeds: [], together: [], apart: [] } as const;

interface ConstraintsProps extends FieldsProps {
  draft: Draft;
  market: Market;
  selection: ReadonlySet<number>;
  isPlan: boolean;
}

export function Constraints({ form, set, draft, market, selection, isPlan }: ConstraintsProps) {
  const { task, keep } = form;
  const { maxDriveMinutes } = config();
  const selected = Array.from(selection, (zip) => market.zips[zip]!).sort();
  const keepable = draft.territories.filter(({ zips }) => zips.size > 0);
  const toggle = (number: number, isKept: boolean) =>
    set({ keep: isKept ? [...keep, number] : keep.filter((one) => one !== number) });
  return (
    <details class="constraints">
      <summary>Constraints and time</summary>
      {(task === 'divide' || task === 'rebalance') && keepable.length > 0 && (
        <fieldset>
          <legend>Keep unchanged</legend>
          <div class="choices">
            {keepable.map(({ number, name }) => (
              <label key={number} class="choice">
                <input
                  type="checkbox"
                  checked={keep.includes(number)}
                  onChange={(event) => toggle(number, event.currentTarget.checked)}
                />
                <span>{name}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {selected.length === 0 && (
        <p class="quiet small">
          {task === 'divide'
            ? 'Select ZIP codes on the map first to use them as homes, or to keep them together or apart.'
            : 'Select ZIP codes on the map first to keep them together or apart.'}
        </p>
      )}
      {task === 'divide' && selected.length > 0 && selected.length <= MAX_SEEDS && (
        <div class="row">
          <Check
            label={`${selected.length === 1 ? 'Use the selected ZIP code as the home of a territory' : 'Use the selected ZIP codes as homes, one per territory'}: ${selected.slice(0, 4).join(', ')}${selected.length > 4 ? ', …' : ''}`}
            isChecked={form.seeds.length > 0}
            onChange={(isOn) => set({ ...NO_ROLE, seeds: isOn ? selected : [] })}
          />
          {form.seeds.length > 0 && (
            <div class="reach-limit">
              <label>
                Maximum distance from home (0 for no limit)
                <NumberInput
                  value={form.reach}
                  min={0}
                  {...(form.reachUnit === 'minutes' &&
                    maxDriveMinutes !== null && { max: maxDriveMinutes })}
                  onInput={(reach) => set({ reach })}
                />
              </label>
              {maxDriveMinutes !== null ? (
                <select
                  aria-label="Unit"
                  value={form.reachUnit}
                  onChange={({ currentTarget: { value } }) =>
                    set({ reachUnit: value === 'minutes' ? 'minutes' : 'miles' })
                  }
                >
                  <option value="miles">miles</option>
                  <option value="minutes">minutes by car</option>
                </select>
              ) : (
                <span>miles</span>
              )}
            </div>
          )}
        </div>
      )}
      {selected.length > 1 && selected.length <= 500 && (
        <Check
          label={`Keep the ${selected.length} selected ZIP codes together`}
          isChecked={form.together.length > 0}
          onChange={(isOn) => set({ ...NO_ROLE, together: isOn ? selected : [] })}
        />
      )}
      {CAN_PART.has(task) && selected.length > 1 && selected.length <= MAX_APART && (
        <Check
          label={`Put each of the ${selected.length} selected ZIP codes in a different territory`}
          isChecked={form.apart.length > 0}
          onChange={(isOn) => set({ ...NO_ROLE, apart: isOn ? selected : [] })}
        />
      )}
      <Check
        label="Prefer county lines"
        isChecked={form.wholeCounties}
        onChange={(wholeCounties) => set({ wholeCounties })}
      />
      {isPlan && (
        <Check
          label="Leave out ZIP codes that your brands hold now"
          isChecked={form.excludeHeld}
          onChange={(excludeHeld) => set({ excludeHeld })}
        />
      )}
      <label>
        Time
        <select
          value={String(form.seconds)}
          onChange={(event) => set({ seconds: Number(event.currentTarget.value) })}
        >
          <option value="3">Quick: up to 3 seconds</option>
          <option value="10">Standard: up to 10 seconds</option>
          <option value="30">Thorough: up to 30 seconds</option>
          <option value="90">Best: up to 90 seconds</option>
        </select>
      </label>
    </details>
  );
}

interface CheckProps {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

function Check({ label, isChecked, onChange }: CheckProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
