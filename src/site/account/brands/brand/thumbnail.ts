/** Small pictures of brands' territories, for the list of brands. */
import { createHash } from 'node:crypto';
import { BASEMAP_LAYERS } from '../../../../basemap/features.ts';
import { importedData } from '../../../../db/imported-data.ts';
import { notFound } from '../../../../errors.ts';
import { drawZipMap } from '../../../../cartography/zip-map.ts';
import { COUNTRY } from '../../../../spatial/bbox.ts';
import { heldZipStatuses } from '../../../../territory/brand-zips.ts';
import type { MemberData } from '../../../framework/data.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import { loadBrand } from './load-brand.ts';

const CACHE_BYTES = 8 * 1024 * 1024;
const PNG = 'image/png';
const SIZE = { width: 480, height: 300, pixelRatio: 1 };
/** Browsers revalidate: a brand of another organization can have the same address. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' };

export function brandThumbnail({ db, renderer, caches }: SiteParts): MemberData {
  const data = importedData(db, ['boundaries', ...BASEMAP_LAYERS]);
  const thumbnail = caches.answers(
    { name: 'thumbnails', maxBytes: CACHE_BYTES, type: PNG, data },
    REVALIDATE,
  );
  return {
    audience: 'member',
    path: '/account/brands/{brand}/thumbnail/{style}.png',
    limit: 'tiles',
    type: PNG,
    prepared: true,
    async answer(visit) {
      const { style: name } = visit.params;
      const style = (['light', 'dark'] as const).find((one) => one === name);
      if (!style) throw notFound(`There is no style "${name}". Use light or dark.`);
      const { tenant, organization } = visit.caller;
      const statuses = await heldZipStatuses(tenant, await loadBrand(visit));
      return thumbnail(`${organization.id} ${style} ${hashOf(statuses)}`, async (db) => {
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
    },
  };
}

/** Brands of an organization with equal ZIP codes and statuses have the same picture. */
const hashOf = (statuses: ReadonlyMap<string, string>) =>
  createHash('sha256')
    .update(JSON.stringify([...statuses]))
    .digest('base64url');
