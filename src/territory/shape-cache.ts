/**
 * Shapes of territories, measured once: that of 5,000 ZIPs takes half a second, and whoever looks at
 * a brand turns the pages of its table.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Tenant } from '../account/tenant.ts';
import { readDatasets } from '../db/datasets.ts';
import type { Brand } from './brands.ts';
import { heldZipStatuses } from './brand-zips.ts';
import { shapeOfZips, type Shape } from './shape.ts';

/** Of large territories some kilobytes each */
const MOST_KEPT = 200;

/** As `shapeOf`, with a memory of its own. */
export function createShapeCache(): (
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
) => Promise<Shape | null> {
  const shapes = new LRUCache<string, Promise<Shape | null>>({ max: MOST_KEPT });
  return async (tenant, brand) => {
    const [statuses, facts] = await Promise.all([
      heldZipStatuses(tenant, brand),
      readDatasets(tenant.common),
    ]);
    // The same ZIPs in the same states have the same shape, whoever holds them.
    const imported = facts.get('boundaries')?.importedAt.getTime();
    const key = createHash('sha256')
      .update(JSON.stringify([imported, ...statuses]))
      .digest('base64url');
    const known = shapes.get(key);
    if (known) return known;
    const live = new Set([...statuses.keys()].filter((zip) => statuses.get(zip) === 'live'));
    const measured = shapeOfZips(tenant.common, new Set(statuses.keys()), live);
    shapes.set(key, measured);
    // Those who wait are told; the next one tries anew.
    measured.catch(() => shapes.delete(key));
    return measured;
  };
}
