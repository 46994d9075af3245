/**
 * What the last maps worked out from the imported data: rows, decoded shapes, and the layout of views. The next map of
 * the same place and data starts with it. Each thread keeps its own.
 */
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../db/queryable.ts';
import type { DataAt } from '../db/imported-data.ts';

/** Estimated bytes that a thread keeps: about ten views of metros */
const MAX_BYTES = 16 << 20;

const values = new LRUCache<string, object>({ maxSize: MAX_BYTES });

/**
 * Returns a value that depends only on the key and the version of the imported data. Values of reads without a known
 * version aren't kept. Callers must not change the value.
 *
 * @param bytesOf estimates the memory that the value takes
 */
export async function kept<T extends object>(
  db: Queryable & Partial<Pick<DataAt, 'stamp'>>,
  key: readonly unknown[],
  read: () => Promise<T>,
  bytesOf: (value: T) => number,
): Promise<T> {
  if (db.stamp === undefined) return read();
  const name = JSON.stringify([db.stamp, ...key]);
  const known = values.get(name) as T | undefined;
  if (known !== undefined) return known;
  const value = await read();
  // Keys with all ZIP codes of a state are long.
  values.set(name, value, { size: name.length + bytesOf(value) });
  return value;
}
