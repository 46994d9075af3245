/** The borders of all ZIP codes, as a graph. The process caches them until new boundaries are imported. */
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import { readBorderGraph } from '../../../data/ingest/border-graph.ts';
import { letOthersRun } from '../../../base/workers/let-others-run.ts';
import { UNCOVERED, type BorderGraph } from '../../../base/spatial/border-graph.ts';

export interface NationalBorders extends Omit<BorderGraph, 'left' | 'right' | 'lengthsM'> {
  /** Largest area of each ZIP code, by number; 0 without a boundary */
  areaOfZip: Int32Array;
  /** The neighbors of area `i` are at `first[i]` up to `first[i + 1]`. */
  first: Int32Array;
  neighbors: Int32Array;
  bordersM: Float64Array;
}

interface CacheEntry {
  stamp: number;
  borders: Promise<NationalBorders>;
}

const cache = new WeakMap<Queryable, CacheEntry>();

/** Returns the national borders. @param db the process's database, which caches them */
export async function nationalBorders(db: Queryable): Promise<NationalBorders> {
  const stamp = (await readDatasets(db)).get('boundaries')?.importedAt.getTime();
  if (stamp === undefined) return readBorders(db);
  const cached = cache.get(db);
  if (cached?.stamp === stamp) return cached.borders;
  const entry: CacheEntry = { stamp, borders: readBorders(db) };
  cache.set(db, entry);
  // Don't cache failures: the next call tries again.
  entry.borders.catch(() => cache.get(db) === entry && cache.delete(db));
  return entry.borders;
}

async function readBorders(db: Queryable): Promise<NationalBorders> {
  const { left, right, lengthsM, ...graph } = await readBorderGraph(db);
  await letOthersRun();
  const { zips, areasM2 } = graph;
  const areaOfZip = new Int32Array(100_000);
  for (const [area, zip] of zips.entries()) {
    if (zip !== UNCOVERED && areasM2[area]! >= areasM2[areaOfZip[zip]!]!) areaOfZip[zip] = area;
  }
  const first = new Int32Array(zips.length + 1);
  for (const ends of [left, right]) for (const area of ends) first[area + 1]!++;
  for (let area = 0; area < zips.length; area++) first[area + 1]! += first[area]!;
  const next = first.slice();
  const neighbors = new Int32Array(2 * left.length);
  const bordersM = new Float64Array(2 * left.length);
  const add = (area: number, neighbor: number, lengthM: number) => {
    const to = next[area]!++;
    neighbors[to] = neighbor;
    bordersM[to] = lengthM;
  };
  for (let pair = 0; pair < left.length; pair++) {
    add(left[pair]!, right[pair]!, lengthsM[pair]!);
    add(right[pair]!, left[pair]!, lengthsM[pair]!);
  }
  return { ...graph, areaOfZip, first, neighbors, bordersM };
}
