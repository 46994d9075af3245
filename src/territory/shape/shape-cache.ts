/**
 * Caches the shapes of territories. Measuring 32,989 ZIP codes takes 0.6 s, and all pages of a brand's table show the
 * same shape.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../account/tenant.ts';
import type { Database } from '../../db/database.ts';
import { readDatasets } from '../../db/datasets.ts';
import type { Brand } from '../brands.ts';
import { heldZipStatuses } from '../brand-zips.ts';
import { shapeOfZips, type Shape } from './shape.ts';

/** Number of cached shapes. A large territory takes a few kilobytes. */
const MAX_ENTRIES = 200;

/** Returns `shapeOf` with a cache. */
export function createShapeCache(
  db: Database,
): (tenant: Tenant, brand: Pick<Brand, 'id'>) => Promise<Shape | null> {
  const shapes = new LRUCache<string, Promise<Shape | null>>({ max: MAX_ENTRIES });
  return async (tenant, brand) => {
    const [statuses, facts] = await Promise.all([
      heldZipStatuses(tenant, brand),
      readDatasets(tenant.common),
    ]);
    // The shape depends only on ZIP codes and their statuses, so brands and organizations can share it.
    const imported = facts.get('boundaries')?.importedAt.getTime();
    const key = createHash('sha256')
      .update(JSON.stringify([imported, ...statuses]))
      .digest('base64url');
    const cached = shapes.get(key);
    if (cached) return cached;
    const live = new Set([...statuses.keys()].filter((zip) => statuses.get(zip) === 'live'));
    const measured = shapeOfZips(db, new Set(statuses.keys()), live);
    shapes.set(key, measured);
    // Don't cache failures: the next call tries again.
    measured.catch(() => shapes.delete(key));
    return measured;
  };
}
