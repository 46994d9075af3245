/** Asks for the constraints of a task, then runs the solver and shows its progress. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { config } from './config.ts';
import { Dialog } from './dialog.tsx';
import type { Draft } from './draft.ts';
import { balancesIn, labelOfBalance } from './figures.ts';
import type { Market } from './market.ts';
import { verticalOf } from './measures.ts';
import { solve, type Solution, type SolveProgress } from './plan-requests.ts';
import { proposedDraft, type Proposal } from './proposal.ts';
import { messageOf } from './requests.ts';
import { problemOf, solveRequest, titleOf, type SolveForm, type TaskKind } from './solve-task.ts';
import { store, type WorkspaceState } from './state.ts';
import { useStore } from './use-store.ts';

const TITLES: Record<TaskKind, string> = {
  divide: 'Divide the market',
  rebalance: 'Rebalance',
  grow: 'Grow a territory',
  split: 'Split a territory',
  fill: 'Fill gaps',
};

/** More ZIP codes than this can't be homes or belong together by selection: probably an area is selected. */
const MAX_SEEDS = 100;
/** The longest drive that routing servers compute (`routing/drive-times.ts`) */
const MAX_MINUTES = 120;
/** The API takes 500 pairs, and these have 496. */
const MAX_APART = 32;
/** Tasks with several territories among which the solver chooses */
const CAN_PART: ReadonlySet<TaskKind> = new Set(['divide', 'rebalance', 'split', 'fill']);
/** A longer solve can be stopped with the best that it has found. Solves of metros often end by themselves. */
const PROPOSE_AFTER_SECONDS = 5;
const STATE_ZIPS = 800;

/** The selection has one role at a time. */
const NO_ROLE = { seeds: [], together: [], apart: [] } as const;

interface SolveDialogProps {
  task: TaskKind;
  market: Market;
  onClose: () => void;
}

export function SolveDialog({ task, market, onClose }: SolveDialogProps) {
  const state = useStore((all) => all);
  const { draft, selection, place, source } = state;
  const [form, setForm] = useState<SolveForm>(() => firstForm(task, market, state));
  const [progress, setProgress] = useState<SolveProgress | null>(null);
  const [best, setBest] = useState<Solution | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const controller = useRef<AbortController | null>(null);
  // Closing the dialog cancels the solve.
  useEffect(() => () => controller.current?.abort(), []);

  const set = (change: Partial<SolveForm>) => setForm((before) => ({ ...before, ...change }));
  const problem = problemOf(form, draft);
  const start = async () => {
    const run = new AbortController();
    controller.current = run;
    setRefusal(null);
    setBest(null);
    setProgress({ done: 0, worstDeviationPct: null });
    try {
      const asked = solveRequest(market, place, draft, form);
      const request = { ...asked, proposeAfter: PROPOSE_AFTER_SECONDS };
      const solution = await solve(request, run.signal, setProgress, setBest);
      if (!run.signal.aborted) propose(solution);
    } catch (error) {
      if (!run.signal.aborted) {
        setRefusal(messageOf(error, 'The solver failed. Try again.'));
      }
    } finally {
      setProgress(null);
    }
  };
  const propose = (solution: Solution) => {
    if (store.get().draft !== draft) return;
    store.update({ proposal: proposalOf(market, draft, form, solution), selection: new Set() });
    onClose();
  };
  const isSolving = progress !== null;
  return (
    <Dialog title={TITLES[task]} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!problem && !isSolving) void start();
        }}
      >
        <fieldset class="plain" disabled={isSolving}>
          <TaskFields form={form} draft={draft} set={set} />
          <MeasureFields form={form} set={set} market={market} />
          <Constraints
            {...{ form, set, draft, market, selection }}
            isPlan={source.kind === 'plan'}
          />
        </fieldset>
        {refusal !== null && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        <Progress progress={progress} />
        <footer>
          <p class="quiet small">
            {problem ??
              `${config().prices.solve} units for a proposal. ${best ? 'You have one, and may stop.' : `Canceling within ${PROPOSE_AFTER_SECONDS} seconds is free.`} Nothing is saved yet.`}
          </p>
          <div class="buttons">
            {isSolving && best && (
              <button key="use" type="button" class="button" onClick={() => propose(best)}>
                Use the best so far
              </button>
            )}
            {isSolving ? (
              // Its own key: if the click on Cancel made the same element a submit button, it would submit.
              <button
                key="cancel"
                type="button"
                class="quiet-button"
                onClick={() => controller.current?.abort()}
              >
                Cancel
              </button>
            ) : (
              <button key="propose" type="submit" class="button" disabled={problem !== null}>
                Propose
              </button>
            )}
          </div>
        </footer>
      </form>
    </Dialog>
  );
}

