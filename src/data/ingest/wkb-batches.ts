/** Converts a level's geometries to WKB in batches, each for one statement. */
import type { ShapeLevel } from './shape-levels.ts';
import { toWkb } from './topology.ts';

/** Larger statements aren't faster; smaller ones take more round trips. */
const BATCH_BYTES = 1_000_000;

/**
 * Geometries in one buffer, because PostgreSQL takes 4 times as long to parse an array of them. `starts`
 * count from 1, as in SQL: `substr(wkb, start, length)`.
 */
interface WkbBatch<Key> {
  keys: Key[];
  starts: number[];
  lengths: number[];
  wkb: Buffer;
}

/**
 * @param keys the table's key by feature index. Features without a key, or too small for this level, are
 *   skipped
 */
export function* wkbBatches<Key>(
  level: ShapeLevel,
  keys: ReadonlyMap<number, Key>,
): Generator<WkbBatch<Key>> {
  let rows: { key: Key; wkb: Buffer }[] = [];
  let bytes = 0;
  for (const [index, key] of keys) {
    const geometry = level.geometries[index];
    const wkb = geometry && toWkb(geometry, level.arcs);
    if (!wkb) continue;
    rows.push({ key, wkb });
    bytes += wkb.length;
    if (bytes < BATCH_BYTES) continue;
    yield batchOf(rows);
    rows = [];
    bytes = 0;
  }
  if (rows.length > 0) yield batchOf(rows);
}

function batchOf<Key>(rows: readonly { key: Key; wkb: Buffer }[]): WkbBatch<Key> {
  let next = 1;
  return {
    keys: rows.map(({ key }) => key),
    starts: rows.map(({ wkb }) => (next += wkb.length) - wkb.length),
    lengths: rows.map(({ wkb }) => wkb.length),
    wkb: Buffer.concat(rows.map(({ wkb }) => wkb)),
  };
}
