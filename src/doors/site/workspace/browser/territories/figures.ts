/** Figures of territories: totals, balance, compactness, and pieces, live while people edit. Pure. */
import type { Draft, DraftTerritory } from './draft.ts';
import type { Market, MarketData } from '../market.ts';
import { dataOf } from '../measures.ts';
import { areEqual, difference, intersection } from '../selection/sets.ts';

/** Sums of the known values; NaN if none is known */
export interface Figures {
  zips: number;
  households: number;
  ownerHouseholds: number;
  population: number;
  areaKm2: number;
  /** Mean of the known scores, and households weighted by score: 1,000 with 80 count as 800 */
  averageScore: number;
  opportunity: number;
  /** The organization's own data sets by name: sums, in which an unknown amount counts as 0, or means */
  data: ReadonlyMap<string, number>;
  /** Number of connected areas, not counting ZIP codes without a boundary; 1 if contiguous */
  pieces: number;
  /** The same, where pieces that are connected over water or gaps count as one */
  separatePieces: number;
  /** Polsby-Popper, 4πA / P²: the mean of the pieces, weighted by area; NaN without a boundary */
  compactness: number;
}

/** A measure that territories can share evenly: a built-in one, or the name of an own data set */
export type Balance = string;

/** A `Map`, because data sets can have any name, such as `constructor`. */
const BUILT_IN = new Map<Balance, { label: string; figure: (figures: Figures) => number }>([
  ['households', { label: 'Households', figure: ({ households }) => households }],
  [
    'ownerOccupiedHouseholds',
    { label: 'Owner households', figure: ({ ownerHouseholds }) => ownerHouseholds },
  ],
  ['population', { label: 'Population', figure: ({ population }) => population }],
  [
    'opportunity',
    { label: 'Opportunity (households × score)', figure: ({ opportunity }) => opportunity },
  ],
]);

export const isBuiltIn = (balance: Balance): boolean => BUILT_IN.has(balance);

export const labelOfBalance = (balance: Balance): string => BUILT_IN.get(balance)?.label ?? balance;

/** Returns all measures that the territories of a market can share evenly. */
export const balancesIn = ({ dataSets }: Pick<Market, 'dataSets'>): Balance[] => [
  ...BUILT_IN.keys(),
  ...[...dataSets.values()]
    .filter(({ name, addsUp }) => addsUp === 'sum' && !isBuiltIn(name))
    .map(({ name }) => name),
];

/**
 * Returns the measure if the market has its figures, and a substitute otherwise.
 * @param balance a data set may also be given by its short name
 */
export function balanceIn(
  market: Pick<Market, 'dataSets'>,
  balance: Balance,
  otherwise: Balance = 'households',
): Balance {
  const named = isBuiltIn(balance) ? balance : (market.dataSets.get(balance)?.name ?? balance);
  return balancesIn(market).includes(named) ? named : otherwise;
}

export const balancedFigure = (figures: Figures, balance: Balance): number =>
  BUILT_IN.get(balance)?.figure(figures) ?? figures.data.get(balance) ?? NaN;

/**
 * Measures sets of ZIP codes. Figures are cached by set, and edits keep the sets that they don't change.
 * @param scores name of the column with the scores
 */
export function figuresIn(market: Market, scores: string): (zips: ReadonlySet<number>) => Figures {
  const known = new WeakMap<ReadonlySet<number>, Figures>();
  return (zips) => {
    const found = known.get(zips);
    if (found) return found;
    const figures = measure(market, scores, zips);
    known.set(zips, figures);
    return figures;
  };
}

function measure(market: Market, scores: string, zips: ReadonlySet<number>): Figures {
  const column = (name: string) => market.columns.get(name);
  const score = column(scores);
  const households = column('households');
  const opportunity =
    score && households && sumOf(zips, (zip) => (households[zip]! * score[zip]!) / 100);
  return {
    zips: zips.size,
    households: total(households, zips),
    ownerHouseholds: total(column('ownerOccupiedHouseholds'), zips),
    population: total(column('population'), zips),
    areaKm2: total(market.areaKm2, zips),
    averageScore: mean(score, zips),
    opportunity: opportunity ?? NaN,
    data: new Map(
      [...market.dataSets.values()].map((set) => [set.name, dataTotal(market, set, zips)]),
    ),
    ...formOf(market, zips),
  };
}

