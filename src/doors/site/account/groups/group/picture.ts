/** A picture of the ZIP codes that several brands of a group hold, among all that they hold. */
import { createHash } from 'node:crypto';
import { BASEMAP_LAYERS } from '../../../../../data/basemap/features.ts';
import type { CategoryColoring } from '../../../../../maps/cartography/categories.ts';
import { notFound } from '../../../../../errors.ts';
import { COUNTRY } from '../../../../../base/spatial/bbox.ts';
import { groupTerritories } from '../../../../../territories/brands/groups/existing-overlaps.ts';
import { findGroup } from '../../../../../territories/brands/groups/groups.ts';
import type { MemberData } from '../../../framework/data.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import { GROUP_PATH } from '../view.ts';

const PNG = 'image/png';

/** Narrow screens get a picture of their own, because the labels of the wide one would be too small. */
export const GROUP_PICTURES = {
  wide: { width: 960, height: 480, pixelRatio: 2 },
  narrow: { width: 400, height: 400, pixelRatio: 2 },
} as const;
export const GROUP_PICTURE_PATH = `${GROUP_PATH}/overlaps/{size}/{style}.png`;

/** Browsers revalidate, because territories change. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' };

const CATEGORIES: CategoryColoring['categories'] = [
  { label: 'Held by several brands', color: 5, pattern: 'hatch' },
  { label: 'Held by one brand', color: 'removed', pattern: null },
];

export function groupPicture({ db, renderer, caches }: SiteParts): MemberData {
  const data = renderer.data(db, ['boundaries', ...BASEMAP_LAYERS]);
  const answer = caches.answers({ name: 'group pictures', type: PNG, data }, REVALIDATE);
  return {
    audience: 'member',
    path: GROUP_PICTURE_PATH,
    limit: 'tiles',
    type: PNG,
    prepared: true,
    allBrands: true,
    async answer({ caller, params }) {
      const style = (['light', 'dark'] as const).find((one) => one === params.style);
      const size = (['wide', 'narrow'] as const).find((one) => one === params.size);
      if (!style || !size) throw notFound('There is no such picture of the group.');
      const group = await findGroup(caller.tenant, 'all', params.group!);
      const territories = await groupTerritories(caller.tenant, group);
      const hash = createHash('sha256').update(JSON.stringify(territories)).digest('base64url');
      return answer(`${caller.organization.id} ${size} ${style} ${hash}`, async (database) => {
        const coloring = coloringOf(territories);
        const { picture } = await renderer.drawMap(database, {
          ...GROUP_PICTURES[size],
          style,
          labels: true,
          legend: true,
          zipLabels: 'none',
          zips: [...coloring.categoryOf.keys()].sort(),
          coloring,
          heading: { title: '', subtitle: null },
          title: '',
          fallbackBbox: COUNTRY,
        });
        return picture;
      });
    },
  };
}

function coloringOf(territories: Awaited<ReturnType<typeof groupTerritories>>): CategoryColoring {
  const categoryOf = new Map<string, number>();
  for (const { zips } of territories) {
    for (const zip of zips) categoryOf.set(zip, categoryOf.has(zip) ? 0 : 1);
  }
  const outlines = territories.map(({ brand, zips }) => ({ zips, name: brand.name }));
  return { by: 'category', title: 'Overlaps', categories: CATEGORIES, categoryOf, outlines };
}
