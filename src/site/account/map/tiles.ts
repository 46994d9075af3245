/** The tiles of all ZIPs, for the maps of those who are signed in. */
import { badRequest } from '../../../errors.ts';
import { NATIONAL_ZIP_ZOOMS, nationalZipTile } from '../../../cartography/national-zip-tiles.ts';
import { boundariesStamp } from '../../../market/zips.ts';
import { preparedCache } from '../../../http/answers/prepared-cache.ts';
import { TILE_TYPE, tileParams } from '../../../http/basemap/tiles.ts';
import type { MemberData } from '../../framework/data.ts';
import type { PeopleParts } from '../../framework/visit.ts';

const CACHE_BYTES = 32 * 1024 * 1024;
/** For so long after an import, answers may still be the old ones. */
const STAMP_MS = 5_000;
/** Boundaries change with an import alone; nobody but the reader keeps them. */
const FOR_A_DAY = { 'Cache-Control': 'private, max-age=86400' };

const ADDRESS = tileParams(NATIONAL_ZIP_ZOOMS);

export function groundTiles({ db }: PeopleParts): MemberData {
  const data = { stamp: () => boundariesStamp(db), stampMs: STAMP_MS };
  const cached = preparedCache({ maxBytes: CACHE_BYTES, type: TILE_TYPE, data });
  return {
    method: 'get',
    path: '/account/zips/{z}/{x}/{y}.mvt',
    limit: 'tiles',
    type: TILE_TYPE,
    prepared: true,
    answer: async ({ params }) => {
      const address = ADDRESS.safeParse(params);
      if (!address.success)
        throw badRequest(`There is no tile ${Object.values(params).join('/')}.`);
      const { z, x, y } = address.data;
      const body = await cached(`${z}/${x}/${y}`, () => nationalZipTile(db, { z, x, y }));
      return { body, headers: FOR_A_DAY };
    },
  };
}
