import type { Tenant } from '../../../account/tenant.ts';
import { readDatasets } from '../../../db/datasets.ts';
import { NATIONAL_ZIP_ZOOMS } from '../../../cartography/national-zip-tiles.ts';
import { bboxOfZips } from '../../../territory/map-zips.ts';
import type { MapBase } from './view.ts';

/** @param zips ZIP codes that the map shows first */
export async function loadMapBase(tenant: Tenant, zips: Iterable<string>): Promise<MapBase> {
  const [bbox, facts] = await Promise.all([bboxOfZips(tenant, zips), readDatasets(tenant.common)]);
  return { bbox, vintage: facts.get('boundaries')?.vintage ?? '', zooms: NATIONAL_ZIP_ZOOMS };
}
