/** Small pictures of brands' territories. */
import { createHash } from 'node:crypto';
import { basemapStamp } from '../../../../basemap/sources.ts';
import { notFound } from '../../../../errors.ts';
import { boundariesStamp } from '../../../../market/zips.ts';
import { drawZipMap } from '../../../../cartography/zip-map.ts';
import { brandNamed } from '../../../../territory/brands.ts';
import { heldZipStatuses } from '../../../../territory/brand-zips.ts';
import { COUNTRY } from '../../../../spatial/bbox.ts';
import { preparedCache } from '../../../../http/answers/prepared-cache.ts';
import type { MemberData } from '../../../framework/data.ts';
import type { PeopleParts } from '../../../framework/visit.ts';

const CACHE_BYTES = 8 * 1024 * 1024;
const STAMP_MS = 5_000;
const PNG = 'image/png';
const SIZE = { width: 480, height: 300, pixelRatio: 1 };
/** Asked for anew each time: another organisation's brand may be called the same. */
const ASK_AGAIN = { 'Cache-Control': 'private, no-cache' };

export function brandPictures({ db, renderer }: PeopleParts): MemberData {
  const stamp = async () => `${await boundariesStamp(db)} ${await basemapStamp(db)}`;
  const data = { stamp, stampMs: STAMP_MS };
  const cached = preparedCache({ maxBytes: CACHE_BYTES, type: PNG, data });
  return {
    method: 'get',
    path: '/account/brands/{brand}/thumbnail/{style}.png',
    limit: 'tiles',
    type: PNG,
    prepared: true,
    answer: async ({ caller: { tenant, brandScope }, params }) => {
      const style = (['light', 'dark'] as const).find((one) => one === params.style);
      if (!style) throw notFound(`There is no picture in the style "${params.style}".`);
      const brand = await brandNamed(tenant, brandScope, params.brand!);
      const statuses = await heldZipStatuses(tenant, brand);
      const body = await cached(`${style} ${hashOf(statuses)}`, async () => {
        const { picture } = await drawZipMap(db, renderer, {
          ...SIZE,
          style,
          zips: [...statuses.keys()],
          coloring: { by: 'status', statuses },
          heading: { title: '', subtitle: null },
          title: '',
          labels: false,
          legend: false,
          fallbackBbox: COUNTRY,
        });
        return picture;
      });
      return { body, headers: ASK_AGAIN };
    },
  };
}

/** The same ZIPs in the same states are the same picture, whoever holds them. */
const hashOf = (statuses: ReadonlyMap<string, string>) =>
  createHash('sha256')
    .update(JSON.stringify([...statuses]))
    .digest('base64url');
