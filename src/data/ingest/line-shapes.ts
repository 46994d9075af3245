/**
 * Reads shapefiles of lines in chunks, so that the roads of a whole state need no more memory than those of
 * a county. Mapshaper, which reads all other files, loads whole files to find shared borders. Lines share
 * only their ends, and simplification keeps ends.
 */
import { basename } from 'node:path';
import { DETAIL_LEVELS } from '../../base/spatial/detail.ts';
import { simplifyLine } from '../../base/spatial/simplify.ts';
import { unreadableShapes } from './shapes.ts';
import type { ShapeLevel, Shapes } from './shape-levels.ts';
import { noteLost } from '../../base/files/shapefile/source.ts';
import {
  findShapefileParts,
  readPart,
  type ShapefileParts,
} from '../../base/files/shapefile/parts.ts';
import { openLines, openTable, type Lines, type Row } from '../../base/files/shapefile/records.ts';

/** Lines per chunk: about 20 MB with all levels of detail */
const CHUNK_LINES = 10_000;

/**
 * Opens a shapefile of lines in longitude and latitude that has the given column.
 * @param column lower-case name
 * @param note receives remarks for the report
 * @returns its shapes in chunks, or null for any other file
 */
export async function openLineShapes(
  file: string,
  column: string,
  note: (text: string) => void = () => {},
): Promise<AsyncGenerator<Shapes> | null> {
  try {
    const parts = await findShapefileParts(file);
    if (!parts || !(await isInDegrees(parts))) return null;
    const table = parts.read('.dbf');
    const shapes = parts.read('.shp');
    if (!table || !shapes) return null;
    const cpg = (await readPart(parts, '.cpg'))?.toString('latin1');
    const { columns, rows } = await openTable(table, {
      cpg,
      note: (text) => note(`${basename(file)}: ${text}`),
    });
    const lines = columns.includes(column) ? await openLines(shapes) : null;
    if (lines) return chunks(file, rows, lines.records, note);
    await rows.return(null);
    return null;
  } catch (error) {
    throw unreadableShapes(basename(file), error);
  }
}

async function* chunks(
  file: string,
  rows: AsyncGenerator<Row>,
  records: AsyncGenerator<Lines>,
  note: (text: string) => void,
): AsyncGenerator<Shapes> {
  let deleted = 0;
  let excess = 0;
  try {
    let properties: Record<string, unknown>[] = [];
    let lines: Lines[] = [];
    for await (const record of records) {
      const { done, value } = await rows.next();
      if (done) {
        excess++;
        continue;
      }
      if (value === null) {
        deleted++;
        continue;
      }
      properties.push(value);
      lines.push(record);
      if (lines.length < CHUNK_LINES) continue;
      yield { properties, levels: levelsOf(lines) };
      properties = [];
      lines = [];
    }
    if (lines.length > 0) yield { properties, levels: levelsOf(lines) };
    for await (const row of rows) {
      excess--;
      if (row === null) deleted++;
    }
    noteLost(basename(file), deleted, excess, note);
  } catch (error) {
    throw unreadableShapes(basename(file), error);
  } finally {
    await rows.return(null);
  }
}

const METERS_PER_DEGREE = 111_320;

/**
 * Simplifies lines to all levels of detail, each from the previous one. Degrees of longitude count like
 * degrees of latitude, so lines far from the equator keep slightly more detail.
 */
function levelsOf(lines: readonly Lines[]): ShapeLevel[] {
  let current = lines.map((parts) => parts.map((line) => Array.from(line)));
  return DETAIL_LEVELS.map(({ toleranceM }) => {
    current = current.map((parts) =>
      parts.map((line) => simplifyLine(line, toleranceM / METERS_PER_DEGREE)),
    );
    return levelOf(current);
  });
}

/** Each part of a line is an arc. */
function levelOf(lines: readonly (readonly number[][])[]): ShapeLevel {
  const arcs = lines.flat().filter((line) => line.length >= 4);
  const starts = new Uint32Array(arcs.length + 1);
  arcs.forEach((arc, i) => (starts[i + 1] = starts[i]! + arc.length / 2));
  const coordinates = new Float64Array(2 * starts.at(-1)!);
  arcs.forEach((arc, i) => coordinates.set(arc.map(roundDegrees), 2 * starts[i]!));
  let next = 0;
  const geometries = lines.map((parts) => {
    const own = parts.filter((line) => line.length >= 4).map(() => [next++]);
    return own.length === 0 ? null : { type: 'MultiLineString' as const, arcs: own };
  });
  return { arcs: { coordinates, starts }, geometries };
}

/** 1e-6 degrees is 0.1 m, finer than any source. */
const roundDegrees = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/**
 * Other reference systems are left to Mapshaper, which reprojects them and guesses the system of files
 * without a `.prj`.
 */
async function isInDegrees(parts: ShapefileParts): Promise<boolean> {
  const projection = (await readPart(parts, '.prj'))?.toString('latin1') ?? '';
  return /^GEOGCS\[.*(NAD83|North_American_1983|WGS_1984|WGS_?84)/is.test(projection);
}
