/** On what a map shows ZIPs. */
import type { Tenant } from '../../../account/tenant.ts';
import { readDatasets } from '../../../db/datasets.ts';
import { NATIONAL_ZIP_ZOOMS } from '../../../cartography/national-zip-tiles.ts';
import type { MapGround } from './view.ts';
import { bboxOfZips } from '../../../territory/map-zips.ts';

/** @param zips that are to be in sight first */
export async function mapGround(tenant: Tenant, zips: Iterable<string>): Promise<MapGround> {
  const [bbox, facts] = await Promise.all([bboxOfZips(tenant, zips), readDatasets(tenant.common)]);
  return { bbox, vintage: facts.get('boundaries')?.vintage ?? '', zooms: NATIONAL_ZIP_ZOOMS };
}
