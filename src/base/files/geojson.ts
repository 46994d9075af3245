/**
 * Reads the features of GeoJSON (RFC 7946) from a text that arrives in parts: the elements of `features` in a
 * FeatureCollection, or features that follow one another, one per line or as in RFC 8142. Each is parsed when it is
 * complete, because a whole file of 100 MB would take more than the memory of a worker. Pure.
 */
import { badRequest } from '../../errors.ts';
import { LNG_LAT_CRS } from '../spatial/crs.ts';
import { formatCount, truncateInput } from '../text/words.ts';

export type Fields = Record<string, unknown>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 8142 puts it before each feature. */
export const RECORD_SEPARATOR = '\u001e';

const GEOMETRY = /^(?:Multi)?(?:Point|LineString|Polygon)$|^GeometryCollection$/;

/** Whether a text is the type of a geometry */
export const isGeometryType = (type: unknown): boolean => GEOMETRY.test(String(type));

/** Longer than the boundary of any state */
const MAX_FEATURE_LENGTH = 10_485_760;

/** The name of the list, and spaces around its colon */
const FEATURES_KEY = /"features"\s*:\s*$/;
const MAX_KEY_LENGTH = 100;

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA] = Buffer.from('"\\{}[],');

/**
 * Yields the features in batches, as in the file: their members may be anything. A geometry alone is a feature, too.
 * @throws ServiceError 400 if the text isn't GeoJSON, ends too early, or uses another coordinate system
 */
export async function* geoJsonFeatures(parts: AsyncIterable<string>): AsyncGenerator<unknown[]> {
  let text = '';
  /** Where the value that isn't complete starts in `text`, and where to go on */
  let start = 0;
  let at = 0;
  let depth = 0;
  let isString = false;
  /** Whether the list of features is open, and the text of the collection without them */
  let isList = false;
  let collection = '';
  let count = 0;
  for await (const part of parts) {
    text = text.slice(start) + part;
    at -= start;
    start = 0;
    const found: unknown[] = [];
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isString) {
        if (code === BACKSLASH) at++;
        else if (code === QUOTE) isString = false;
      } else if (code === QUOTE) isString = true;
      else if (code === OPEN) {
        if (depth === 0) start = at;
        depth++;
      } else if (code === CLOSE) {
        depth--;
        if (depth !== 0) continue;
        const whole = collection + text.slice(start, at + 1);
        if (collection === '') found.push(featureOf(parse(whole, ++count)));
        else checkCollection(parse(whole));
        collection = '';
        start = at + 1;
      } else if (code === OPEN_LIST) {
        depth++;
        if (
          depth === 2 &&
          !isList &&
          FEATURES_KEY.test(text.slice(Math.max(start, at - MAX_KEY_LENGTH), at))
        ) {
          isList = true;
          collection = text.slice(start, at + 1);
          start = at + 1;
        }
      } else if (isList && depth === 2 && (code === COMMA || code === CLOSE_LIST)) {
        const element = text.slice(start, at);
        if (code === COMMA || element.trim() !== '') found.push(parse(element, ++count));
        start = at + 1;
        if (code === COMMA) continue;
        depth--;
        isList = false;
        start = at;
      } else if (code === CLOSE_LIST) depth--;
      else if (depth === 0 && !isBetween(code)) throw notGeoJson();
      if (depth < 0) throw notGeoJson();
    }
    if (text.length - start > MAX_FEATURE_LENGTH) {
      throw badRequest(
        'A feature of the GeoJSON is too large. Simplify its boundary, or leave it out.',
      );
    }
    if (found.length > 0) yield found;
  }
  if (depth === 0 && !isString) return;
  throw badRequest(
    `This starts like GeoJSON, but it ends too early, in feature ${formatCount(count + 1)}. Export it again.`,
  );
}

/** Spaces and separators between features that follow one another */
const isBetween = (code: number) => code <= 32 || code === 0xfeff;

/** @param count number of the feature; absent for the collection around features */
function parse(text: string, count?: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const what = count === undefined ? 'it' : `feature ${formatCount(count)}`;
    throw badRequest(`This starts like GeoJSON, but ${what} isn’t valid JSON. Export it again.`, {
      cause,
    });
  }
}

function featureOf(value: unknown): Fields {
  if (!isObject(value)) throw notGeoJson();
  refuseForeignCrs(value);
  if (value.type === 'Feature') return value;
  if (isGeometryType(value.type)) return { type: 'Feature', geometry: value };
  if (value.type !== 'FeatureCollection') throw notGeoJson();
  throw badRequest('The FeatureCollection has no list of features. Export it again.');
}

function checkCollection(value: unknown): void {
  if (!isObject(value) || value.type !== 'FeatureCollection') throw notGeoJson();
  refuseForeignCrs(value);
}

export const notGeoJson = () =>
  badRequest('This is JSON but not GeoJSON. Use a FeatureCollection, a Feature, or a geometry.');

function refuseForeignCrs({ crs }: Fields): void {
  if (!isObject(crs)) return;
  const given = isObject(crs.properties) ? crs.properties.name : crs;
  const name = typeof given === 'string' ? given : describeJson(given);
  if (LNG_LAT_CRS.test(name)) return;
  throw badRequest(
    `The coordinates are in ${truncateInput(name)}. GeoJSON must use longitude and latitude (WGS 84): reproject the file.`,
  );
}

/** Returns the value as text. Parsed JSON can be nested too deeply for `JSON.stringify`. */
export function describeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return 'deeply nested JSON';
  }
}