function dataTotal({ columns }: Market, { slug, rows }: MarketData, zips: ReadonlySet<number>) {
  const amounts = columns.get(dataOf(slug))!;
  if (rows === null) return sumOf(zips, (zip) => amounts[zip]! || 0);
  const sum = sumOf(zips, (zip) => amounts[zip]! * rows[zip]!);
  return sum / sumOf(zips, (zip) => rows[zip]!);
}

const total = (column: Float64Array | undefined, zips: ReadonlySet<number>): number =>
  column ? sumOf(zips, (zip) => column[zip]!) : NaN;

/** Sums values. Unknown values count as 0, unless all are unknown. The sum of no ZIP codes is 0. */
function sumOf(zips: ReadonlySet<number>, value: (zip: number) => number): number {
  let sum = 0;
  let known = 0;
  for (const zip of zips) {
    const one = value(zip);
    if (Number.isNaN(one)) continue;
    sum += one;
    known++;
  }
  return known > 0 || zips.size === 0 ? sum : NaN;
}

function mean(column: Float64Array | undefined, zips: ReadonlySet<number>): number {
  if (!column) return NaN;
  let known = 0;
  for (const zip of zips) if (!Number.isNaN(column[zip]!)) known++;
  return known === 0 ? NaN : total(column, zips) / known;
}

function formOf(
  market: Market,
  zips: ReadonlySet<number>,
): Pick<Figures, 'pieces' | 'separatePieces' | 'compactness'> {
  const pieces = piecesOf(market, zips);
  let area = 0;
  let weighted = 0;
  for (const piece of pieces) {
    const areaKm2 = piece.reduce((sum, zip) => sum + market.areaKm2[zip]!, 0);
    const perimeterKm = perimeterOf(market, zips, piece);
    if (!(perimeterKm > 0)) continue;
    area += areaKm2;
    weighted += areaKm2 * Math.min(1, (4 * Math.PI * areaKm2) / perimeterKm ** 2);
  }
  return {
    pieces: pieces.length,
    separatePieces: countSeparate(pieces, zips, market.bridges),
    compactness: area > 0 ? weighted / area : NaN,
  };
}

/** Borders within the territory aren't part of its outline. */
function perimeterOf(
  { perimeterKm, borders }: Market,
  zips: ReadonlySet<number>,
  piece: readonly number[],
): number {
  let length = 0;
  for (const zip of piece) {
    length += perimeterKm[zip]!;
    for (let at = borders.starts[zip]!; at < borders.starts[zip + 1]!; at++)
      if (zips.has(borders.neighbors[at]!)) length -= borders.km[at]!;
  }
  return length;
}

/** Returns connected areas, largest first. ZIP codes without a boundary belong to none. */
export function piecesOf(
  { areaKm2, borders }: Pick<Market, 'areaKm2' | 'borders'>,
  zips: ReadonlySet<number>,
): number[][] {
  const pieces: number[][] = [];
  const seen = new Set<number>();
  for (const start of zips) {
    if (seen.has(start) || areaKm2[start] === 0) continue;
    seen.add(start);
    const piece = [start];
    for (let next = 0; next < piece.length; next++) {
      const zip = piece[next]!;
      for (let at = borders.starts[zip]!; at < borders.starts[zip + 1]!; at++) {
        const neighbor = borders.neighbors[at]!;
        if (!zips.has(neighbor) || seen.has(neighbor)) continue;
        seen.add(neighbor);
        piece.push(neighbor);
      }
    }
    pieces.push(piece);
  }
  return pieces.sort((a, b) => b.length - a.length);
}

/**
 * Returns the number of pieces that remain if pairs of ZIP codes are connected.
 * @param pieces those of `zips`. A ZIP code without a boundary is in none, but may connect two
 */
export function countSeparate(
  pieces: readonly (readonly number[])[],
  zips: ReadonlySet<number>,
  bridges: Market['bridges'],
): number {
  if (pieces.length < 2) return pieces.length;
  const partOf = new Map(Array.from(zips, (zip) => [zip, new Set([zip])]));
  for (const piece of pieces) {
    const part = new Set(piece);
    for (const zip of piece) partOf.set(zip, part);
  }
  for (const [a, b] of bridges) {
    const [part, other] = [partOf.get(a), partOf.get(b)];
    if (!part || !other || part === other) continue;
    for (const zip of other) {
      part.add(zip);
      partOf.set(zip, part);
    }
  }
  return new Set(pieces.map(([first]) => partOf.get(first!))).size;
}

