/** Loads the data for a design from the database. */
import type { Queryable } from '../../base/db/database.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { UNCOVERED } from '../../base/spatial/border-graph.ts';
import { amountOf, MEASURE_LABELS, type BalanceMeasure } from '../brands/measures.ts';
import { nationalBorders } from '../brands/shape/national-borders.ts';
import { zipFacts } from '../brands/zip-facts.ts';
import type { DesignInput, Measure } from './input.ts';

type MapData = Pick<
  DesignInput,
  'zips' | 'lng' | 'lat' | 'pairs' | 'areasM2' | 'perimetersM' | 'counties'
>;

interface LoadedMap extends MapData {
  /** ZIP codes that can't be divided because their position is unknown */
  withoutPosition: string[];
}

/** Loads positions, borders, and counties of ZIP codes. */
export async function loadMap(db: Queryable, wanted: readonly string[]): Promise<LoadedMap> {
  const rows = await db.query<{ zip: string; county: string | null; lng: number; lat: number }>(
    `select zip, county_fips as county, st_x(centroid) as lng, st_y(centroid) as lat
     from zips where zip = any($1) and centroid is not null order by zip`,
    [wanted],
  );
  const zips = rows.map(({ zip }) => zip);
  const indexOf = new Map(zips.map((zip, i) => [zip, i]));
  await letOthersRun();
  const borders = await db.query<{ zip: string; neighbor: string; m: number }>(
    'select zip, neighbor, shared_border_m as m from zip_neighbors where zip = any($1) order by 1, 2',
    [zips],
  );
  await letOthersRun();
  const perimetersM = new Float64Array(zips.length);
  const pairs = borders.flatMap(({ zip, neighbor, m }) => {
    const [a, b] = [indexOf.get(zip)!, indexOf.get(neighbor)];
    perimetersM[a]! += m;
    return b === undefined || b < a ? [] : [{ a, b, m }];
  });
  const areasM2 = await addUncoveredBorders(db, zips, perimetersM);
  return {
    zips,
    lng: Float64Array.from(rows, ({ lng }) => lng),
    lat: Float64Array.from(rows, ({ lat }) => lat),
    counties: rows.map(({ county }) => county),
    pairs: {
      a: Int32Array.from(pairs, ({ a }) => a),
      b: Int32Array.from(pairs, ({ b }) => b),
      bordersM: Float64Array.from(pairs, ({ m }) => m),
    },
    areasM2,
    perimetersM,
    withoutPosition: wanted.filter((zip) => !indexOf.has(zip)),
  };
}

/** Adds coasts, and other borders without a ZIP code on the far side, to the perimeters. @returns the areas */
async function addUncoveredBorders(
  db: Queryable,
  zips: readonly string[],
  perimetersM: Float64Array,
): Promise<Float64Array> {
  const graph = await nationalBorders(db);
  const indexOf = new Int32Array(100_000).fill(-1);
  for (const [i, zip] of zips.entries()) indexOf[Number(zip)] = i;
  const areasM2 = new Float64Array(zips.length);
  for (const [area, zip] of graph.zips.entries()) {
    const i = zip === UNCOVERED ? -1 : indexOf[zip]!;
    if (i < 0) continue;
    areasM2[i]! += graph.areasM2[area]!;
    for (let at = graph.first[area]!; at < graph.first[area + 1]!; at++)
      if (graph.zips[graph.neighbors[at]!] === UNCOVERED) perimetersM[i]! += graph.bordersM[at]!;
  }
  return areasM2;
}

/**
 * Loads a measure of ZIP codes. Those without data count as 0.
 * @param vertical its scores weight the households of `opportunity`
 */
export async function loadMeasure(
  db: Queryable,
  zips: readonly string[],
  name: BalanceMeasure,
  vertical: string | null = null,
): Promise<Measure> {
  const facts = await zipFacts(db, zips, vertical);
  const amounts = new Map(facts.map((fact) => [fact.zip, amountOf(fact, name)]));
  return {
    name: MEASURE_LABELS[name].toLowerCase(),
    values: Float64Array.from(zips, (zip) => amounts.get(zip) ?? 0),
    weight: 1,
  };
}

/** Returns a data set as a measure. ZIP codes without an amount, or with more refunds than sales, count as 0. */
export const uploadedMeasure = (
  { name, amounts }: { name: string; amounts: ReadonlyMap<string, number> },
  zips: readonly string[],
): Measure => ({
  name,
  values: Float64Array.from(zips, (zip) => Math.max(0, amounts.get(zip) ?? 0)),
  weight: 1,
});
