/** A picture of what changed between two days: taken, given up, and moved ZIP codes among those that are held. */
import { createHash } from 'node:crypto';
import { BASEMAP_LAYERS } from '../../../../data/basemap/features.ts';
import { boundariesAsOf } from '../../../../base/db/boundaries-as-of.ts';
import type { DataAt } from '../../../../base/db/imported-data.ts';
import { COUNTRY } from '../../../../base/spatial/bbox.ts';
import { notFound } from '../../../../errors.ts';
import type { Category, CategoryColoring } from '../../../../maps/cartography/categories.ts';
import { statusesOfBrands } from '../../../../territories/brands/brand-zips.ts';
import {
  CHANGE_WORDS,
  type Change,
  type Comparison,
} from '../../../../territories/record/comparison.ts';
import type { MemberData } from '../../framework/data.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { compared } from './compared.ts';
import { OVER_TIME_PATH } from './view.ts';

const PNG = 'image/png';

/** Narrow screens get a picture of their own, because the labels of the wide one would be too small. */
export const OVER_TIME_PICTURES = {
  wide: { width: 960, height: 480, pixelRatio: 2 },
  narrow: { width: 400, height: 400, pixelRatio: 2 },
} as const;
const PICTURE_PATH = `${OVER_TIME_PATH}/{size}/{style}.png`;

const DATASETS = ['boundaries', ...BASEMAP_LAYERS] as const;

/** Browsers revalidate, because territories change. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' };

/** In the order of the legend */
const CATEGORIES = {
  taken: { label: CHANGE_WORDS.taken, color: 'live', pattern: null },
  moved: { label: CHANGE_WORDS.moved, color: 'pending', pattern: 'hatch' },
  given_up: { label: CHANGE_WORDS.given_up, color: 5, pattern: 'grid' },
  kept: { label: 'Unchanged', color: 'removed', pattern: null },
} as const satisfies Record<Change | 'kept', Category>;
const ORDER = Object.keys(CATEGORIES) as (keyof typeof CATEGORIES)[];

export function overTimePicture({ db, renderer, caches }: SiteParts): MemberData {
  const data = renderer.data(db, DATASETS);
  const answer = caches.answers({ name: 'pictures of changes', type: PNG, data }, REVALIDATE);
  return {
    audience: 'member',
    path: PICTURE_PATH,
    limit: 'tiles',
    type: PNG,
    prepared: true,
    async answer({ caller, params, query }) {
      const style = (['light', 'dark'] as const).find((one) => one === params.style);
      const size = (['wide', 'narrow'] as const).find((one) => one === params.size);
      if (!style || !size) throw notFound('There is no such picture of changes.');
      const { comparison, brand } = await compared(caller, query);
      const { to } = comparison;
      const then = to ? caller.tenant.asOf(to) : caller.tenant;
      const held = await statusesOfBrands(then, brand ? new Set([brand.id]) : caller.brandScope);
      const coloring = coloringOf(comparison, held.keys());
      const drawn = [...coloring.categoryOf].sort(([a], [b]) => (a < b ? -1 : 1));
      const hash = createHash('sha256').update(JSON.stringify(drawn)).digest('base64url');
      const draw = async (data: DataAt) => {
        const { picture } = await renderer.drawMap(data, {
          ...OVER_TIME_PICTURES[size],
          style,
          labels: true,
          legend: true,
          zipLabels: 'none',
          zips: drawn.map(([zip]) => zip),
          coloring,
          heading: { title: '', subtitle: null },
          title: '',
          fallbackBbox: COUNTRY,
        });
        return picture;
      };
      const past = to && renderer.data(boundariesAsOf(db, to), DATASETS);
      const key = `${caller.organization.id} ${size} ${style} ${hash} ${to?.toISOString() ?? ''}`;
      return answer(key, (data) => (past ? past.read(draw) : draw(data)));
    },
  };
}

function coloringOf({ zips }: Comparison, held: Iterable<string>): CategoryColoring {
  const categoryOf = new Map([...held].map((zip) => [zip, ORDER.indexOf('kept')]));
  for (const { zip, change } of zips) categoryOf.set(zip, ORDER.indexOf(change));
  return {
    by: 'category',
    title: 'Changes',
    categories: ORDER.map((name) => CATEGORIES[name]),
    categoryOf,
    outlines: [],
  };
}
