/**
 * Which ZIPs border on which. Only a common border line counts; two ZIPs that touch in a point do
 * not. So four ZIPs that meet at a crossroads are neighbours along the streets, not across them.
 */
import type { Queryable } from '../db/database.ts';

/** ZIP -> its neighbours -> length of the common border in metres. A ZIP without any is missing. */
export type Adjacency = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface Border {
  zip: string;
  neighbor: string;
  sharedBorderM: number;
}

/** @param borders of every pair both directions, as `zip_neighbors` has them */
export function adjacencyOf(borders: readonly Border[]): Adjacency {
  const adjacency = new Map<string, Map<string, number>>();
  for (const { zip, neighbor, sharedBorderM } of borders) {
    let neighbors = adjacency.get(zip);
    if (!neighbors) adjacency.set(zip, (neighbors = new Map()));
    neighbors.set(neighbor, sharedBorderM);
  }
  return adjacency;
}

/** All borders of the given ZIPs, also those on other ZIPs. */
export async function readAdjacency(db: Queryable, zips: Iterable<string>): Promise<Adjacency> {
  // By the primary key.
  const borders = await db.query<Border>(
    `select zip, neighbor, shared_border_m as "sharedBorderM"
     from zip_neighbors where zip = any($1) order by zip, neighbor`,
    [[...zips]],
  );
  return adjacencyOf(borders);
}

/** The neighbours of a ZIP, none for an island in the sea. */
export const neighborsOf = (adjacency: Adjacency, zip: string): Iterable<string> =>
  adjacency.get(zip)?.keys() ?? [];

/** ZIPs outside of a set that border on one of it, in order. */
export function neighborsOfSet(adjacency: Adjacency, zips: ReadonlySet<string>): string[] {
  const around = new Set<string>();
  for (const zip of zips) {
    for (const neighbor of neighborsOf(adjacency, zip)) {
      if (!zips.has(neighbor)) around.add(neighbor);
    }
  }
  return [...around].sort();
}
