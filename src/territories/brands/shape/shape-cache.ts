/**
 * Caches the shapes of territories, because all pages of a brand's table show the same shape, and so does the overview
 * until a territory changes.
 */
import { createHash } from 'node:crypto';
import { cacheOf } from '../../../base/cache/cache.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import type { HeldStatuses } from '../brand-zips.ts';
import { shapeOfZips, type Shape } from './shape.ts';

/** Of a large territory */
const SHAPE_BYTES = 4_096;

const shapes = cacheOf<Shape | null>(() => SHAPE_BYTES);

/** Returns the shape of ZIP codes, or null if none has a boundary. @param db the process's database */
export async function cachedShape(db: Queryable, statuses: HeldStatuses): Promise<Shape | null> {
  // The shape depends only on ZIP codes and their statuses, so brands and organizations can share it.
  const imported = (await readDatasets(db)).get('boundaries')?.importedAt.getTime();
  const key = createHash('sha256')
    .update(JSON.stringify([imported, ...statuses]))
    .digest('base64url');
  return shapes.find(key, () => {
    const live = new Set([...statuses.keys()].filter((zip) => statuses.get(zip) === 'live'));
    return shapeOfZips(db, new Set(statuses.keys()), live);
  });
}
