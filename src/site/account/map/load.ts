import { NATIONAL_ZIP_ZOOMS } from '../../../cartography/national-zip-tiles.ts';
import { readDatasets } from '../../../db/datasets.ts';
import { styleData } from '../../../http/basemap/tilesets.ts';
import { boundariesStamp } from '../../../market/zips.ts';
import { extentOfZips } from '../../../territory/map-zips.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import type { MapBase } from './view.ts';

/** @param zips ZIP codes that determine the initial view */
export async function loadMapBase(visit: MemberVisit, zips: Iterable<string>): Promise<MapBase> {
  const [extent, sources] = await Promise.all([
    extentOfZips(visit.caller.tenant.common, zips),
    loadMapSources(visit),
  ]);
  return { ...extent, ...sources };
}

/** Loads the data that a map needs before any ZIP codes. */
export async function loadMapSources({
  db,
  caches,
}: Pick<MemberVisit, 'db' | 'caches'>): Promise<Omit<MapBase, 'bbox' | 'withoutBoundary'>> {
  const [facts, tiles, style] = await Promise.all([
    readDatasets(db),
    boundariesStamp(db).then((stamp) => caches.versionOf(stamp)),
    styleData(db)
      .stamp()
      .then((stamp) => caches.versionOf(stamp)),
  ]);
  const vintage = facts.get('boundaries')?.vintage ?? '';
  return { vintage, zooms: NATIONAL_ZIP_ZOOMS, versions: { tiles, style } };
}
