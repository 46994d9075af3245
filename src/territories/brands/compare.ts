/**
 * Compares a brand's territory with a vertical's scores, and recommends ZIP codes to keep, cut, and add, with reasons.
 * With a data set, ZIP codes that the organization serves well aren't cut, and those that it serves little are added
 * first.
 */
import type { BrandScope } from '../../people/account/caller.ts';
import { badRequest } from '../../errors.ts';
import type { Queryable } from '../../base/db/database.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { recordSeenZips } from '../../people/metering/figures.ts';
import { driversOf } from '../../data/scoring/drivers.ts';
import { nationalSignals, type NationalSignals } from '../../data/scoring/national-signals.ts';
import { type Vertical, verticalBySlug } from '../../data/scoring/verticals.ts';
import {
  neighborsOfSet,
  readAdjacency,
  readMappedFilter,
  type Adjacency,
} from './shape/adjacency.ts';
import { censusChanges } from '../../data/vintages/changes.ts';
import { figureChangeText } from '../../data/vintages/words.ts';
import type { Brand } from './brands.ts';
import { changesOrReason, isIncomparable } from './census/changes.ts';
import { countPieces, cutOffBy, GAP_BORDER_SHARE, heldBorderShare } from './shape/contiguity.ts';
import { heldZipStatuses } from './brand-zips.ts';
import { holdersOf } from './holders.ts';
import { readPenetration, type Penetration } from './penetration.ts';
import type { DataViewer } from './targeting/own-ranks.ts';
import { zipArray } from '../../base/db/zip-array.ts';
import {
  addSums,
  JOIN_FACTS,
  SUMS,
  subtractSums,
  sumsOf,
  totalsOf,
  ZIP_FACTS,
  type Sums,
  type Totals,
  type ZipFacts,
} from './zip-facts.ts';

interface CompareOptions {
  /** Slug */
  vertical: string;
  /** Held ZIP codes that score below this are recommended for cutting */
  keepFrom: number;
  /** Bordering ZIP codes that score at least this are recommended for adding */
  addFrom: number;
  /** Maximum length of each list */
  limit: number;
  /** Data set (slug, name, or id) whose rates decide, too */
  compareWith?: string | undefined;
}

/**
 * A score of 50 is the national median: held ZIP codes should reach at least that. Additions should
 * be in high demand, the top class of every map.
 */
export const KEEP_FROM = 50;
export const ADD_FROM = 80;

export interface Advice {
  zip: string;
  city: string | null;
  state: string | null;
  score: number | null;
  households: number | null;
  /** One sentence */
  reason: string;
}

interface Cut extends Advice {
  /** Held ZIP codes that the cut would disconnect from the territory */
  splitsOff: string[];
}

interface Addition extends Advice {
  /** Other brands within the scope that hold it */
  heldBy: Brand[];
}

/** Totals of a current or proposed territory */
export interface Outcome extends Totals {
  pieces: number;
}

interface Comparison {
  /** Highest score first; ZIP codes without a score last */
  keep: Advice[];
  /** Lowest score first */
  cut: Cut[];
  /** Little served first if a data set is compared, then highest score first */
  add: Addition[];
  /** Numbers of ZIP codes before `limit` shortens the lists */
  counts: { keep: number; cut: number; add: number };
  now: Outcome;
  /** Totals after the listed cuts */
  afterCut: Outcome;
  /** Totals after the listed cuts and additions */
  afterBoth: Outcome;
}

/**
 * Compares a territory with scores.
 * @param db the process's database, which caches national signals
 * @throws ServiceError 400 if additions could be cut again; 404 for an unknown vertical; 503 before
 *   demographics are imported; 402 as `recordSeenZips`; 400 as `readPenetration`
 */
