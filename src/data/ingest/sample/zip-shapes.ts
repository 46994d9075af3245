/**
 * The sample's ZIP code boundaries at all levels of detail. They are the same on every machine, and generating
 * and simplifying them takes seconds, so the result is stored in `geodata/sample-zips.br`. `npm run sample`
 * computes it again.
 */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { projectFile } from '../../../base/geodata/project-files.ts';
import type { Shapes, Arcs, ShapeGeometry, ShapeLevel } from '../shape-levels.ts';
import { PbfReader, PbfWriter } from 'pbf';
import { MICRODEGREES } from './plane.ts';

export const ZIPS_FILE = 'geodata/sample-zips.br';

/**
 * Reads the file.
 * @param zips those of the gazetteer, in its order
 * @throws Error if the file was computed from another gazetteer
 */
export function sampleZipShapes(zips: readonly string[]): Shapes {
  const levels = unpackShapes(brotliDecompressSync(readFileSync(projectFile(ZIPS_FILE))));
  if (levels[0]!.geometries.length !== zips.length) {
    throw new Error(
      `${ZIPS_FILE} doesn’t match the gazetteer. Run \`npm ci\`, then \`npm run sample\`.`,
    );
  }
  return { properties: zips.map((zip) => ({ zip })), levels };
}

/** Polygons of rings, each a run of arcs. `~i` is arc `i` reversed. */
type Polygons = number[][][];

/** A ring repeats its first position. */
const FEWEST_POSITIONS = 4;

/**
 * Packs polygons into a compact binary form. Coarser levels aren't stored, except for marks at the positions
 * that they keep.
 *
 * @param levels finest first; simplification only removes positions
 */
export function packShapes([finest, ...coarser]: readonly ShapeLevel[]): Uint8Array {
  const { coordinates, starts } = finest!.arcs;
  const numbers = new PbfWriter();
  numbers.writeVarint(coarser.length);
  numbers.writeVarint(starts.length - 1);
  for (let arc = 1; arc < starts.length; arc++) {
    numbers.writeVarint(starts[arc]! - starts[arc - 1]!);
  }
  for (const axis of [0, 1]) {
    let last = 0;
    for (let i = axis; i < coordinates.length; i += 2) {
      const unit = Math.round(coordinates[i]! * MICRODEGREES);
      numbers.writeSVarint(unit - last);
      last = unit;
    }
  }
  const kept = coarser.map(({ arcs }) => keysOfPositions(arcs));
  for (let i = 0; i < coordinates.length; i += 2) {
    const key = keyOf(coordinates, i);
    numbers.writeVarint(kept.reduce((marks, keys, l) => marks | (Number(keys.has(key)) << l), 0));
  }
  writeGeometries(numbers, finest!.geometries);
  return numbers.finish();
}

const keyOf = (coordinates: Float64Array, i: number) => `${coordinates[i]},${coordinates[i + 1]}`;

function keysOfPositions({ coordinates }: Arcs): Set<string> {
  const keys = new Set<string>();
  for (let i = 0; i < coordinates.length; i += 2) keys.add(keyOf(coordinates, i));
  return keys;
}

/** Most arcs are the next one that isn't used yet, or the reverse of a recent one: both are small numbers. */
function writeGeometries(numbers: PbfWriter, geometries: ShapeLevel['geometries']): void {
  let next = 0;
  numbers.writeVarint(geometries.length);
  for (const geometry of geometries) {
    const polygons = polygonsOf(geometry!);
    numbers.writeVarint(polygons.length);
    for (const rings of polygons) {
      numbers.writeVarint(rings.length);
      for (const ring of rings) {
        numbers.writeVarint(ring.length);
        for (const arc of ring) {
          const index = arc < 0 ? ~arc : arc;
          numbers.writeSVarint(2 * (next - index) + Number(arc < 0));
          next = Math.max(next, index + 1);
        }
      }
    }
  }
}

function polygonsOf(geometry: ShapeGeometry): Polygons {
  if (geometry.type === 'Polygon') return [geometry.arcs];
  if (geometry.type === 'MultiPolygon') return geometry.arcs;
  throw new Error(`${geometry.type} can’t be packed`);
}

function unpackShapes(bytes: Uint8Array): ShapeLevel[] {
  const numbers = new PbfReader(bytes);
  const coarser = numbers.readVarint();
  const starts = new Uint32Array(numbers.readVarint() + 1);
  for (let arc = 1; arc < starts.length; arc++) {
    starts[arc] = starts[arc - 1]! + numbers.readVarint();
  }
  const positions = starts.at(-1)!;
  const coordinates = new Float64Array(2 * positions);
  for (const axis of [0, 1]) {
    let unit = 0;
    for (let i = axis; i < coordinates.length; i += 2) {
      unit += numbers.readSVarint();
      coordinates[i] = unit / MICRODEGREES;
    }
  }
  const marks = new Uint8Array(positions);
  for (let i = 0; i < positions; i++) marks[i] = numbers.readVarint();
  const polygons = readGeometries(numbers);
  const finest = levelOf({ coordinates, starts }, polygons);
  return [
    finest,
    ...Array.from({ length: coarser }, (_, level) =>
      levelOf(markedArcs(finest.arcs, marks, 1 << level), polygons),
    ),
  ];
}

function readGeometries(numbers: PbfReader): Polygons[] {
  let next = 0;
  const list = <T>(read: () => T): T[] => {
    const items: T[] = [];
    for (let left = numbers.readVarint(); left > 0; left--) items.push(read());
    return items;
  };
  const readArc = () => {
    const number = numbers.readSVarint();
    const index = next - (number >> 1);
    next = Math.max(next, index + 1);
    return number & 1 ? ~index : index;
  };
  return list(() => list(() => list(() => list(readArc))));
}

/** Returns the arcs without the positions that lack the mark. */
function markedArcs({ coordinates, starts }: Arcs, marks: Uint8Array, mark: number): Arcs {
  const kept = new Float64Array(coordinates.length);
  const keptStarts = new Uint32Array(starts.length);
  let count = 0;
  for (let arc = 1; arc < starts.length; arc++) {
    for (let i = starts[arc - 1]!; i < starts[arc]!; i++) {
      if (!(marks[i]! & mark)) continue;
      kept[2 * count] = coordinates[2 * i]!;
      kept[2 * count + 1] = coordinates[2 * i + 1]!;
      count++;
    }
    keptStarts[arc] = count;
  }
  return { coordinates: kept.slice(0, 2 * count), starts: keptStarts };
}

/** Drops the rings that simplification has removed. */
function levelOf(arcs: Arcs, polygons: readonly Polygons[]): ShapeLevel {
  const { starts } = arcs;
  const hasEnoughPositions = (ring: number[]) => {
    let positions = 1;
    for (const index of ring) {
      const arc = index < 0 ? ~index : index;
      positions += starts[arc + 1]! - starts[arc]! - 1;
    }
    return positions >= FEWEST_POSITIONS;
  };
  return {
    arcs,
    geometries: polygons.map((parts) => {
      const kept = parts
        .map((rings) => rings.filter(hasEnoughPositions))
        .filter(([outer]) => outer);
      if (kept.length === 0) return null;
      return kept.length === 1
        ? { type: 'Polygon', arcs: kept[0]! }
        : { type: 'MultiPolygon', arcs: kept };
    }),
  };
}
