/**
 * Finds the features in a text of GeoJSON that arrives in parts: the elements of `features` in a FeatureCollection, or
 * one feature after another, such as one per line. Pure.
 */
import { badRequest } from '../../errors.ts';
import { refuseForeignCrs } from '../../lists/geojson-crs.ts';

/** Longer than any feature with a point, and than the boundary of a ZIP code */
const MAX_FEATURE_LENGTH = 5_000_000;

/** The name of the list, and spaces around its colon */
const FEATURES_KEY = /"features"\s*:\s*$/;
const MAX_KEY_LENGTH = 100;

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA] = Buffer.from('"\\{}[],');

/** Spaces, a comma, the start of the next feature, or the end of the list */
const isBetween = (code: number) =>
  code <= 32 || code === COMMA || code === OPEN || code === CLOSE_LIST;

/** @throws ServiceError 400 if the text isn't GeoJSON, ends too early, or uses another coordinate system */
export async function* featureTexts(parts: AsyncIterable<string>): AsyncGenerator<string[]> {
  let text = '';
  /** Where the value that isn't complete starts in `text`, and where to go on */
  let start = 0;
  let at = 0;
  let depth = 0;
  let isString = false;
  /** Whether the list of features is open, and the text of the collection without them */
  let isList = false;
  let collection = '';
  for await (const part of parts) {
    text = text.slice(start) + part;
    at -= start;
    start = 0;
    const found: string[] = [];
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // Between two features
      if (isList && depth === 2 && !isBetween(code)) throw notGeoJson();
      if (isString) {
        if (code === BACKSLASH) at++;
        else if (code === QUOTE) isString = false;
      } else if (code === QUOTE) isString = true;
      else if (code === OPEN) {
        if (depth === (isList ? 2 : 0)) start = at;
        depth++;
      } else if (code === CLOSE) {
        depth--;
        if (depth === 0) {
          const whole = collection + text.slice(start, at + 1);
          if (collection === '') found.push(whole);
          else checkCollection(whole);
          collection = '';
          start = at + 1;
        } else if (isList && depth === 2) {
          found.push(text.slice(start, at + 1));
          start = at + 1;
        }
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
      } else if (code === CLOSE_LIST) {
        depth--;
        if (isList && depth === 1) {
          isList = false;
          start = at;
        }
      }
      if (depth < 0) throw notGeoJson();
    }
    if (text.length - start > MAX_FEATURE_LENGTH) {
      throw badRequest(
        'A feature of the GeoJSON is too large. Upload points, or features with a ZIP code and without boundaries.',
      );
    }
    yield found;
  }
  if (depth === 0 && !isString) return;
  throw badRequest('This starts like GeoJSON, but it ends too early. Export it again.');
}

function checkCollection(text: string): void {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw badRequest('This starts like GeoJSON, but isn’t valid JSON. Export it again.', { cause });
  }
  if (value.type !== 'FeatureCollection') throw notGeoJson();
  refuseForeignCrs(value);
}

export const notGeoJson = () =>
  badRequest('This is JSON but not GeoJSON. Upload a FeatureCollection of points, or a table.');