export async function compareToScores(
  db: Queryable,
  viewer: DataViewer,
  scope: BrandScope,
  brand: Pick<Brand, 'id'>,
  options: CompareOptions,
): Promise<Comparison> {
  const { tenant } = viewer;
  const vertical = verticalBySlug(options.vertical);
  const { keepFrom, addFrom } = options;
  if (addFrom < keepFrom) {
    throw badRequest(
      `addFrom (${addFrom}) must be at least keepFrom (${keepFrom}): additions below it would be cut again.`,
    );
  }
  const held = new Set((await heldZipStatuses(tenant, brand)).keys());
  const adjacency = await readAdjacency(tenant.common, held, { around: true });
  await letOthersRun();
  const onMap = await readMappedFilter(tenant.common, held, adjacency);
  const around = neighborsOfSet(adjacency, held);
  const compared =
    options.compareWith === undefined ? null : await readPenetration(viewer, options.compareWith);
  const penetrations = await compared?.of([...held, ...around]);
  const preferred = preferredBy(penetrations, held);
  const { keep, cut, add } = await rankForAdvice(tenant.common, held, around, preferred, options);
  const signals = await nationalSignals(db);
  const why = (zip: string, side: 'lifts' | 'lowers') =>
    explainByDrivers(vertical, signals, zip, side);

  const census = await clearChanges(tenant.common, [...keep.listed, ...cut.listed, ...add.listed]);
  const own = (zip: string) => {
    const words = penetrations?.get(zip)?.words;
    return (words ? ` ${words}.` : '') + (census.get(zip) ?? '');
  };

  const additions = add.listed.map(({ zip }) => zip);
  // The totals include all ZIP codes that the brand holds.
  await recordSeenZips(viewer, [...held, ...additions], {
    among: [...around, ...(compared?.zips ?? [])],
  });
  const holders = await holdersOf(tenant, scope, additions);

  const now = addSums(keep.sums, cut.sums);
  const afterCut = subtractSums(now, sumsOf(cut.listed));
  const afterBoth = addSums(afterCut, sumsOf(add.listed));
  const remaining = new Set(held);
  for (const { zip } of cut.listed) remaining.delete(zip);
  // Counting the pieces of the whole country takes a few milliseconds. Other requests run in between.
  const pieces = async (zips: ReadonlySet<string>) => {
    await letOthersRun();
    return countPieces(onMap(zips), adjacency);
  };
  return {
    keep: keep.listed.map((zip) => ({
      ...adviceOn(zip),
      reason: keepReason(zip, options, why) + own(zip.zip),
    })),
    cut: cut.listed.map((zip) => {
      const splitsOff = cutOffBy(zip.zip, held, adjacency)?.zips ?? [];
      return {
        ...adviceOn(zip),
        reason: cutReason(zip, splitsOff, options, why) + own(zip.zip),
        splitsOff,
      };
    }),
    add: add.listed.map((zip) => {
      const heldBy = holders.get(zip.zip) ?? [];
      const reason = addReason(zip, heldBy, held, adjacency, why) + own(zip.zip);
      return { ...adviceOn(zip), reason, heldBy };
    }),
    counts: { keep: keep.sums.zips, cut: cut.sums.zips, add: add.sums.zips },
    now: { ...totalsOf(now), pieces: await pieces(held) },
    afterCut: { ...totalsOf(afterCut), pieces: await pieces(remaining) },
    afterBoth: {
      ...totalsOf(afterBoth),
      pieces: await pieces(new Set([...remaining, ...additions])),
    },
  };
}

/** Returns a sentence for each ZIP code whose households clearly changed; none without an earlier period. */
async function clearChanges(
  db: Queryable,
  listed: readonly Pick<ZipFacts, 'zip'>[],
): Promise<Map<string, string>> {
  const zips = listed.map(({ zip }) => zip);
  const changes = await changesOrReason(() =>
    censusChanges(db, zips, { figures: ['householdsTotal'] }),
  );
  if (isIncomparable(changes)) return new Map();
  const { since } = changes.comparison;
  return new Map(
    changes.zips.flatMap(({ zip, changes: [change] }) =>
      change!.isClear
        ? [[zip, ` Since ${since - 4}-${since}, ${figureChangeText(change!)}.`] as const]
        : [],
    ),
  );
}

interface RankedZips {
  /** The first `limit` ZIP codes */
  listed: ZipFacts[];
  /** Sums over all ZIP codes, listed or not */
  sums: Sums;
}

/** Returns held ZIP codes that are served, and others that aren't. */
const preferredBy = (
  penetrations: ReadonlyMap<string, Penetration> = new Map(),
  held: ReadonlySet<string>,
): string[] =>
  [...penetrations].flatMap(([zip, { isServed }]) => (isServed === held.has(zip) ? [zip] : []));

