/** The coloring of a brand's private maps. Shared maps show only statuses. */
import type { Tenant } from '../account/tenant.ts';
import type { ZipColoring } from '../cartography/zip-coloring.ts';
import type { Brand } from './brands.ts';
import { mapZips } from './map-zips.ts';

export type StatusColoring = Extract<ZipColoring, { by: 'status' }>;

/** Colors the ZIP codes that a brand holds by status, with the flags that edges show. */
export async function statusColoring(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
): Promise<StatusColoring> {
  const held = await mapZips(tenant, brand);
  const zips = (flagged: typeof held) => new Set(flagged.map(({ zip }) => zip));
  return {
    by: 'status',
    statuses: new Map(held.map(({ zip, status }) => [zip, status])),
    shared: zips(held.filter(({ sharedWith }) => sharedWith.length > 0)),
    isolated: zips(held.filter(({ isolated }) => isolated)),
  };
}
