/** The shape of a brand's territory: its pieces, holes, gaps, and compactness. */
import type { Tenant } from '../../../people/account/tenant.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { readAdjacency, readMappedFilter } from './adjacency.ts';
import type { Brand } from '../brands.ts';
import { countPieces, findOpenings, findPieces, type Openings } from './contiguity.ts';
import { heldZipStatuses } from '../brand-zips.ts';
import { nationalBorders } from './national-borders.ts';
import { outlineOf, type Outline } from './outline.ts';

/** Shape of the ZIP codes with a boundary. Lists of ZIP codes are sorted; pieces and holes have the largest first. */
export interface Shape extends Pick<Outline, 'polsbyPopper' | 'hullRatio'>, Openings {
  /** Number of connected pieces of the held ZIP codes; 1 if the territory is contiguous */
  pieces: number;
  /** Number of connected pieces of the live ZIP codes */
  livePieces: number;
  /** ZIP codes of each piece except the largest */
  islands: string[][];
}

/**
 * Returns the shape of a territory, or null if the brand holds no ZIP code with a boundary.
 * @param db the process's database, which caches national borders
 */
export async function shapeOf(
  db: Queryable,
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
): Promise<Shape | null> {
  const statuses = await heldZipStatuses(tenant, brand);
  const held = new Set(statuses.keys());
  const live = new Set([...held].filter((zip) => statuses.get(zip) === 'live'));
  return shapeOfZips(db, held, live);
}

/** @param live the held ZIP codes that are live */
export async function shapeOfZips(
  db: Queryable,
  held: ReadonlySet<string>,
  live: ReadonlySet<string>,
): Promise<Shape | null> {
  const outline = await outlineOf(await nationalBorders(db), held);
  if (!outline) return null;
  const { enclosed, polsbyPopper, hullRatio } = outline;
  const adjacency = await readAdjacency(db, [...held, ...enclosed], { around: true });
  const onMap = await readMappedFilter(db, held, adjacency);
  const [, ...islands] = findPieces(onMap(held), adjacency);
  return {
    pieces: islands.length + 1,
    livePieces: countPieces(onMap(live), adjacency),
    islands,
    ...findOpenings(held, enclosed, adjacency),
    polsbyPopper,
    hullRatio,
  };
}
