/** The fields of a solver's task: the size of territories, what they share evenly, and its constraints. */
import { config } from '../config.ts';
import type { Draft } from '../territories/draft.ts';
import { balancesIn, isBuiltIn, labelOfBalance, type Balance } from '../territories/figures.ts';
import type { Market } from '../market.ts';
import { largerThan, sizeOf, type SolveForm, type TaskKind } from './solve-task.ts';

interface FieldsProps {
  form: SolveForm;
  set: (change: Partial<SolveForm>) => void;
}

/** `households`; the name of an uploaded measure as it was entered */
function unitOf(balance: Balance): string {
  if (balance === 'opportunity') return 'weighted households';
  return isBuiltIn(balance) ? labelOfBalance(balance).toLowerCase() : balance;
}

interface TaskFieldsProps extends FieldsProps {
  market: Market;
  draft: Draft;
}

export function TaskFields({ form, market, draft, set }: TaskFieldsProps) {
  const { task, sizeBy } = form;
  if (task === 'divide') {
    return (
      <fieldset>
        <legend>Size</legend>
        <label class="choice">
          <input
            type="radio"
            name="size"
            checked={sizeBy === 'count'}
            onChange={() => set({ sizeBy: 'count' })}
          />
          <span>Number of territories</span>
          <NumberInput
            label="Number of territories"
            value={form.count}
            min={1}
            max={1000}
            onInput={(count) => set({ count, sizeBy: 'count' })}
          />
        </label>
        <label class="choice">
          <input
            type="radio"
            name="size"
            checked={sizeBy === 'limits'}
            onChange={() => set({ sizeBy: 'limits' })}
          />
          <span>Between</span>
          <NumberInput
            label="Minimum"
            value={form.minimum}
            min={1}
            onInput={(minimum) => set({ minimum, sizeBy: 'limits' })}
          />
          <span>and</span>
          <NumberInput
            label="Maximum"
            value={form.maximum}
            min={1}
            onInput={(maximum) => set({ maximum, sizeBy: 'limits' })}
          />
          <span>{unitOf(form.balance)}</span>
        </label>
      </fieldset>
    );
  }
  if (task === 'grow' || task === 'split') {
    return (
      <div class="row">
        <label>
          Territory
          <select
            value={String(form.territory)}
            onChange={({ currentTarget: { value } }) => {
              const territory = Number(value);
              set({ territory, target: largerThan(sizeOf(market, draft, { ...form, territory })) });
            }}
          >
            {draft.territories
              .filter(({ zips }) => zips.size > 0)
              .map(({ number, name }) => (
                <option key={number} value={String(number)}>
                  {name}
                </option>
              ))}
          </select>
        </label>
        {task === 'grow' ? (
          <label>
            Size in {unitOf(form.balance)}
            <NumberInput value={form.target} min={1} onInput={(target) => set({ target })} />
          </label>
        ) : (
          <label>
            Parts
            <NumberInput value={form.count} min={2} max={100} onInput={(count) => set({ count })} />
          </label>
        )}
      </div>
    );
  }
  return (
    <p>
      {task === 'rebalance'
        ? 'Moves as few ZIP codes as possible to balance the territories. Unassigned ZIP codes stay unassigned.'
        : 'Assigns every unassigned ZIP code to a nearby territory. All other ZIP codes stay where they are.'}
    </p>
  );
}

interface NumberInputProps {
  label?: string;
  value: number;
  min: number;
  max?: number;
  onInput: (value: number) => void;
}

function NumberInput({ label, value, min, max, onInput }: NumberInputProps) {
  return (
    <input
      type="number"
      inputmode="numeric"
      aria-label={label}
      value={Number.isNaN(value) ? '' : value}
      min={min}
      max={max}
      step={1}
      required
      onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
    />
  );
}

export function MeasureFields({ form, set, market }: FieldsProps & { market: Market }) {
  return (
    <div class="row">
      <label>
        {form.task === 'grow' ? 'Measured by' : 'Balance'}
        <select
          value={form.balance}
          onChange={(event) => set({ balance: event.currentTarget.value })}
        >
          {balancesIn(market).map((name) => (
            <option key={name} value={name}>
              {name === 'opportunity' ? 'Households weighted by score' : labelOfBalance(name)}
            </option>
          ))}
        </select>
      </label>
      {form.balance === 'opportunity' && (
        <label>
          Score
          <select
            value={form.vertical}
            onChange={(event) => set({ vertical: event.currentTarget.value })}
          >
            {config().verticals.map(({ slug, label }) => (
              <option key={slug} value={slug}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

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