function firstForm(
  task: TaskKind,
  market: Market,
  { draft, colorBy, balance }: WorkspaceState,
): SolveForm {
  const filled = draft.territories.filter(({ zips }) => zips.size > 0);
  return {
    ...{ task, balance, sizeBy: 'count', minimum: 40_000, maximum: 60_000 },
    vertical: verticalOf(colorBy) ?? config().verticals[0]!.slug,
    // Few territories are brands that hold a part, rather than a division to repeat.
    count: task === 'split' ? 2 : filled.length > 3 ? filled.length : 8,
    territory: filled[0]?.number ?? 0,
    ...{ target: 50_000, keep: [], wholeCounties: false, excludeHeld: false },
    ...{ seeds: [], reach: 0, reachUnit: 'miles', together: [], apart: [] },
    seconds: market.zips.length > STATE_ZIPS ? 30 : 10,
  };
}

const ENDED_EARLY = {
  deadline: 'The solver reached its time limit. More time may find a better result.',
  canceled: 'The solver was stopped. More time may find a better result.',
};

export function proposalOf(
  market: Market,
  base: Draft,
  form: SolveForm,
  { summary, violations, bridges, withoutPosition, territories, ended }: Solution,
): Proposal {
  const said = violations.length > 0 ? violations.map(({ message }) => message) : [];
  // The summary repeats the violations.
  const first = said.reduce((text, message) => text.replace(` ${message}`, ''), summary);
  const miles = bridges.map((one) => `${one.from} and ${one.to} (${one.miles.toFixed(1)} miles)`);
  return {
    kind: 'proposal',
    title: titleOf(form, base),
    notes: [
      first,
      ...said,
      ...(bridges.length > 0 ? [`Connected over water or gaps: ${miles.join(', ')}.`] : []),
      ...(withoutPosition.length > 0
        ? [`Left out, because no boundary is imported: ${withoutPosition.join(', ')}.`]
        : []),
      ...(ended === 'finished' ? [] : [ENDED_EARLY[ended]]),
    ],
    base,
    draft: proposedDraft(market, base, territories),
    declined: new Set(),
    balance: form.balance,
    vertical: form.vertical,
  };
}

interface FieldsProps {
  form: SolveForm;
  set: (change: Partial<SolveForm>) => void;
}

function TaskFields({ form, draft, set }: FieldsProps & { draft: Draft }) {
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
            onChange={(event) => set({ territory: Number(event.currentTarget.value) })}
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
            To
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
        ? 'Moves as few ZIP codes as possible between the territories until they are even. ZIP codes in none stay free.'
        : 'Gives every ZIP code that is in no territory to one of the territories around it. The others stay.'}
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

function MeasureFields({ form, set, market }: FieldsProps & { market: Market }) {
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

interface ConstraintsProps extends FieldsProps {
  draft: Draft;
  market: Market;
  selection: ReadonlySet<number>;
  isPlan: boolean;
}

function Constraints({ form, set, draft, market, selection, isPlan }: ConstraintsProps) {
  const { task, keep } = form;
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
            label={`Selected ZIP codes are homes, one territory each: ${selected.slice(0, 4).join(', ')}${selected.length > 4 ? ', …' : ''}`}
            isChecked={form.seeds.length > 0}
            onChange={(isOn) => set({ ...NO_ROLE, seeds: isOn ? selected : [] })}
          />
          {form.seeds.length > 0 && (
            <div class="reach-limit">
              <label>
                Farthest from home, 0 for any
                <NumberInput
                  value={form.reach}
                  min={0}
                  {...(form.reachUnit === 'minutes' && { max: MAX_MINUTES })}
                  onInput={(reach) => set({ reach })}
                />
              </label>
              {config().hasDrives ? (
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
          label={`Keep the ${selected.length} selected ZIP codes apart, each in a territory of its own`}
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
          <option value="10">Usual: up to 10 seconds</option>
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

function Progress({ progress }: { progress: SolveProgress | null }) {
  if (!progress) return null;
  const { done, worstDeviationPct } = progress;
  return (
    <div class="solving">
      <progress value={done} max={1} aria-label="Progress of the solver" />
      <p class="small" role="status">
        {worstDeviationPct === null
          ? 'Looking for territories…'
          : `Best so far: within ${worstDeviationPct.toFixed(1)}%`}
      </p>
    </div>
  );
}
