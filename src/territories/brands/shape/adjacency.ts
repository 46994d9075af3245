/**
 * Adjacent ZIP codes. Two ZIP codes are neighbors if they share a border line, not just a point. If four ZIP codes
 * meet at a crossroads, the diagonal ones aren't neighbors.
 *
 * ZIP codes are numbers here, which index arrays. With rows and maps, reading and walking the borders of
 * the country would take ten times as long.
 */
import type { Queryable } from '../../../base/db/database.ts';
import { letOthersRun } from '../../../base/workers/let-others-run.ts';
import { zipsWithBoundary } from '../../../data/market/zips.ts';
import { zipArray } from '../../../base/db/zip-array.ts';

/** Borders of ZIP codes. The borders of ZIP code `n` are at `first[n]` up to `first[n + 1]`. */
export interface Adjacency {
  readonly first: Int32Array;
  readonly neighbors: Int32Array;
  /** Lengths in centimeters */
  readonly bordersCm: Int32Array;
}

/** Number of five-digit numbers */
const CODES = 100_000;

interface Borders {
  zips: Int32Array;
  neighbors: Int32Array;
  lengthsCm: Int32Array;
}

/**
 * Reads borders from text. Each border is the ZIP code, its neighbor, and the length in centimeters, joined as in
 * `7520175202123456`. Spaces separate the borders.
 */
export function parseBorders(text: string): Borders {
  const most = Math.ceil(text.length / '7520175202 '.length);
  const zips = new Int32Array(most);
  const neighbors = new Int32Array(most);
  const lengthsCm = new Int32Array(most);
  let count = 0;
  for (let at = 0; at < text.length; at++, count++) {
    zips[count] = fiveDigits(text, at);
    neighbors[count] = fiveDigits(text, at + 5);
    let length = 0;
    for (at += 10; at < text.length && text.charCodeAt(at) !== SPACE; at++) {
      length = 10 * length + text.charCodeAt(at) - ZERO;
    }
    lengthsCm[count] = length;
  }
  const read = (numbers: Int32Array) => numbers.subarray(0, count);
  return { zips: read(zips), neighbors: read(neighbors), lengthsCm: read(lengthsCm) };
}

/** @param parts borders, together with every pair in both directions, as in `zip_neighbors` */
export function adjacencyOf(parts: readonly Borders[]): Adjacency {
  const first = new Int32Array(CODES + 1);
  for (const { zips } of parts) for (const zip of zips) first[zip + 1]!++;
  for (let zip = 0; zip < CODES; zip++) first[zip + 1]! += first[zip]!;
  // Puts the borders in the order of their ZIP codes.
  const next = first.slice();
  const count = first[CODES]!;
  const [neighbors, bordersCm] = [new Int32Array(count), new Int32Array(count)];
  for (const part of parts) {
    for (let border = 0; border < part.zips.length; border++) {
      const to = next[part.zips[border]!]!++;
      neighbors[to] = part.neighbors[border]!;
      bordersCm[to] = part.lengthsCm[border]!;
    }
  }
  return { first, neighbors, bordersCm };
}

const SPACE = 0x20;
const ZERO = 0x30;

function fiveDigits(text: string, from: number): number {
  let number = 0;
  for (let at = from; at < from + 5; at++) number = 10 * number + text.charCodeAt(at) - ZERO;
  return number;
}

/**
 * Reads all borders of the given ZIP codes, including those with other ZIP codes.
 * @param options.around also reads all borders of their neighbors
 */
export async function readAdjacency(
  db: Queryable,
  zips: Iterable<string>,
  { around = false } = {},
): Promise<Adjacency> {
  const wanted = around
    ? 'in (select unnest($1::text[]) union select neighbor from zip_neighbors where zip = any($1))'
    : '= any($1)';
  const rows = await db.query<{ borders: string }>(
    `select string_agg(zip || neighbor || (100 * shared_border_m)::int, ' ') as borders
     from zip_neighbors where zip ${wanted} group by left(zip, 1)`,
    [zipArray(zips)],
  );
  const parts: Borders[] = [];
  for (const { borders } of rows) {
    // Parsing a tenth of the country takes a few milliseconds. Other requests run in between.
    await letOthersRun();
    parts.push(parseBorders(borders));
  }
  await letOthersRun();
  return adjacencyOf(parts);
}

/**
 * Returns a function that drops ZIP codes without a boundary from a set, because their connections are unknown.
 * Queries only ZIP codes without neighbors, such as islands.
 */
export async function readMappedFilter(
  db: Queryable,
  zips: Iterable<string>,
  { first }: Adjacency,
): Promise<(zips: ReadonlySet<string>) => ReadonlySet<string>> {
  const alone = [...zips].filter((zip) => first[Number(zip)] === first[Number(zip) + 1]);
  if (alone.length === 0) return (all) => all;
  const mapped = await zipsWithBoundary(db, alone);
  const unmapped = new Set(alone.filter((zip) => !mapped.has(zip)));
  return (all) => new Set([...all].filter((zip) => !unmapped.has(zip)));
}

/** Returns the neighbors of a ZIP code. An island has none. */
export function neighborsOf({ first, neighbors }: Adjacency, zip: string): string[] {
  const number = Number(zip);
  return Array.from(neighbors.subarray(first[number], first[number + 1]), formatZip);
}

/** Returns the ZIP codes outside a set that border a member of it, sorted. */
export function neighborsOfSet(adjacency: Adjacency, zips: ReadonlySet<string>): string[] {
  const { first, neighbors } = adjacency;
  const inside = flagZips(zips);
  const around = new Uint8Array(CODES);
  for (const zip of zips) {
    for (let at = first[Number(zip)]!; at < first[Number(zip) + 1]!; at++) {
      const neighbor = neighbors[at]!;
      if (!inside[neighbor]) around[neighbor] = 1;
    }
  }
  return flaggedZips(around);
}

/** Returns an array with 1 at the number of each ZIP code. */
export function flagZips(zips: Iterable<string>): Uint8Array {
  const flags = new Uint8Array(CODES);
  for (const zip of zips) flags[Number(zip)] = 1;
  return flags;
}

/** Reverses `flagZips`. @returns sorted ZIP codes */
export function flaggedZips(flags: Uint8Array): string[] {
  const zips: string[] = [];
  for (let zip = flags.indexOf(1); zip >= 0; zip = flags.indexOf(1, zip + 1)) {
    zips.push(formatZip(zip));
  }
  return zips;
}

export const formatZip = (number: number): string => String(number).padStart(5, '0');
