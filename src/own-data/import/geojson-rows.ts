/**
 * Reads the features of GeoJSON as rows: a column for each property, and two for a point. Features are parsed one by
 * one as they arrive, because a whole file of 100 MB would take more than the memory of the worker.
 */
import { badRequest } from '../../errors.ts';
import { refuseForeignCrs } from '../../lists/geojson-crs.ts';
import { SAMPLE_LINES, type Row } from '../../lists/rows.ts';
import { featureTexts, notGeoJson } from './feature-texts.ts';

interface Feature {
  /** Texts of the properties that are columns: not those of lists */
  cells: Map<string, string>;
  point: readonly [string, string];
}

const POINT_COLUMNS = ['Point longitude', 'Point latitude'];

/**
 * The columns are those of the first features. The first row has their names.
 * @param onLate receives the names of properties that only later features have
 */
export async function* geoJsonRows(
  texts: AsyncIterable<string>,
  onLate: (name: string) => void,
): AsyncGenerator<Row[]> {
  let line = 0;
  const sample: Feature[] = [];
  let names: string[] | null = null;
  const known = new Set<string>();
  const rowOf = ({ cells, point }: Feature): Row => {
    for (const name of cells.keys()) if (!known.has(name)) onLate(name);
    return { line: ++line, cells: [...names!.map((name) => cells.get(name) ?? ''), ...point] };
  };
  const start = (): Row[] => {
    names = [...new Set(sample.slice(0, SAMPLE_LINES).flatMap(({ cells }) => [...cells.keys()]))];
    for (const name of names) known.add(name);
    return [{ line: 0, cells: [...names, ...POINT_COLUMNS] }, ...sample.map(rowOf)];
  };
  for await (const found of featureTexts(texts)) {
    const features = found.map(readFeature);
    if (names !== null) yield features.map(rowOf);
    else {
      for (const feature of features) sample.push(feature);
      if (sample.length >= SAMPLE_LINES) yield start();
    }
  }
  if (names === null && sample.length > 0) yield start();
}

type Fields = Record<string, unknown>;

function readFeature(text: string): Feature {
  const { type, crs, properties, geometry } = parse(text);
  if (crs !== undefined) refuseForeignCrs({ crs });
  if (type !== 'Feature') throw notGeoJson();
  const cells = Object.entries((properties ?? {}) as Fields).flatMap(([name, value]) => {
    const cell = textOf(value);
    return cell === null ? [] : [[name, cell] as const];
  });
  return { cells: new Map(cells), point: pointOf((geometry ?? {}) as Fields) };
}

function parse(text: string): Fields {
  try {
    return JSON.parse(text) as Fields;
  } catch (cause) {
    throw badRequest(
      'This starts like GeoJSON, but one of its features isn’t valid JSON. Export it again.',
      { cause },
    );
  }
}

/** Empty for null, and null for lists and objects */
const textOf = (value: unknown): string | null =>
  value === null ? '' : typeof value === 'object' ? null : String(value);

function pointOf({ type, coordinates }: Fields): [string, string] {
  if (type !== 'Point' || !Array.isArray(coordinates)) return ['', ''];
  const [lng, lat] = coordinates as unknown[];
  return typeof lng === 'number' && typeof lat === 'number' ? [plain(lng), plain(lat)] : ['', ''];
}

/** Without an exponent, which small numbers have */
const plain = (value: number) => (Math.abs(value) < 1e-6 ? '0' : String(value));