/**
 * Ranks ZIP codes by score. In `keep` and `add`, the best come first and ZIP codes without a score last. In `cut`,
 * the worst come first.
 * @param preferred held ZIP codes to keep whatever their score, and others to add first
 */
async function rankForAdvice(
  db: Queryable,
  held: Iterable<string>,
  around: readonly string[],
  preferred: readonly string[],
  { vertical, keepFrom, addFrom, limit }: CompareOptions,
): Promise<Record<'keep' | 'cut' | 'add', RankedZips>> {
  const rows = await db.query<Sums & { advice: 'keep' | 'cut' | 'add'; listed: ZipFacts[] }>(
    `with facts as (
       select ${ZIP_FACTS}, held, wanted.zip in (select unnest($7::text[])) as preferred
       from (select unnest($1::text[]) as zip, true as held
             union all select unnest($3::text[]), false) wanted ${JOIN_FACTS}
     ), advised as (
       select facts.*,
         case when held then case when score < $4 and not preferred then 'cut' else 'keep' end
           else 'add' end as advice
       from facts where held or score >= $5
     ), ranked as (
       select advised.*, row_number() over (
         partition by advice
         order by advice = 'add' and not preferred,
           case advice when 'cut' then score else -coalesce(score, -1) end, zip) as place
       from advised
     )
     select advice, ${SUMS}, json_agg(ranked order by place) filter (where place <= $6) as listed
     from ranked group by advice`,
    [zipArray(held), vertical, zipArray(around), keepFrom, addFrom, limit, preferred],
  );
  const zipsTo = (advice: string): RankedZips => {
    const row = rows.find((one) => one.advice === advice);
    return row ? { listed: row.listed, sums: row } : { listed: [], sums: sumsOf([]) };
  };
  return { keep: zipsTo('keep'), cut: zipsTo('cut'), add: zipsTo('add') };
}

const adviceOn = ({ zip, city, state, score, households }: ZipFacts) => ({
  zip,
  city,
  state,
  score,
  households,
});

/** Returns a text such as `: Lower median age … than in 80% of ZIP codes`, or an empty string. */
type Why = (zip: string, side: 'lifts' | 'lowers') => string;

function explainByDrivers(
  { inputs }: Vertical,
  { rowOf, ranks }: NationalSignals,
  zip: string,
  side: 'lifts' | 'lowers',
): string {
  const row = rowOf.get(zip);
  const drivers = row === undefined ? [] : driversOf(inputs, ranks, row, 2)[side];
  return drivers.length === 0 ? '' : `: ${drivers.join('; ')}`;
}

function keepReason({ zip, score }: ZipFacts, { keepFrom }: CompareOptions, why: Why): string {
  if (score === null) return 'No score: not enough data to recommend a cut.';
  return score < keepFrom
    ? `Scores ${score}, below ${keepFrom}, but is served well.`
    : `Scores ${score}, at least ${keepFrom}${why(zip, 'lifts')}.`;
}

function cutReason(
  { zip, score }: ZipFacts,
  splitsOff: readonly string[],
  { keepFrom }: CompareOptions,
  why: Why,
): string {
  const verdict = `Scores ${score}, below ${keepFrom}${why(zip, 'lowers')}.`;
  if (splitsOff.length === 0) return verdict;
  const zips = splitsOff.length === 1 ? splitsOff[0] : `${splitsOff.length} ZIP codes`;
  return `${verdict} It is a bridge: without it, ${zips} would be cut off from the rest.`;
}

function addReason(
  { zip, score }: ZipFacts,
  heldBy: readonly Brand[],
  held: ReadonlySet<string>,
  adjacency: Adjacency,
  why: Why,
): string {
  const share = heldBorderShare(zip, held, adjacency);
  const where =
    share >= GAP_BORDER_SHARE
      ? `fills a gap (${Math.round(100 * share)}% of its border is with the territory)`
      : 'borders the territory';
  const overlap =
    heldBy.length === 0
      ? ''
      : ` It would overlap: ${heldBy.map(({ name }) => name).join(', ')} ${heldBy.length === 1 ? 'holds' : 'hold'} it.`;
  return `Scores ${score} and ${where}${why(zip, 'lifts')}.${overlap}`;
}
