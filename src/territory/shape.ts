/** The shape of a brand's territory: does it hang together, is it compact, what does it leave out. */
import type { Tenant } from '../account/tenant.ts';
import type { Queryable } from '../db/database.ts';
import { neighborsOfSet, readAdjacency } from './adjacency.ts';
import type { Brand } from './brands.ts';
import { gaps, pieces } from './contiguity.ts';
import { heldZipStatuses } from './brand-zips.ts';
import { outlineOf, type Outline } from './outline.ts';

/** Lists of ZIPs are in order, lists of pieces and holes begin with the largest. */
export interface Shape extends Pick<Outline, 'polsbyPopper' | 'hullRatio'> {
  /** Connected pieces of all that is held; 1 is a contiguous territory */
  pieces: number;
  /** Of what is live alone: 0 where nothing is yet */
  livePieces: number;
  /** The pieces beyond the largest, each with its ZIPs */
  islands: string[][];
  /** Connected groups of ZIPs that the territory surrounds and does not hold */
  holes: string[][];
  /** ZIPs not held and in no hole, most of whose border is with the territory: `contiguity.ts` */
  gaps: string[];
}

/** @returns null where the brand holds no ZIP that has a boundary */
export async function shapeOf(tenant: Tenant, brand: Pick<Brand, 'id'>): Promise<Shape | null> {
  const statuses = await heldZipStatuses(tenant, brand);
  const held = new Set(statuses.keys());
  const live = new Set([...held].filter((zip) => statuses.get(zip) === 'live'));
  return shapeOfZips(tenant.common, held, live);
}

/** @param live those of the held ZIPs that are */
export async function shapeOfZips(
  db: Queryable,
  held: ReadonlySet<string>,
  live: ReadonlySet<string>,
): Promise<Shape | null> {
  const outline = await outlineOf(db, held);
  if (!outline) return null;
  const { enclosed, polsbyPopper, hullRatio } = outline;
  const inside = await readAdjacency(db, held);
  const outside = await readAdjacency(db, [...enclosed, ...neighborsOfSet(inside, held)]);
  const adjacency = new Map([...inside, ...outside]);
  const inHole = new Set(enclosed);
  const [, ...islands] = pieces(held, adjacency);
  return {
    pieces: islands.length + 1,
    livePieces: pieces(live, adjacency).length,
    islands,
    holes: pieces(inHole, adjacency),
    gaps: gaps(held, adjacency).filter((zip) => !inHole.has(zip)),
    polsbyPopper,
    hullRatio,
  };
}
