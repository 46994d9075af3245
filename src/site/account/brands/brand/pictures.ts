/** Pictures of brands' territories: small ones for the list of brands, large ones for their pages. */
import { createHash } from 'node:crypto';
import { BASEMAP_LAYERS } from '../../../../basemap/features.ts';
import { notFound } from '../../../../errors.ts';
import { COUNTRY } from '../../../../spatial/bbox.ts';
import { heldZipStatuses } from '../../../../territory/brand-zips.ts';
import type { MemberData } from '../../../framework/data.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import { loadBrand } from './load-brand.ts';

const CACHE_BYTES = 8 * 1024 * 1024;
const PNG = 'image/png';

/** Names, which are part of the address. */
export const PICTURES = {
  thumbnail: { width: 480, height: 300, pixelRatio: 1, labels: false, legend: false },
  picture: { width: 960, height: 480, pixelRatio: 2, labels: true, legend: true },
} as const;

type PictureName = keyof typeof PICTURES;

export const pictureUnder = (name: PictureName, style: 'light' | 'dark') => `/${name}/${style}.png`;

/** Browsers revalidate, because a brand of another organization can have the same address. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' };

export const brandPictures = (parts: SiteParts): MemberData[] => [
  brandPicture('thumbnail', parts),
  brandPicture('picture', parts),
];

function brandPicture(kind: PictureName, { db, renderer, caches }: SiteParts): MemberData {
  const data = renderer.data(db, ['boundaries', ...BASEMAP_LAYERS]);
  const answer = caches.answers(
    { name: `brand ${kind}s`, maxBytes: CACHE_BYTES, type: PNG, data },
    REVALIDATE,
  );
  return {
    audience: 'member',
    path: `/account/brands/{brand}/${kind}/{style}.png`,
    limit: 'tiles',
    type: PNG,
    prepared: true,
    async answer(visit) {
      const { style: name } = visit.params;
      const style = (['light', 'dark'] as const).find((one) => one === name);
      if (!style) throw notFound(`There is no style "${name}". Use light or dark.`);
      const { tenant, organization } = visit.caller;
      const statuses = await heldZipStatuses(tenant, await loadBrand(visit));
      return answer(`${organization.id} ${style} ${hashOf(statuses)}`, async (db) => {
        const { picture } = await renderer.drawMap(db, {
          ...PICTURES[kind],
          style,
          zips: [...statuses.keys()],
          coloring: { by: 'status', statuses },
          heading: { title: '', subtitle: null },
          title: '',
          fallbackBbox: COUNTRY,
        });
        return picture;
      });
    },
  };
}

/** Brands of an organization with the same ZIP codes and statuses share a picture. */
const hashOf = (statuses: ReadonlyMap<string, string>) =>
  createHash('sha256')
    .update(JSON.stringify([...statuses]))
    .digest('base64url');
