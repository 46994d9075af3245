/** Vector tiles of all ZIP codes, for the maps of the account area. */
import { badRequest } from '../../../errors.ts';
import { preparedCache } from '../../../http/answers/prepared-cache.ts';
import { TILE_TYPE, tileParams } from '../../../http/basemap/tiles.ts';
import { NATIONAL_ZIP_ZOOMS, nationalZipTile } from '../../../cartography/national-zip-tiles.ts';
import { boundariesStamp } from '../../../market/zips.ts';
import type { MemberData } from '../../framework/data.ts';
import type { SiteParts } from '../../framework/visit.ts';

const CACHE_BYTES = 32 * 1024 * 1024;
/** For this long after an import, responses may still show the old data. */
const STAMP_MS = 5_000;
/** Boundaries change only with an import. Shared caches must not keep them. */
const FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };

const ADDRESS = tileParams(NATIONAL_ZIP_ZOOMS);

export function zipTiles({ db }: SiteParts): MemberData {
  const cached = preparedCache({
    maxBytes: CACHE_BYTES,
    type: TILE_TYPE,
    data: { stamp: () => boundariesStamp(db), stampMs: STAMP_MS },
  });
  return {
    audience: 'member',
    path: '/account/zips/{z}/{x}/{y}.mvt',
    limit: 'tiles',
    type: TILE_TYPE,
    prepared: true,
    async answer({ params }) {
      const address = ADDRESS.safeParse(params);
      if (!address.success) {
        throw badRequest(`There is no tile ${Object.values(params).join('/')}.`);
      }
      const { z, x, y } = address.data;
      const body = await cached(`${z}/${x}/${y}`, () => nationalZipTile(db, { z, x, y }));
      return { body, headers: FOR_A_DAY };
    },
  };
}
