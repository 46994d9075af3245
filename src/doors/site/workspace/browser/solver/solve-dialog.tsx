/** Asks for the constraints of a task, then runs the solver and shows its progress. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { RefusalText } from '../controls/attempt.tsx';
import { config } from '../config.ts';
import { Dialog } from '../controls/dialog.tsx';
import type { Draft } from '../territories/draft.ts';
import type { Market } from '../market.ts';
import { verticalOf } from '../measures.ts';
import { solve, type Solution, type SolveProgress } from '../plans/plan-requests.ts';
import { proposedDraft, type Proposal } from '../proposals/proposal.ts';
import { messageOf } from '../requests.ts';
import { Constraints, MeasureFields, TaskFields } from './solve-fields.tsx';
import {
  largerThan,
  problemOf,
  sizeOf,
  solveRequest,
  titleOf,
  type SolveForm,
  type TaskKind,
} from './solve-task.ts';
import { store, type WorkspaceState } from '../state.ts';
import { useStore } from '../use-store.ts';

const TITLES: Record<TaskKind, string> = {
  divide: 'Divide the market',
  rebalance: 'Rebalance',
  grow: 'Grow a territory',
  split: 'Split a territory',
  fill: 'Fill gaps',
};

/** A longer solve can be stopped to use the best solution so far. Solves of metros often end earlier. */
const PROPOSE_AFTER_SECONDS = 5;
const STATE_ZIPS = 800;

interface SolveDialogProps {
  task: TaskKind;
  market: Market;
  onClose: () => void;
}

function SolveDialog({ task, market, onClose }: SolveDialogProps) {
  const state = useStore((all) => all);
  const { draft, selection, place, source } = state;
  const [form, setForm] = useState<SolveForm>(() => firstForm(task, market, state));
  const [progress, setProgress] = useState<SolveProgress | null>(null);
  /** A proposal that has been paid for, and its form */
  const [best, setBest] = useState<{ solution: Solution; form: SolveForm } | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const controller = useRef<AbortController | null>(null);
  // Closing the dialog cancels the solve.
  useEffect(() => () => controller.current?.abort(), []);

  const set = (change: Partial<SolveForm>) => setForm((before) => ({ ...before, ...change }));
  const problem = problemOf(form, draft, market);
  const start = async () => {
    const run = new AbortController();
    controller.current = run;
    setRefusal(null);
    setBest(null);
    setProgress({ done: 0, worstDeviationPct: null });
    try {
      const asked = solveRequest(market, place, draft, form);
      const request = { ...asked, proposeAfter: PROPOSE_AFTER_SECONDS };
      const keep = (solution: Solution) => setBest({ solution, form });
      const solution = await solve(request, run.signal, setProgress, keep);
      if (!run.signal.aborted) propose(solution, form);
    } catch (error) {
      if (!run.signal.aborted) {
        setRefusal(messageOf(error, 'The solver failed. Try again.'));
      }
    } finally {
      setProgress(null);
    }
  };
  const propose = (solution: Solution, asked: SolveForm) => {
    if (store.get().draft !== draft) return;
    store.update({ proposal: proposalOf(market, draft, asked, solution), selection: new Set() });
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
          <TaskFields form={form} market={market} draft={draft} set={set} />
          <MeasureFields form={form} set={set} market={market} />
          <Constraints
            form={form}
            set={set}
            draft={draft}
            market={market}
            selection={selection}
            isPlan={source.kind === 'plan'}
          />
        </fieldset>
        <RefusalText>{refusal}</RefusalText>
        <Progress progress={progress} />
        <footer>
          <p class="quiet small">
            {problem ??
              `${config().prices.solve} units for a proposal. ${best ? 'You can stop and use the best so far.' : `Canceling within ${PROPOSE_AFTER_SECONDS} seconds is free.`} Nothing is saved yet.`}
          </p>
          <div class="buttons">
            {best && (
              <button
                key="use"
                type="button"
                class="button"
                onClick={() => propose(best.solution, best.form)}
              >
                Use the best so far
              </button>
            )}
            {isSolving ? (
              // A separate key: if a click on Cancel turned the same element into a submit button, it would
              // submit the form.
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
  const vertical = verticalOf(colorBy) ?? config().verticals[0]!.slug;
  const territory = filled[0]?.number ?? 0;
  return {
    task,
    balance,
    vertical,
    sizeBy: 'count',
    minimum: 4e4,
    maximum: 6e4,
    count: task === 'split' ? 2 : filled.length > 3 ? filled.length : 8,
    territory,
    target: largerThan(sizeOf(market, draft, { territory, balance, vertical })),
    keep: [],
    wholeCounties: false,
    excludeHeld: false,
    seeds: [],
    reach: 0,
    reachUnit: 'miles',
    together: [],
    apart: [],
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
  const connections = bridges.map(
    (one) => `${one.from} and ${one.to} (${one.miles.toFixed(1)} miles)`,
  );
  return {
    kind: 'proposal',
    title: titleOf(form, base),
    notes: [
      first,
      ...said,
      ...(withoutPosition.length > 0
        ? [`Left out, because no boundary is imported: ${withoutPosition.join(', ')}.`]
        : []),
      ...(ended === 'finished' ? [] : [ENDED_EARLY[ended]]),
    ],
    base,
    draft: proposedDraft(market, base, territories),
    bridges: bridges.map(({ from, to }) => [market.numbers.get(from)!, market.numbers.get(to)!]),
    connections,
    declined: new Set(),
    balance: form.balance,
    vertical: form.vertical,
  };
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

/** The solver's tasks, each with a dialog. */
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
