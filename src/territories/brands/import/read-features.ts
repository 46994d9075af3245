/** Reads features: each selects ZIP codes by a property, or by its area. Problems are reported per feature. Pure. */
import { bbox } from '@turf/bbox';
import { cleanCoords } from '@turf/clean-coords';
import type { MultiPolygon, Position } from 'geojson';
import { badRequest } from '../../../errors.ts';
import { looksSwapped, whyOutside } from '../../../base/geodata/country.ts';
import { parseZip } from '../../../base/geodata/zip-code.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { describeJson, isObject, type Fields } from '../../../base/files/geojson.ts';
import { closeRing } from '../../../base/spatial/rings.ts';
import { asSentence, formatCount, truncateInput } from '../../../base/text/words.ts';
import type { Reading } from '../../../base/lists/finding.ts';
import { readZips } from '../../../base/lists/read-zip.ts';
import { normalizeName } from '../../../base/lists/zip-table.ts';

/** A feature that selects the ZIP codes mostly inside it */
export interface ImportedArea {
  at: number;
  /** The feature's name or id, for display */
  given: string;
  /** The area in WGS 84, with closed rings and without repeated or collinear corners */
  shape: MultiPolygon;
  bbox: Bbox;
  /** Number of corners */
  positions: number;
  /** A five-digit code that may be a ZIP code, or the code of a county or another area */
  possibleZip: string | null;
}

export interface ReadFeatures {
  readings: Reading[];
  areas: ImportedArea[];
  /** Numbers of points and lines, by noun, in the collections of areas */
  ignored: Record<string, number>;
}

const MAX_FEATURES = 40_000;
/** Overlaying more areas takes longer than users wait. */
const MAX_AREAS = 500;
const MAX_POSITIONS = 50_000;

/** @throws ServiceError 400 if there are no features, too many, or too large ones */
export async function readFeatures(batches: AsyncIterable<unknown[]>): Promise<ReadFeatures> {
  const found: ReadFeatures = { readings: [], areas: [], ignored: {} };
  let count = 0;
  for await (const features of batches) {
    for (const feature of features) {
      if (++count > MAX_FEATURES) {
        throw badRequest(
          `The file has more than ${formatCount(MAX_FEATURES)} features. Split it up.`,
        );
      }
      readFeature(count, feature, found);
    }
  }
  if (count === 0) throw badRequest('The file has no features. Export the areas again.');
  const positions = found.areas.reduce((sum, area) => sum + area.positions, 0);
  if (found.areas.length > MAX_AREAS || positions > MAX_POSITIONS) {
    throw badRequest(
      `The file has ${formatCount(found.areas.length)} areas with ${formatCount(positions)} corners; the maximum is ` +
        `${formatCount(MAX_AREAS)} areas with ${formatCount(MAX_POSITIONS)} corners. Simplify the areas, or name ` +
        'each feature’s ZIP code in a property "zip".',
    );
  }
  return found;
}

function readFeature(at: number, feature: unknown, found: ReadFeatures): void {
  if (!isObject(feature) || feature.type !== 'Feature') {
    found.readings.push(
      unread(at, describeJson(feature), 'Not a Feature. Each feature needs "type": "Feature".'),
    );
    return;
  }
  const properties = isObject(feature.properties) ? feature.properties : {};
  const named = namedZip(properties);
  if (named) {
    const given = truncateInput(named.given);
    for (const zip of readZips(named.given, named)) found.readings.push({ at, given, ...zip });
    return;
  }
  const given = nameOf(feature, properties);
  const parts: Parts = { polygons: [], others: [] };
  const problem =
    collectParts(feature.geometry, parts) ?? noAreaProblem(parts) ?? problemOf(parts.polygons);
  if (problem !== null) {
    found.readings.push(unread(at, given, problem));
    return;
  }
  // Drops elevations.
  const rings = (parts.polygons as Position[][][]).map((polygon) =>
    polygon.map((ring) => closeRing(ring.map(([lng, lat]): Position => [lng!, lat!]))),
  );
  const shape = withoutRedundantCorners({ type: 'MultiPolygon', coordinates: rings });
  if (shape === null) {
    found.readings.push(
      unread(at, given, 'An outline has fewer than three different corners. Draw it again.'),
    );
    return;
  }
  const box = bbox(shape) as Bbox;
  const outside = whyOutside(box);
  if (outside !== null) {
    found.readings.push(unread(at, given, asSentence(outside)));
    return;
  }
  for (const type of parts.others) {
    const noun = type.endsWith('Point') ? 'point' : 'line';
    found.ignored[noun] = (found.ignored[noun] ?? 0) + 1;
  }
  found.areas.push({
    at,
    given,
    shape,
    bbox: box,
    positions: shape.coordinates.flat(2).length,
    possibleZip: possibleZip(feature, properties),
  });
}

