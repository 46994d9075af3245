/** The form of a solve, and the request that it becomes. Pure. */
import { territoriesByZip, type Draft } from '../territories/draft.ts';
import { balancedFigure, figuresIn, type Balance } from '../territories/figures.ts';
import type { Market } from '../market.ts';
import { scoreOf } from '../measures.ts';
import { withoutOverlaps } from '../proposals/proposal.ts';

export type TaskKind = 'divide' | 'rebalance' | 'grow' | 'split' | 'fill';

export interface SolveForm {
  task: TaskKind;
  balance: Balance;
  /** Used with `opportunity` */
  vertical: string;
  /** Used with `divide`: whether `count` or the limits apply */
  sizeBy: 'count' | 'limits';
  count: number;
  minimum: number;
  maximum: number;
  /** Number of the territory to grow or split */
  territory: number;
  target: number;
  /** Numbers of territories that stay unchanged */
  keep: readonly number[];
  wholeCounties: boolean;
  excludeHeld: boolean;
  /** ZIP codes, one home for each of the first territories */
  seeds: readonly string[];
  /** Maximum distance from the home if there are seeds; 0 means no limit */
  reach: number;
  reachUnit: 'miles' | 'minutes';
  /** ZIP codes to keep together, at least two */
  together: readonly string[];
  /** ZIP codes that belong in different territories; ignored if fewer than two */
  apart: readonly string[];
  /** Time limit */
  seconds: number;
}

const count = (n: number) => n.toLocaleString('en-US');

/** Returns the title of a proposal: `Divide into 8`. */
export function titleOf({ task, ...form }: SolveForm, { territories }: Draft): string {
  const name = territories.find(({ number }) => number === form.territory)?.name ?? '';
  switch (task) {
    case 'divide':
      return form.sizeBy === 'count'
        ? `Divide into ${form.count}`
        : `Divide by ${count(form.minimum)} to ${count(form.maximum)}`;
    case 'rebalance':
      return 'Rebalance';
    case 'grow':
      return `Grow ${name} to ${count(form.target)}`;
    case 'split':
      return `Split ${name} into ${form.count}`;
    case 'fill':
      return 'Fill gaps';
  }
}

/**
 * Returns the body of `POST /agent/design`, with only the fields that the task uses.
 * @param place `metro=dallas-tx`
 */
export function solveRequest(
  market: Pick<Market, 'zips'>,
  place: string,
  draft: Draft,
  form: SolveForm,
): Record<string, unknown> {
  const [kind = '', value = ''] = place.split('=');
  const { task, balance, vertical, seconds } = form;
  return {
    [kind]: decodeURIComponent(value),
    task,
    balance,
    vertical,
    seconds,
    territories: withoutOverlaps(draft).map(({ number, name, zips }) => ({
      number,
      name,
      zips: Array.from(zips, (zip) => market.zips[zip]!).sort(),
    })),
    ...fieldsOf(form),
    ...(form.wholeCounties && { wholeCounties: true }),
    ...(form.excludeHeld && { excludeHeld: true }),
    ...(form.together.length > 1 && { together: [form.together] }),
    ...(form.apart.length > 1 && { apart: pairsOf(form.apart) }),
  };
}

const pairsOf = (zips: readonly string[]): [string, string][] =>
  zips.flatMap((a, i) => zips.slice(i + 1).map((b): [string, string] => [a, b]));

function fieldsOf(form: SolveForm): object {
  const { task, keep, seeds, reach, reachUnit, territory } = form;
  const limit = reachUnit === 'miles' ? 'maxMiles' : 'maxMinutes';
  switch (task) {
    case 'divide':
      return {
        ...(form.sizeBy === 'count'
          ? { count: form.count }
          : { minimum: form.minimum, maximum: form.maximum }),
        ...(keep.length > 0 && { keep }),
        ...(seeds.length > 0 && { seeds }),
        ...(seeds.length > 0 && reach > 0 && { [limit]: reach }),
      };
    case 'rebalance':
      return keep.length > 0 ? { keep } : {};
    case 'grow':
      return { territory, target: form.target };
    case 'split':
      return { territory, count: form.count };
    case 'fill':
      return {};
  }
}

const GROWTH_TARGET = 50_000;

/** Returns the size of the territory to grow or split, in the measure to balance; NaN if it is unknown. */
export function sizeOf(
  market: Market,
  { territories }: Draft,
  { territory, balance, vertical }: Pick<SolveForm, 'territory' | 'balance' | 'vertical'>,
): number {
  const zips = territories.find(({ number }) => number === territory)?.zips ?? new Set();
  return balancedFigure(figuresIn(market, scoreOf(vertical))(zips), balance);
}

/** Returns a size to grow to: about a quarter above the current one, in two digits. */
export const largerThan = (size: number): number =>
  size >= GROWTH_TARGET / 1.2 ? Number((size * 1.25).toPrecision(2)) : GROWTH_TARGET;

/** The solver leaves out ZIP codes without a position. */
function isFull({ lon }: Market, draft: Draft): boolean {
  const assigned = territoriesByZip(draft);
  return lon.every((degrees, zip) => Number.isNaN(degrees) || assigned.has(zip));
}

/** Returns the problem that keeps the solver from starting, as a sentence; null if there is none. */
export function problemOf(form: SolveForm, draft: Draft, market: Market): string | null {
  const { task, sizeBy, count: parts, keep, seeds } = form;
  const own = draft.territories.filter(({ zips }) => zips.size > 0);
  if (
    task === 'divide' &&
    sizeBy === 'limits' &&
    !(form.maximum >= form.minimum && form.minimum > 0)
  )
    return 'The maximum must be at least the minimum, and both greater than 0.';
  if ((task === 'divide' && sizeBy === 'count') || task === 'split')
    if (!Number.isInteger(parts) || parts < (task === 'split' ? 2 : 1))
      return `Choose a whole number of territories, at least ${task === 'split' ? 2 : 1}.`;
  if (task === 'divide' && sizeBy === 'count' && seeds.length > parts)
    return `${seeds.length} homes are selected for ${parts} territories. Select fewer ZIP codes.`;
  const most = task === 'split' || (task === 'divide' && sizeBy === 'count') ? parts : Infinity;
  if (form.apart.length > most)
    return `The selected ZIP codes need ${form.apart.length} territories to be apart. Select fewer.`;
  const isLimited = seeds.length > 0 && form.reach > 0;
  if (task === 'divide' && isLimited && sizeBy === 'count' && seeds.length !== parts)
    return 'To limit the distance, select one home for each territory.';
  if (task !== 'divide' && own.length === 0)
    return 'There are no territories yet. Divide the market first.';
  if (task === 'rebalance' && own.filter(({ number }) => !keep.includes(number)).length < 2)
    return 'At least two territories must be free to change.';
  if ((task === 'grow' || task === 'fill') && isFull(market, draft))
    return 'Every ZIP code already belongs to a territory. Remove some first.';
  if (task === 'grow' && !(form.target > 0)) return 'Enter the amount to grow to.';
  const size = task === 'grow' ? sizeOf(market, draft, form) : 0;
  if (size >= form.target)
    return `The territory already has ${count(size)}. Enter a larger amount.`;
  return null;
}