/** Deviation of each total from their mean, in percent; NaN if a total is unknown */
export function deviations(totals: readonly number[]): number[] {
  const mean = totals.reduce((sum, one) => sum + one, 0) / Math.max(1, totals.length);
  return totals.map((one) => (mean === 0 ? 0 : (100 * (one - mean)) / mean));
}

export interface MeasuredFigures extends Figures {
  /** Deviation from the mean of the territories that aren't empty; NaN for an empty or single territory */
  deviationPct: number;
}

/** The effect of an edit on one territory */
export interface TerritoryEffect {
  number: number;
  name: string;
  added: ReadonlySet<number>;
  removed: ReadonlySet<number>;
  /** Null for a new territory */
  before: MeasuredFigures | null;
  /** Null for a removed territory */
  after: MeasuredFigures | null;
  /** ZIP codes that the edit cuts off from the largest piece */
  cutOff: ReadonlySet<number>;
}

/** Returns the effect on each territory whose ZIP codes differ, in the order of their numbers. */
export function effectOf(
  market: Market,
  figures: (zips: ReadonlySet<number>) => Figures,
  balance: Balance,
  before: Draft,
  after: Draft,
): TerritoryEffect[] {
  const old = figuresByNumber(figures, balance, before);
  const now = figuresByNumber(figures, balance, after);
  const numbers = [...new Set([...old.keys(), ...now.keys()])].sort((a, b) => a - b);
  return numbers.flatMap((number) => {
    const [was, is] = [old.get(number), now.get(number)];
    const [from, to] = [was?.zips ?? NO_ZIPS, is?.zips ?? NO_ZIPS];
    if (was && is && areEqual(from, to)) return [];
    return {
      number,
      name: (is ?? was)!.name,
      added: difference(to, from),
      removed: difference(from, to),
      before: was?.figures ?? null,
      after: is?.figures ?? null,
      cutOff: cutOffBy(market, from, to),
    };
  });
}

const NO_ZIPS: ReadonlySet<number> = new Set();

function figuresByNumber(
  figures: (zips: ReadonlySet<number>) => Figures,
  balance: Balance,
  { territories }: Draft,
) {
  const held = territories.filter(({ zips }) => zips.size > 0);
  const totals = held.map(({ zips }) => balancedFigure(figures(zips), balance));
  const deviation = deviations(totals);
  return new Map(
    territories.map((territory: DraftTerritory) => {
      const { number, name, zips } = territory;
      // A single territory is the mean. Empty ones, such as brands in other markets, don't count.
      const deviationPct = held.length < 2 ? NaN : (deviation[held.indexOf(territory)] ?? NaN);
      return [number, { name, zips, figures: { ...figures(zips), deviationPct } }];
    }),
  );
}

/** Returns the ZIP codes of each piece that are no longer connected to the largest remaining part of it. */
function cutOffBy(
  market: Market,
  before: ReadonlySet<number>,
  after: ReadonlySet<number>,
): Set<number> {
  const partOf = new Map<number, number>();
  for (const [i, part] of piecesOf(market, after).entries())
    for (const zip of part) partOf.set(zip, i);
  const cutOff = new Set<number>();
  for (const piece of piecesOf(market, before)) {
    const rest = piece.filter((zip) => after.has(zip));
    // Parts are sorted, so the largest has the lowest index.
    const largest = rest.reduce((least, zip) => Math.min(least, partOf.get(zip)!), Infinity);
    for (const zip of rest) if (partOf.get(zip) !== largest) cutOff.add(zip);
  }
  return cutOff;
}

/** Returns the number of the market's ZIP codes in no territory, and those in several. */
export function coverage(
  market: Market,
  { territories }: Draft,
): { free: number; shared: Set<number> } {
  const seen = new Set<number>();
  const shared = new Set<number>();
  for (const { zips } of territories) {
    for (const zip of intersection(zips, seen)) shared.add(zip);
    for (const zip of zips) seen.add(zip);
  }
  return { free: market.zips.length - seen.size, shared };
}