/** Drops repeated and collinear corners. Returns null if fewer than three corners are left in a ring. */
function withoutRedundantCorners(shape: MultiPolygon): MultiPolygon | null {
  try {
    const cleaned: MultiPolygon = cleanCoords(shape);
    return cleaned.coordinates.flat().every((ring) => ring.length >= 4) ? cleaned : null;
  } catch {
    return null;
  }
}

const unread = (at: number, given: string, reason: string): Reading => ({
  at,
  given: truncateInput(given),
  zip: null,
  outcome: 'not_understood',
  reason,
});

const ZIP_PROPERTIES =
  /^(zip|zips|zip5|zipcode|zipcd|zcta|zcta5|zcta5ce|zcta5ce00|zcta5ce10|zcta5ce20|zcta5ce30|postal|postalcode|postcode)$/;

/** Numbers have lost their leading zeros. */
function namedZip(properties: Fields): { given: string; lostZeros: boolean } | null {
  for (const [name, value] of Object.entries(properties)) {
    if (!ZIP_PROPERTIES.test(normalizeName(name))) continue;
    const given = textOf(value);
    if (given !== null) return { given, lostZeros: typeof value === 'number' };
  }
  return null;
}

const textOf = (value: unknown): string | null => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
};

const CODE_PROPERTIES =
  /^(geoid|geoid00|geoid10|geoid20|geoidfq|geoidfq20|affgeoid|affgeoid10|affgeoid20|name|id)$/;

/** Finds the code of a ZIP code, or of another area with five digits. */
function possibleZip({ id }: Fields, properties: Fields): string | null {
  for (const [name, value] of [...Object.entries(properties), ['id', id] as const]) {
    const zip = CODE_PROPERTIES.test(normalizeName(name)) ? parseZip(value) : null;
    if (zip !== null) return zip;
  }
  return null;
}

function nameOf({ id }: Fields, properties: Fields): string {
  const named = Object.entries(properties).find(([name]) =>
    /^(name|title|label|territory)$/.test(normalizeName(name)),
  );
  return truncateInput(textOf(named?.[1]) ?? textOf(id) ?? '');
}

const MAX_DEPTH = 5;

/** The parts of a geometry, unchecked */
interface Parts {
  polygons: unknown[];
  /** Types of the parts without an area */
  others: string[];
}

/** Collects the parts of a geometry. Returns a problem with it, or null. */
function collectParts(geometry: unknown, into: Parts, depth = 0): string | null {
  if (geometry === null || geometry === undefined) {
    return 'The feature has neither a geometry nor a property "zip". Add one of them.';
  }
  if (!isObject(geometry)) return 'The geometry isn’t an object.';
  const { type, coordinates, geometries } = geometry;
  if (type === 'Polygon') into.polygons.push(coordinates);
  else if (type === 'MultiPolygon' && Array.isArray(coordinates)) {
    // A spread argument may be longer than the stack.
    for (const polygon of coordinates) into.polygons.push(polygon);
  } else if (type === 'GeometryCollection' && Array.isArray(geometries) && depth < MAX_DEPTH) {
    for (const one of geometries) {
      const problem = collectParts(one, into, depth + 1);
      if (problem !== null) return problem;
    }
  } else if (/^(Multi)?(Point|LineString)$/.test(String(type))) into.others.push(String(type));
  else if (type === 'GeometryCollection' && depth === MAX_DEPTH) {
    return 'The geometry is nested too deeply. Export the areas as polygons.';
  } else return 'The geometry has an unknown type. Use a Polygon or a MultiPolygon.';
  return null;
}

const noAreaProblem = ({ polygons, others: [other] }: Parts): string | null =>
  polygons.length === 0 && other !== undefined
    ? `A ${other} covers no area. Use a Polygon or a MultiPolygon.`
    : null;

function problemOf(polygons: readonly unknown[]): string | null {
  if (polygons.length === 0) return 'The geometry is empty.';
  for (const polygon of polygons) {
    if (!Array.isArray(polygon) || polygon.length === 0) return 'A polygon has no outline.';
    for (const ring of polygon) {
      const problem = ringProblem(ring);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function ringProblem(ring: unknown): string | null {
  if (!Array.isArray(ring) || !ring.every(isPosition)) {
    return 'Some coordinates aren’t pairs of numbers.';
  }
  const stray = ring.find(([lng, lat]) => Math.abs(lng!) > 180 || Math.abs(lat!) > 90);
  if (stray) return strayProblem(stray);
  if (closeRing(ring).length < 4) return 'An outline needs at least three corners.';
  return null;
}

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && value.length >= 2 && value.slice(0, 2).every(Number.isFinite);

function strayProblem([lng, lat]: Position): string {
  const where = `${lng}, ${lat}`;
  return looksSwapped([lng!, lat!, lng!, lat!])
    ? `Longitude and latitude are swapped (${where}). Longitude comes first.`
    : `The coordinates aren’t longitude and latitude in degrees (${where}). Reproject them to WGS 84.`;
}
