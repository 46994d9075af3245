/** Vector tiles of all ZIP codes, for the maps of the account area. */
import {
  nationalZipTile,
  NATIONAL_ZIP_ZOOMS,
} from '../../../../maps/cartography/tiles/national-zip-tiles.ts';
import { importedData, type DataAt } from '../../../../base/db/imported-data.ts';
import { badRequest } from '../../../../errors.ts';
import { TILE_TYPE, tileParams } from '../../../http/basemap/tiles.ts';
import type { MemberData } from '../../framework/data.ts';
import type { SiteParts } from '../../framework/visit.ts';

export const ZIP_TILES_PATH = '/account/zips/{z}/{x}/{y}.mvt';

/** Boundaries change only with an import. Shared caches must not keep them. */
const FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };

const ADDRESS = tileParams(NATIONAL_ZIP_ZOOMS);

export function zipTiles({ db, caches }: SiteParts): MemberData {
  const data = importedData(db, ['boundaries']);
  const tile = caches.answers({ name: 'national tiles', type: TILE_TYPE, data }, FOR_A_DAY);
  return {
    audience: 'member',
    path: ZIP_TILES_PATH,
    limit: 'tiles',
    type: TILE_TYPE,
    prepared: true,
    async answer({ params, query }) {
      const address = ADDRESS.safeParse(params);
      if (!address.success) {
        throw badRequest(`There is no tile ${Object.values(params).join('/')}.`);
      }
      const { z, x, y } = address.data;
      const make = (db: DataAt) => nationalZipTile(db, { z, x, y });
      return tile(`${z}/${x}/${y}`, make, query.get('v') ?? undefined);
    },
  };
}
