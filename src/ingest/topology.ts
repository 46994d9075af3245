/** From a level's shared arcs to what the tables keep: one WKB geometry a feature, and neighbours. */
import type { ShapeGeometry, ShapeLevel } from './shapes.ts';

type Arcs = ShapeLevel['arcs'];
type Position = readonly number[];

const WKB_POINT = 1;
const WKB_LINE = 2;
const WKB_POLYGON = 3;
const WKB_MULTI = 3; // a multi-geometry's code is that of its parts plus 3

/**
 * The well-known binary (OGC 06-103r4, little-endian, two dimensions) of a feature: a MultiPolygon,
 * MultiLineString or Point. Returns null for a geometry without extent.
 */
export function toWkb(geometry: ShapeGeometry, arcs: Arcs): Buffer | null {
  switch (geometry.type) {
    case 'Point':
      return pointWkb(geometry.coordinates);
    case 'LineString':
      return multiWkb(WKB_LINE, [[geometry.arcs]], arcs);
    case 'MultiLineString':
      return multiWkb(
        WKB_LINE,
        geometry.arcs.map((line) => [line]),
        arcs,
      );
    case 'Polygon':
      return multiWkb(WKB_POLYGON, [geometry.arcs], arcs);
    case 'MultiPolygon':
      return multiWkb(WKB_POLYGON, geometry.arcs, arcs);
    default:
      return null;
  }
}

/** Parts are lines (one run of arcs each) or polygons (a run of arcs for each ring). */
function multiWkb(partType: number, parts: number[][][], arcs: Arcs): Buffer | null {
  const stitched = parts
    .map((runs) => runs.map((run) => stitch(run, arcs)))
    .filter((runs) => runs.length > 0 && runs[0]!.length > (partType === WKB_LINE ? 1 : 3));
  if (stitched.length === 0) return null;

  const ringCounts = partType === WKB_POLYGON ? 4 : 0;
  let size = 9;
  for (const runs of stitched) {
    size += 5 + ringCounts;
    for (const run of runs) size += 4 + 16 * run.length;
  }
  const wkb = Buffer.allocUnsafe(size);
  let at = header(wkb, 0, partType + WKB_MULTI);
  at = wkb.writeUInt32LE(stitched.length, at);
  for (const runs of stitched) {
    at = header(wkb, at, partType);
    if (partType === WKB_POLYGON) at = wkb.writeUInt32LE(runs.length, at);
    for (const run of runs) {
      at = wkb.writeUInt32LE(run.length, at);
      for (const [lng, lat] of run) {
        at = wkb.writeDoubleLE(lng!, at);
        at = wkb.writeDoubleLE(lat!, at);
      }
    }
  }
  return wkb;
}

function pointWkb([lng, lat]: Position): Buffer {
  const wkb = Buffer.allocUnsafe(21);
  const at = header(wkb, 0, WKB_POINT);
  wkb.writeDoubleLE(lng!, at);
  wkb.writeDoubleLE(lat!, at + 8);
  return wkb;
}

function header(wkb: Buffer, at: number, type: number): number {
  wkb[at] = 1; // little-endian
  return wkb.writeUInt32LE(type, at + 1);
}

/** A run of arcs as positions; `~i` is arc `i` backwards, and joints are not repeated. */
function stitch(run: readonly number[], arcs: Arcs): Position[] {
  const positions: Position[] = [];
  for (const index of run) {
    const arc = index < 0 ? arcs[~index]!.toReversed() : arcs[index]!;
    for (let i = positions.length > 0 ? 1 : 0; i < arc.length; i++) positions.push(arc[i]!);
  }
  return positions;
}

/** Two features and the length of the border that they share. */
export interface Neighbors {
  a: number;
  b: number;
  sharedBorderM: number;
}

/**
 * Pairs of polygons that have an arc in common, each once, with `a < b` (indexes of features).
 * Polygons that touch in single points only are not neighbours.
 */
export function neighbors(level: ShapeLevel): Neighbors[] {
  const ownersOfArc: number[][] = level.arcs.map(() => []);
  level.geometries.forEach((geometry, feature) => {
    for (const index of polygonArcs(geometry)) {
      const owners = ownersOfArc[index < 0 ? ~index : index]!;
      if (owners.at(-1) !== feature) owners.push(feature);
    }
  });
  const borders = new Map<string, Neighbors>();
  ownersOfArc.forEach((owners, index) => {
    if (owners.length < 2) return;
    const lengthM = arcLengthM(level.arcs[index]!);
    if (lengthM === 0) return;
    for (const [i, a] of owners.entries()) {
      for (const b of owners.slice(i + 1)) {
        const key = `${a},${b}`;
        const border = borders.get(key);
        if (border) border.sharedBorderM += lengthM;
        else borders.set(key, { a, b, sharedBorderM: lengthM });
      }
    }
  });
  return [...borders.values()];
}

function polygonArcs(geometry: ShapeGeometry | null): number[] {
  if (geometry?.type === 'Polygon') return geometry.arcs.flat();
  if (geometry?.type === 'MultiPolygon') return geometry.arcs.flat(2);
  return [];
}

/** Mean radius of the earth (IUGG) */
const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Great-circle length by the haversine formula. */
function arcLengthM(arc: readonly Position[]): number {
  let lengthM = 0;
  for (let i = 1; i < arc.length; i++) {
    const [lng1, lat1] = arc[i - 1]! as [number, number];
    const [lng2, lat2] = arc[i]! as [number, number];
    const h =
      Math.sin(((lat2 - lat1) * RADIANS) / 2) ** 2 +
      Math.cos(lat1 * RADIANS) *
        Math.cos(lat2 * RADIANS) *
        Math.sin(((lng2 - lng1) * RADIANS) / 2) ** 2;
    lengthM += 2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(h));
  }
  return lengthM;
}
