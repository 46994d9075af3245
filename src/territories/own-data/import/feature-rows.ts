/** Reads features as rows: a column for each property, and two for a point. */
import { isGeometryType, isObject, notGeoJson, type Fields } from '../../../base/files/geojson.ts';
import type { Features } from '../../../base/files/open-file.ts';
import { SAMPLE_LINES, type Row } from '../../../base/files/rows.ts';
import { formatCount, joinFirst, truncateInput } from '../../../base/text/words.ts';
import type { RowSource } from './start-table.ts';

interface Feature {
  /** Texts of the properties that are columns: not those of lists */
  cells: Map<string, string>;
  /** Longitude and latitude. Other geometries than points have their type instead */
  point: readonly [string, string];
}

const POINT_COLUMNS = ['Point longitude', 'Point latitude'];

/** Properties that only later features have, to name */
const MAX_LATE = 20;

/** Returns features as a table. The columns are those of the first features, and the first row has their names. */
export function featureTable(file: Features): RowSource {
  const facts = { late: new Set<string>(), shapes: 0 };
  return {
    format: file.format,
    sheets: [],
    isHeaded: true,
    hasStoredNumbers: true,
    hasSemicolons: false,
    rows: featureRows(file.features, facts),
    get note() {
      const late = [...facts.late].map((name) => `“${name}”`);
      const have = facts.shapes === 1 ? 'feature has' : 'features have';
      return [
        file.note,
        facts.shapes === 0
          ? ''
          : `${formatCount(facts.shapes)} ${have} an area, a line, or several points, which aren’t used: only ZIP codes and single points place a row.`,
        late.length === 0
          ? ''
          : `Left out ${joinFirst(late, 5)}, which the first features don’t have.`,
      ]
        .filter((part) => part !== '')
        .join(' ');
    },
  };
}

/** @param facts is filled while the features arrive: names that only later ones have, and the number of other shapes */
async function* featureRows(
  batches: AsyncIterable<unknown[]>,
  facts: { late: Set<string>; shapes: number },
): AsyncGenerator<Row[]> {
  let line = 0;
  const sample: Feature[] = [];
  let names: string[] | null = null;
  const known = new Set<string>();
  const rowOf = ({ cells, point }: Feature): Row => {
    for (const name of cells.keys()) {
      if (!known.has(name) && facts.late.size < MAX_LATE) facts.late.add(truncateInput(name));
    }
    if (isGeometryType(point[0])) facts.shapes++;
    return { line: ++line, cells: [...names!.map((name) => cells.get(name) ?? ''), ...point] };
  };
  const start = (): Row[] => {
    names = [...new Set(sample.slice(0, SAMPLE_LINES).flatMap(({ cells }) => [...cells.keys()]))];
    for (const name of names) known.add(name);
    return [{ line: 0, cells: [...names, ...POINT_COLUMNS] }, ...sample.map(rowOf)];
  };
  for await (const found of batches) {
    const features = found.map(readFeature);
    if (names !== null) yield features.map(rowOf);
    else {
      for (const feature of features) sample.push(feature);
      if (sample.length >= SAMPLE_LINES) yield start();
    }
  }
  if (names === null && sample.length > 0) yield start();
}

function readFeature(value: unknown): Feature {
  if (!isObject(value) || value.type !== 'Feature') throw notGeoJson();
  const cells = Object.entries((value.properties ?? {}) as Fields).flatMap(([name, given]) => {
    const cell = textOf(given);
    return cell === null ? [] : [[name, cell] as const];
  });
  return { cells: new Map(cells), point: pointOf((value.geometry ?? {}) as Fields) };
}

/** Empty for null, and null for lists and objects */
const textOf = (value: unknown): string | null =>
  value === null ? '' : typeof value === 'object' ? null : String(value);

function pointOf({ type, coordinates }: Fields): [string, string] {
  if (type !== 'Point' && isGeometryType(type)) return [String(type), String(type)];
  if (type !== 'Point' || !Array.isArray(coordinates)) return ['', ''];
  const [lng, lat] = coordinates as unknown[];
  return typeof lng === 'number' && typeof lat === 'number' ? [plain(lng), plain(lat)] : ['', ''];
}

/** Without an exponent, which small numbers have */
const plain = (value: number) => (Math.abs(value) < 1e-6 ? '0' : String(value));
