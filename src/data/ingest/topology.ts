/**
 * Converts the shared arcs of a level into table rows: one WKB geometry per feature, and pairs of
 * neighbors.
 */
import type { Bbox } from '../../base/spatial/bbox.ts';
import { areaUnderSideM2 } from '../../base/spatial/ellipsoid-area.ts';
import type { Arcs, ShapeGeometry, ShapeLevel } from './shape-levels.ts';

const WKB_POINT = 1;
const WKB_LINE = 2;
const WKB_POLYGON = 3;
const WKB_MULTI = 3; // added to the code of the parts for a multi-geometry

/** A sequence of arcs; `~i` is arc `i` reversed. */
type Run = readonly number[];

/**
 * Returns the well-known binary (OGC 06-103r4, little-endian, two dimensions) of a feature: a
 * MultiPolygon, MultiLineString, or Point; null for an empty geometry.
 */
export function toWkb(geometry: ShapeGeometry, arcs: Arcs): Buffer | null {
  switch (geometry.type) {
    case 'Point':
      return pointWkb(geometry.coordinates);
    case 'LineString':
      return multiWkb(WKB_LINE, [[geometry.arcs]], arcs);
    case 'MultiLineString': {
      const lines = geometry.arcs.map((line) => [line]);
      return multiWkb(WKB_LINE, lines, arcs);
    }
    case 'Polygon':
      return multiWkb(WKB_POLYGON, [geometry.arcs], arcs);
    case 'MultiPolygon':
      return multiWkb(WKB_POLYGON, geometry.arcs, arcs);
    default:
      return null;
  }
}

/** Parts are lines (one run each) or polygons (one run per ring). */
function multiWkb(partType: number, parts: Run[][], arcs: Arcs): Buffer | null {
  const fewest = partType === WKB_LINE ? 2 : 4;
  const kept = parts.filter(([first]) => first && positionsOf(first, arcs) >= fewest);
  if (kept.length === 0) return null;

  const ringCount = partType === WKB_POLYGON ? 4 : 0;
  let size = 9;
  for (const runs of kept) {
    size += 5 + ringCount;
    for (const run of runs) size += 4 + 16 * positionsOf(run, arcs);
  }
  const wkb = Buffer.allocUnsafe(size);
  let at = writeHeader(wkb, 0, partType + WKB_MULTI);
  at = wkb.writeUInt32LE(kept.length, at);
  for (const runs of kept) {
    at = writeHeader(wkb, at, partType);
    if (partType === WKB_POLYGON) at = wkb.writeUInt32LE(runs.length, at);
    for (const run of runs) at = writeRun(wkb, at, run, arcs);
  }
  return wkb;
}

function pointWkb([lng, lat]: readonly number[]): Buffer {
  const wkb = Buffer.allocUnsafe(21);
  writePosition(wkb, writeHeader(wkb, 0, WKB_POINT), lng!, lat!);
  return wkb;
}

function writeHeader(wkb: Buffer, at: number, type: number): number {
  wkb[at] = 1; // little-endian
  return wkb.writeUInt32LE(type, at + 1);
}

function writePosition(wkb: Buffer, at: number, lng: number, lat: number): number {
  return wkb.writeDoubleLE(lat, wkb.writeDoubleLE(lng, at));
}

/** Counts the positions of a run. Consecutive arcs share a position. */
function positionsOf(run: Run, { starts }: Arcs): number {
  let count = 1;
  for (const index of run) {
    const arc = index < 0 ? ~index : index;
    count += starts[arc + 1]! - starts[arc]! - 1;
  }
  return count;
}

function writeRun(wkb: Buffer, at: number, run: Run, arcs: Arcs): number {
  const { coordinates, starts } = arcs;
  at = wkb.writeUInt32LE(positionsOf(run, arcs), at);
  run.forEach((index, i) => {
    const skip = i === 0 ? 0 : 1;
    const backwards = index < 0;
    const arc = backwards ? ~index : index;
    const first = starts[arc]!;
    const last = starts[arc + 1]! - 1;
    for (let step = skip; step <= last - first; step++) {
      const position = 2 * (backwards ? last - step : first + step);
      at = writePosition(wkb, at, coordinates[position]!, coordinates[position + 1]!);
    }
  });
  return at;
}

