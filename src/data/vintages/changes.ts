/** Changes of the figures of ZIP codes between two periods. */
import type { Queryable } from '../../base/db/database.ts';
import { CENSUS_FIGURES, type CensusFigure } from '../ingest/demographics.ts';
import { NO_LINES, type LineValues } from '../ingest/vintages/lines.ts';
import { readParts, type StoredPart } from '../ingest/vintages/relations.ts';
import { readVintage, readVintageAfter } from '../ingest/vintages/store.ts';
import { apportioned, isUnchanged, sourcesOf } from './areas.ts';
import { changeOf, TotalChange, type FigureChange, type Pair, type Span } from './change.ts';
import { crossesCensuses, findComparison, type Comparison } from './comparison.ts';

export interface ZipChanges {
  zip: string;
  /** Whether its area changed between the censuses of 2010 and 2020 */
  areaChanged: boolean;
  changes: FigureChange[];
}

export interface CensusChanges {
  comparison: Comparison;
  /** Changes of all ZIP codes together, in the order of the figures */
  total: FigureChange[];
  /** In order. ZIP codes that neither period has are missing. Empty if only the total was asked for */
  zips: ZipChanges[];
  /** ZIP codes whose area changed, sorted */
  areaChanged: string[];
}

/** So many at once would block the process for less than 50 ms. */
const SLICE_ZIPS = 500;

export interface ChangesOptions {
  /** As in `findComparison` */
  since?: number | undefined;
  figures?: readonly CensusFigure[];
  /** Whether to compare each ZIP code, too. Default: true */
  each?: boolean;
}

/**
 * Compares figures of ZIP codes, each and all together, some at a time.
 * @throws ServiceError as `findComparison`
 */
export async function censusChanges(
  db: Queryable,
  zips: readonly string[],
  { since, figures = CENSUS_FIGURES, each = true }: ChangesOptions = {},
): Promise<CensusChanges> {
  const comparison = await findComparison(db, since);
  const { spanOf } = comparison;
  const spanAt = (figure: CensusFigure) => spanOf.get(figure) ?? null;
  const rows: ZipChanges[] = [];
  const areaChanged: string[] = [];
  const totals = figures.map((figure) => new TotalChange(figure));
  const sorted = [...new Set(zips)].sort();
  for (let i = 0; i < sorted.length; i += SLICE_ZIPS) {
    const slice = sorted.slice(i, i + SLICE_ZIPS);
    const pairsOf = await readPairs(db, slice, comparison, figures);
    for (const zip of slice) {
      const ofZip = totals.map((total) => {
        const span = spanAt(total.figure);
        const pair = span && pairsOf.get(keyOf(span))?.get(zip);
        if (pair) total.add(pair);
        return { figure: total.figure, pair };
      });
      const isAreaChanged = ofZip.some(({ pair }) => pair?.areaChanged);
      if (isAreaChanged) areaChanged.push(zip);
      if (!each || ofZip.every(({ pair }) => !pair)) continue;
      rows.push({
        zip,
        areaChanged: isAreaChanged,
        changes: ofZip.map(({ figure, pair }) =>
          changeOf(figure, pair ? [pair] : [], spanAt(figure)),
        ),
      });
    }
  }
  const total = totals.map((one) => one.over(spanAt(one.figure)));
  return { comparison, total, zips: rows, areaChanged };
}

const keyOf = ({ fromYear, toYear }: Span) => `${fromYear} ${toYear}`;

/** Reads what both periods of each span say about ZIP codes, by span and ZIP code. */
async function readPairs(
  db: Queryable,
  zips: readonly string[],
  { spanOf, synthetic }: Comparison,
  figures: readonly CensusFigure[],
): Promise<Map<string, Map<string, Pair>>> {
  const spans = new Map(
    figures.flatMap((figure) => {
      const span = spanOf.get(figure);
      return span ? [[keyOf(span), span] as const] : [];
    }),
  );
  const pairs = new Map<string, Map<string, Pair>>();
  for (const [key, span] of spans) {
    const after = await readVintage(db, span.toYear, zips);
    const before = crossesCensuses(span, synthetic)
      ? await readAcrossCensuses(db, span, zips)
      : await readSameAreas(db, span, zips);
    pairs.set(
      key,
      new Map(
        after.map(({ zip, lines }) => [
          zip,
          { areaChanged: false, before: NO_LINES, ...before(zip), after: lines },
        ]),
      ),
    );
  }
  return pairs;
}

type Earlier = (zip: string) => Omit<Pair, 'after'> | undefined;

async function readSameAreas(
  db: Queryable,
  { fromYear }: Span,
  zips: readonly string[],
): Promise<Earlier> {
  const linesOf = await linesByZip(db, fromYear, zips);
  return (zip) => {
    const before = linesOf.get(zip);
    return before && { before, areaChanged: false };
  };
}

async function readAcrossCensuses(
  db: Queryable,
  { fromYear }: Span,
  zips: readonly string[] | undefined,
): Promise<Earlier> {
  const parts = await readParts(db, zips);
  const partsOf = new Map<string, StoredPart[]>();
  for (const part of parts) {
    const ofZip = partsOf.get(part.zip2020) ?? [];
    ofZip.push(part);
    partsOf.set(part.zip2020, ofZip);
  }
  const linesOf = await linesByZip(db, fromYear, zips && parts.map(({ zip2010 }) => zip2010));
  return (zip) => {
    const ofZip = partsOf.get(zip) ?? [];
    if (isUnchanged(zip, ofZip))
      return { before: linesOf.get(zip) ?? NO_LINES, areaChanged: false };
    const of2010 = (one: string) => linesOf.get(one);
    return {
      before: apportioned(ofZip, of2010),
      areaChanged: true,
      sources: sourcesOf(ofZip, of2010),
    };
  };
}

async function linesByZip(
  db: Queryable,
  year: number,
  zips: readonly string[] | undefined,
): Promise<Map<string, LineValues>> {
  return new Map((await readVintage(db, year, zips)).map(({ zip, lines }) => [zip, lines]));
}

/** Reading the whole country at once would block the process. */
const SLICE_ROWS = 3_000;

/**
 * Yields what an earlier period says about all ZIP codes of the current areas, some at a time, in order. Areas of 2010 are
 * those of 2020 only if a relationship file was imported or no period of 2020 is compared.
 */
export async function* earlierLines(
  db: Queryable,
  year: number,
): AsyncGenerator<{ zip: string; lines: LineValues }[]> {
  const { spanOf, synthetic } = await findComparison(db, year);
  const crossing = [...spanOf.values()].find((span) => span && crossesCensuses(span, synthetic));
  const before = crossing && (await readAcrossCensuses(db, crossing, undefined));
  let zips: string[] | undefined;
  if (crossing) zips = [...new Set((await readParts(db)).map(({ zip2020 }) => zip2020))].sort();
  for (let last = '', i = 0; ; i += SLICE_ROWS) {
    const rows = zips
      ? zips.slice(i, i + SLICE_ROWS).map((zip) => ({ zip, lines: before!(zip)!.before }))
      : await readVintageAfter(db, year, last, SLICE_ROWS);
    if (rows.length > 0) yield rows;
    if (rows.length < SLICE_ROWS) return;
    last = rows.at(-1)!.zip;
  }
}
