/**
 * Adjacent ZIP codes. Two ZIP codes are neighbors if they share a border line, not just a point: of
 * four ZIP codes that meet at a crossroads, the diagonal ones aren't neighbors.
 */
import type { Queryable } from '../db/database.ts';

/**
 * Length of the shared border in meters, by ZIP code and neighbor. ZIP codes without neighbors are
 * missing.
 */
export type Adjacency = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface Border {
  zip: string;
  neighbor: string;
  sharedBorderM: number;
}

/** @param borders every pair in both directions, as in `zip_neighbors` */
export function adjacencyOf(borders: readonly Border[]): Adjacency {
  const adjacency = new Map<string, Map<string, number>>();
  for (const { zip, neighbor, sharedBorderM } of borders) {
    let neighbors = adjacency.get(zip);
    if (!neighbors) adjacency.set(zip, (neighbors = new Map()));
    neighbors.set(neighbor, sharedBorderM);
  }
  return adjacency;
}

/** Reads all borders of the given ZIP codes, including those with other ZIP codes. */
export async function readAdjacency(db: Queryable, zips: Iterable<string>): Promise<Adjacency> {
  const borders = await db.query<Border>(
    `select zip, neighbor, shared_border_m as "sharedBorderM"
     from zip_neighbors where zip = any($1) order by zip, neighbor`,
    [[...zips]],
  );
  return adjacencyOf(borders);
}

/** Returns the neighbors of a ZIP code; empty for an island. */
export const neighborsOf = (adjacency: Adjacency, zip: string): Iterable<string> =>
  adjacency.get(zip)?.keys() ?? [];

/** Returns the ZIP codes outside a set that border a member of it, in order. */
export function neighborsOfSet(adjacency: Adjacency, zips: ReadonlySet<string>): string[] {
  const around = new Set<string>();
  for (const zip of zips) {
    for (const neighbor of neighborsOf(adjacency, zip)) {
      if (!zips.has(neighbor)) around.add(neighbor);
    }
  }
  return [...around].sort();
}
