/** Draws the territories of a plan, or how they differ from another plan or from the live territories. */
import type { Category, CategoryColoring } from '../../maps/cartography/categories.ts';
import { territoryLook } from '../../maps/cartography/territory-look.ts';
import type { PictureOptions } from '../../maps/cartography/picture-options.ts';
import type { ZipMap } from '../../maps/cartography/zip-map.ts';
import type { Queryable } from '../../base/db/database.ts';
import type { MapRenderer } from '../../maps/cartography/map-renderer.ts';
import { formatCount, pluralize } from '../../base/text/words.ts';
import { movedZips, pairTerritories, type ComparedTerritory } from './compare.ts';
import type { PlanTerritory } from './plans.ts';

/** The part of a plan that a picture shows */
export interface DrawnPlan {
  name: string;
  market: string;
  zips: readonly string[];
  territories: readonly Pick<PlanTerritory, 'number' | 'name' | 'zips'>[];
}

/** Category of ZIP codes in no territory */
const UNASSIGNED: Category = { label: 'Unassigned', color: 'noData', pattern: null };

/** Draws each territory in its color and pattern, with its outline and name. */
export async function drawPlan(
  db: Queryable,
  renderer: MapRenderer,
  { name, market, zips, territories }: DrawnPlan,
  look: PictureOptions,
): Promise<ZipMap> {
  const coloring = planColoring({ zips, territories });
  const subtitle = `${market} in ${formatCount(territories.length)} ${territories.length === 1 ? 'territory' : 'territories'}`;
  const heading = { title: name, subtitle };
  return renderer.drawMap(db, { zipLabels: 'none', ...look, zips, coloring, heading });
}

/** Returns a coloring in which each territory is a category, by index. ZIP codes in none have the last category. */
export function planColoring({
  zips,
  territories,
}: Pick<DrawnPlan, 'zips' | 'territories'>): CategoryColoring {
  const categories = [
    ...territories.map((one) => ({ label: one.name, ...territoryLook(one.number) })),
    UNASSIGNED,
  ];
  const categoryOf = new Map(zips.map((zip) => [zip, territories.length]));
  for (const [i, territory] of territories.entries())
    for (const zip of territory.zips) categoryOf.set(zip, i);
  const outlines = territories.map((one) => ({ zips: one.zips, name: one.name }));
  return { by: 'category', title: 'Territories', categories, categoryOf, outlines };
}

/** Categories of change, in the order of the legend */
const CHANGES = {
  added: { label: 'Added to a territory', color: 'live', pattern: null },
  moved: { label: 'Moved to another territory', color: 'pending', pattern: 'hatch' },
  removed: { label: 'Removed from all territories', color: 5, pattern: 'grid' },
  kept: { label: 'Unchanged', color: 'removed', pattern: null },
  unassigned: UNASSIGNED,
} as const satisfies Record<string, Omit<Category, never>>;
type Change = keyof typeof CHANGES;
const ORDER = Object.keys(CHANGES) as Change[];

interface DrawnComparison {
  before: { name: string; territories: readonly ComparedTerritory[] };
  after: DrawnPlan & { territories: readonly (PlanTerritory & ComparedTerritory)[] };
}

/**
 * Draws the ZIP codes that change territories. Territories of `after` have solid outlines and names, and those of
 * `before` have broken outlines.
 */
export async function drawComparison(
  db: Queryable,
  renderer: MapRenderer,
  { before, after }: DrawnComparison,
  look: PictureOptions,
): Promise<ZipMap> {
  const moved = movedZips(pairTerritories(before.territories, after.territories));
  const changeOf = new Map<string, Change>(after.zips.map((zip) => [zip, 'unassigned']));
  for (const { zips } of [...before.territories, ...after.territories])
    for (const zip of zips) changeOf.set(zip, 'kept');
  for (const { zip, from, to } of moved) {
    changeOf.set(zip, from.length === 0 ? 'added' : to.length === 0 ? 'removed' : 'moved');
  }
  const zips = [...changeOf.keys()].sort();
  const coloring: CategoryColoring = {
    by: 'category',
    title: 'Difference',
    categories: ORDER.map((change) => CHANGES[change]),
    categoryOf: new Map(zips.map((zip) => [zip, ORDER.indexOf(changeOf.get(zip)!)])),
    outlines: [
      ...before.territories.map((one) => ({ zips: one.zips, name: null, isBroken: true })),
      ...after.territories.map((one) => ({ zips: one.zips, name: one.name })),
    ],
  };
  const than = before.name === 'live' ? 'what is live' : before.name;
  const changing = `${pluralize(moved.length, 'ZIP code')} ${moved.length === 1 ? 'changes' : 'change'}`;
  const heading = { title: after.name, subtitle: `${changing} compared with ${than}` };
  return renderer.drawMap(db, { zipLabels: 'none', ...look, zips, coloring, heading });
}
