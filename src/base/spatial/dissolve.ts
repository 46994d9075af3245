/**
 * Merges areas that share their borders vertex by vertex, such as ZIP codes, into one area per group. Edges
 * between two areas of the same group cancel out; the rest are the outlines.
 */
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { nestRings, orientedRings } from './rings.ts';

interface GroupedArea {
  /** Index of its group */
  group: number;
  geometry: Polygon | MultiPolygon;
}

/** Positions per degree: a step is about a meter, so common vertices round to the same position */
const GRID = 100_000;

/** Returns the merged area of each group, by index; null for a group without areas. */
export function dissolve(areas: readonly GroupedArea[], groups: number): (MultiPolygon | null)[] {
  const vertices = new Vertices();
  const outlines = Array.from({ length: groups }, () => new Map<number, number[]>());
  for (const { group, geometry } of areas) {
    for (const ring of orientedRings(geometry)) addRing(outlines[group]!, vertices, ring);
  }
  return outlines.map((outline) => {
    const polygons = nestRings(trace(outline).map((ring) => ring.map((id) => vertices.at(id))));
    return polygons.length === 0 ? null : { type: 'MultiPolygon', coordinates: polygons };
  });
}

/** Numbers positions, so that equal ones become the same vertex. */
class Vertices {
  private readonly ids = new Map<number, number>();
  private readonly positions: Position[] = [];

  idOf(position: Position): number {
    const key =
      Math.round((position[0]! + 180) * GRID) * 2 ** 25 + Math.round((position[1]! + 90) * GRID);
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.positions.push(position) - 1;
      this.ids.set(key, id);
    }
    return id;
  }

  at(id: number): Position {
    return this.positions[id]!;
  }
}

/** Adds an oriented ring's edges. An edge in the opposite direction cancels out. */
function addRing(
  outline: Map<number, number[]>,
  vertices: Vertices,
  ring: readonly Position[],
): void {
  const ids = ring.map((position) => vertices.idOf(position));
  for (let i = 1; i < ids.length; i++) {
    const [from, to] = [ids[i - 1]!, ids[i]!];
    if (from === to) continue;
    if (!removeEdge(outline, to, from)) {
      const ends = outline.get(from);
      if (ends) ends.push(to);
      else outline.set(from, [to]);
    }
  }
}

function removeEdge(outline: Map<number, number[]>, from: number, to: number): boolean {
  const ends = outline.get(from);
  const at = ends?.indexOf(to) ?? -1;
  if (at < 0) return false;
  if (ends!.length === 1) outline.delete(from);
  else ends!.splice(at, 1);
  return true;
}

/** Joins edges into closed rings and empties the outline. Rings that touch at a vertex stay separate. */
function trace(outline: Map<number, number[]>): number[][] {
  const rings: number[][] = [];
  for (const [start] of outline) {
    while (outline.has(start)) {
      let path = [start];
      const placeOf = new Map([[start, 0]]);
      for (let ends = outline.get(start); ends; ends = outline.get(path.at(-1)!)) {
        const to = ends[0]!;
        removeEdge(outline, path.at(-1)!, to);
        const before = placeOf.get(to);
        if (before === undefined) {
          placeOf.set(to, path.push(to) - 1);
          continue;
        }
        const ring = path.slice(before);
        if (ring.length > 2) rings.push([...ring, to]);
        for (const id of ring) placeOf.delete(id);
        path = path.slice(0, before);
        if (path.length === 0) break;
        placeOf.set(to, path.push(to) - 1);
      }
    }
  }
  return rings;
}