/** Returns the area of a polygon in square meters, without holes; 0 for other geometries. */
export function areaM2(geometry: ShapeGeometry, arcs: Arcs): number {
  const polygons =
    geometry.type === 'Polygon'
      ? [geometry.arcs]
      : geometry.type === 'MultiPolygon'
        ? geometry.arcs
        : [];
  let area = 0;
  for (const [outer, ...holes] of polygons) {
    area += Math.abs(signedAreaM2(outer!, arcs));
    for (const hole of holes) area -= Math.abs(signedAreaM2(hole, arcs));
  }
  return area;
}

function signedAreaM2(ring: Run, { coordinates, starts }: Arcs): number {
  let area = 0;
  for (const index of ring) {
    const arc = index < 0 ? ~index : index;
    let along = 0;
    for (let i = 2 * starts[arc]! + 2; i < 2 * starts[arc + 1]!; i += 2) {
      along += areaUnderSideM2(
        coordinates[i - 2]!,
        coordinates[i - 1]!,
        coordinates[i]!,
        coordinates[i + 1]!,
      );
    }
    area += index < 0 ? -along : along;
  }
  return area;
}

/** Two features and the length of their shared border. */
interface Neighbors {
  a: number;
  b: number;
  sharedBorderM: number;
}

/**
 * Returns pairs of polygons that share an arc, each pair once, with `a < b` (feature indexes).
 * Polygons that only touch at points aren't neighbors.
 */
export function findNeighbors({ arcs, geometries }: ShapeLevel): Neighbors[] {
  const ownersOfArc = Array.from({ length: arcs.starts.length - 1 }, (): number[] => []);
  geometries.forEach((geometry, feature) => {
    for (const index of polygonArcs(geometry)) {
      const owners = ownersOfArc[index < 0 ? ~index : index]!;
      if (owners.at(-1) !== feature) owners.push(feature);
    }
  });
  const borders = new Map<string, Neighbors>();
  ownersOfArc.forEach((owners, arc) => {
    if (owners.length < 2) return;
    const lengthM = arcLengthM(arcs, arc);
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

/** Returns the box around a geometry: west, south, east, north. */
export function boundsOf(geometry: ShapeGeometry, { coordinates, starts }: Arcs): Bbox {
  const box: Bbox = [Infinity, Infinity, -Infinity, -Infinity];
  const extend = (lng: number, lat: number) => {
    if (lng < box[0]) box[0] = lng;
    if (lat < box[1]) box[1] = lat;
    if (lng > box[2]) box[2] = lng;
    if (lat > box[3]) box[3] = lat;
  };
  if (geometry.type === 'Point') extend(geometry.coordinates[0]!, geometry.coordinates[1]!);
  else if (geometry.type === 'MultiPoint') {
    for (const [lng, lat] of geometry.coordinates) extend(lng!, lat!);
  } else {
    for (const index of (geometry.arcs as unknown[]).flat(Infinity) as number[]) {
      const arc = index < 0 ? ~index : index;
      for (let i = starts[arc]!; i < starts[arc + 1]!; i++) {
        extend(coordinates[2 * i]!, coordinates[2 * i + 1]!);
      }
    }
  }
  return box;
}

function polygonArcs(geometry: ShapeGeometry | null): number[] {
  if (geometry?.type === 'Polygon') return geometry.arcs.flat();
  if (geometry?.type === 'MultiPolygon') return geometry.arcs.flat(2);
  return [];
}

/** Mean Earth radius (IUGG) */
const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/**
 * Great-circle length by the haversine formula. It loops over the raw arrays, because national files have
 * millions of segments.
 */
function arcLengthM({ coordinates, starts }: Arcs, arc: number): number {
  let lengthM = 0;
  for (let i = starts[arc]! + 1; i < starts[arc + 1]!; i++) {
    const lng1 = coordinates[2 * i - 2]!;
    const lat1 = coordinates[2 * i - 1]!;
    const lng2 = coordinates[2 * i]!;
    const lat2 = coordinates[2 * i + 1]!;
    const h =
      Math.sin(((lat2 - lat1) * RADIANS) / 2) ** 2 +
      Math.cos(lat1 * RADIANS) *
        Math.cos(lat2 * RADIANS) *
        Math.sin(((lng2 - lng1) * RADIANS) / 2) ** 2;
    lengthM += 2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(h));
  }
  return lengthM;
}
