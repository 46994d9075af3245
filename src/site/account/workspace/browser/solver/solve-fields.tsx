/** The fields of a solver's task: the size of territories, and what they share evenly. */
import { config } from '../config.ts';
import type { Draft } from '../territories/draft.ts';
import { balancesIn, isBuiltIn, labelOfBalance, type Balance } from '../territories/figures.ts';
import type { Market } from '../market.ts';
import { largerThan, sizeOf, type SolveForm } from './solve-task.ts';

export interface FieldsProps {
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

export function NumberInput({ label, value, min, max, onInput }: NumberInputProps) {
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
