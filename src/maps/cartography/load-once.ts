/**
 * What the last maps worked out from the imported data: rows, decoded shapes, and the layout of views. The next map of
 * the same place and data starts with it. Each thread keeps its own.
 */
import { cacheOf } from '../../base/cache/cache.ts';
import type { Queryable } from '../../base/db/queryable.ts';
import type { DataAt } from '../../base/db/imported-data.ts';

const values = cacheOf<{ value: object; bytes: number }>(({ bytes }) => bytes);

/**
 * Returns a value that depends only on the key and the version of the imported data. Values of reads without a known
 * version aren't kept. Callers must not change the value.
 *
 * @param bytesOf estimates the memory that the value takes
 */
export async function loadOnce<T extends object>(
  db: Queryable & Partial<Pick<DataAt, 'stamp'>>,
  key: readonly unknown[],
  read: () => Promise<T>,
  bytesOf: (value: T) => number,
): Promise<T> {
  if (db.stamp === undefined) return read();
  const name = JSON.stringify([db.stamp, ...key]);
  const { value } = await values.find(name, async () => {
    const value = await read();
    return { value, bytes: bytesOf(value) };
  });
  return value as T;
}
