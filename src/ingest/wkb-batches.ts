/** Converts a level's geometries to WKB, in batches for one statement each. */
import type { ShapeLevel } from './shapes.ts';
import { toWkb } from './topology.ts';

/** Larger statements save nothing; smaller ones cost round trips. */
const BATCH_BYTES = 1_000_000;

export interface WkbRow<Key> {
  key: Key;
  wkb: Buffer;
}

/**
 * @param keys the table's key by feature index; features without an entry or without extent at this
 *   level are skipped
 */
export function* wkbBatches<Key>(
  level: ShapeLevel,
  keys: ReadonlyMap<number, Key>,
): Generator<WkbRow<Key>[]> {
  let batch: WkbRow<Key>[] = [];
  let bytes = 0;
  for (const [index, key] of keys) {
    const geometry = level.geometries[index];
    const wkb = geometry && toWkb(geometry, level.arcs);
    if (!wkb) continue;
    batch.push({ key, wkb });
    bytes += wkb.length;
    if (bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
