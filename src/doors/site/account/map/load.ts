import { NATIONAL_ZIP_ZOOMS } from '../../../../maps/cartography/tiles/national-zip-tiles.ts';
import { readDatasets } from '../../../../base/db/datasets.ts';
import { styleData } from '../../../http/basemap/tilesets.ts';
import { boundariesStamp } from '../../../../data/market/zips.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import type { MapBase } from './view.ts';

/** Loads the data that a map needs before any ZIP codes. */
export async function loadMapSources({
  db,
  renderer,
  caches,
}: Pick<MemberVisit, 'db' | 'renderer' | 'caches'>): Promise<
  Omit<MapBase, 'bbox' | 'withoutBoundary'>
> {
  const [facts, tiles, style] = await Promise.all([
    readDatasets(db),
    boundariesStamp(db).then((stamp) => caches.versionOf(stamp)),
    styleData(db, renderer)
      .stamp()
      .then((stamp) => caches.versionOf(stamp)),
  ]);
  const vintage = facts.get('boundaries')?.vintage ?? '';
  return { vintage, zooms: NATIONAL_ZIP_ZOOMS, versions: { tiles, style } };
}
