/**
 * GeoJSON (RFC 7946) as people have it. Pure. A feature means ZIPs by a property that names one, or
 * by its area; what is wrong with it is told, feature by feature.
 */
import type { Position } from 'geojson';
import { badRequest } from '../../errors.ts';
import type { Bbox } from '../../spatial/bbox.ts';
import { count } from '../../words.ts';
import { truncateInput, type Reading } from './finding.ts';
import { readZip } from './read-zip.ts';
import { normalizeName } from './zip-list.ts';

/** A feature that means the ZIPs of which most lies in it. */
export interface ImportedArea {
  at: number;
  /** For people: a name that it has */
  given: string;
  /** The text of a MultiPolygon, its rings closed, its positions on the globe */
  shape: string;
  bbox: Bbox;
  /** Corners of its outlines */
  positions: number;
  /** A ZIP that it may be: counties and other areas have codes of five digits too */
  zipMaybe: string | null;
}

export interface ReadGeoJson {
  readings: Reading[];
  areas: ImportedArea[];
}

const MAX_FEATURES = 40_000;
/** To overlay more takes longer than anybody waits. */
const MAX_AREAS = 500;
const MAX_POSITIONS = 50_000;

/**
 * @param value parsed JSON
 * @throws ServiceError 400 for what is no GeoJSON, is in another coordinate system, or too much
 */
export function readGeoJson(value: unknown): ReadGeoJson {
  if (!isObject(value)) throw notGeoJson();
  refuseForeignCrs(value);
  const features = featuresOf(value);
  if (features.length > MAX_FEATURES) {
    throw badRequest(
      `There are ${count(features.length)} features: at most ${count(MAX_FEATURES)}.`,
    );
  }
  const found: ReadGeoJson = { readings: [], areas: [] };
  for (const [i, feature] of features.entries()) readFeature(i + 1, feature, found);
  const positions = found.areas.reduce((sum, area) => sum + area.positions, 0);
  if (found.areas.length > MAX_AREAS || positions > MAX_POSITIONS) {
    throw badRequest(
      `There are ${count(found.areas.length)} areas with ${count(positions)} corners: at most ` +
        `${count(MAX_AREAS)} with ${count(MAX_POSITIONS)} are laid over the ZIPs at a time. Simplify ` +
        'their outlines, or name each feature’s ZIP in a property "zip".',
    );
  }
  return found;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const notGeoJson = () =>
  badRequest(
    'This is JSON, but no GeoJSON: a FeatureCollection, a Feature, a Polygon or a MultiPolygon is expected.',
  );

/** NAD 83 and WGS 84 differ by less than 2 m in the US: both are taken as they are. */
const LNG_LAT_CRS = /CRS84|CRS83|EPSG:{1,2}(4326|4269)$/;

function refuseForeignCrs({ crs }: Fields): void {
  if (!isObject(crs)) return;
  const name = isObject(crs.properties) ? String(crs.properties.name) : toldJson(crs);
  if (LNG_LAT_CRS.test(name)) return;
  throw badRequest(
    `It is in ${truncateInput(name)}. GeoJSON must be in longitude and latitude (WGS 84): reproject it.`,
  );
}

const GEOMETRIES = new Set([
  ...['Point', 'MultiPoint', 'LineString', 'MultiLineString'],
  ...['Polygon', 'MultiPolygon', 'GeometryCollection'],
]);

function featuresOf(value: Fields): unknown[] {
  if (value.type === 'Feature') return [value];
  if (GEOMETRIES.has(String(value.type))) return [{ type: 'Feature', geometry: value }];
  if (value.type !== 'FeatureCollection' || !Array.isArray(value.features)) throw notGeoJson();
  if (value.features.length === 0) throw badRequest('The FeatureCollection has no features.');
  return value.features;
}

function readFeature(at: number, feature: unknown, found: ReadGeoJson): void {
  if (!isObject(feature) || feature.type !== 'Feature') {
    found.readings.push(unread(at, toldJson(feature), 'This is no Feature.'));
    return;
  }
  const properties = isObject(feature.properties) ? feature.properties : {};
  const named = namedZip(properties);
  if (named) {
    found.readings.push({ at, given: truncateInput(named.given), ...readZip(named.given) });
    return;
  }
  const given = nameOf(feature, properties);
  const polygons: unknown[][] = [];
  const problem =
    collectPolygons(feature.geometry, polygons) ?? problemOf(polygons as Position[][][]);
  if (problem !== null) {
    found.readings.push(unread(at, given, problem));
    return;
  }
  // A height, or whatever else follows, is not asked for.
  const rings = (polygons as Position[][][]).map((polygon) =>
    polygon.map((ring) => ring.map(([lng, lat]): Position => [lng!, lat!])),
  );
  const flat = rings.flat(2);
  found.areas.push({
    ...{ at, given, positions: flat.length, bbox: bboxOf(flat) },
    zipMaybe: zipMaybe(feature, properties),
    shape: JSON.stringify({ type: 'MultiPolygon', coordinates: rings }),
  });
}

/** What was parsed may be nested deeper than can be written. */
function toldJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return 'something nested too deep';
  }
}

const unread = (at: number, given: string, reason: string): Reading => ({
  ...{ at, given: truncateInput(given), zip: null, outcome: 'not_understood', reason },
});

const ZIP_PROPERTIES =
  /^(zip|zips|zip5|zipcode|zipcd|zcta|zcta5|zcta5ce|zcta5ce00|zcta5ce10|zcta5ce20|zcta5ce30|postal|postalcode|postcode)$/;

function namedZip(properties: Fields): { given: string } | null {
  for (const [name, value] of Object.entries(properties)) {
    if (!ZIP_PROPERTIES.test(normalizeName(name))) continue;
    const given = textOf(value);
    if (given !== null) return { given };
  }
  return null;
}

const textOf = (value: unknown): string | null => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
};

const CODE_PROPERTIES = /^(geoid|geoid00|geoid10|geoid20|affgeoid|affgeoid10|affgeoid20|name|id)$/;

/** `75201`, or as the census writes it: `860Z200US75201` */
function zipMaybe({ id }: Fields, properties: Fields): string | null {
  for (const [name, value] of [...Object.entries(properties), ['id', id] as const]) {
    if (!CODE_PROPERTIES.test(normalizeName(name))) continue;
    const [, zip] = /^(?:86\w*US)?(\d{5})$/.exec(textOf(value) ?? '') ?? [];
    if (zip !== undefined) return zip;
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

/** @returns what is wrong; null: nothing */
function collectPolygons(geometry: unknown, into: unknown[], depth = 0): string | null {
  if (geometry === null || geometry === undefined) {
    return 'It has no geometry, and no property "zip" that names a ZIP.';
  }
  if (!isObject(geometry)) return 'Its geometry is none.';
  const { type, coordinates, geometries } = geometry;
  if (type === 'Polygon') into.push(coordinates);
  else if (type === 'MultiPolygon' && Array.isArray(coordinates)) {
    for (const polygon of coordinates) into.push(polygon);
  } else if (type === 'GeometryCollection' && Array.isArray(geometries) && depth < MAX_DEPTH) {
    for (const one of geometries) {
      const problem = collectPolygons(one, into, depth + 1);
      if (problem !== null) return problem;
    }
  } else if (GEOMETRIES.has(String(type))) {
    return `A ${String(type)} covers no ground: a Polygon or a MultiPolygon is needed.`;
  } else return 'Its geometry is none that GeoJSON knows.';
  return null;
}

function problemOf(polygons: readonly unknown[]): string | null {
  if (polygons.length === 0) return 'Its geometry is empty.';
  for (const polygon of polygons) {
    if (!Array.isArray(polygon) || polygon.length === 0) return 'A polygon of it has no outline.';
    for (const ring of polygon) {
      const problem = ringProblem(ring);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function ringProblem(ring: unknown): string | null {
  if (!Array.isArray(ring) || !ring.every(isPosition)) {
    return 'Its coordinates are not all pairs of numbers.';
  }
  const stray = ring.find(([lng, lat]) => Math.abs(lng!) > 180 || Math.abs(lat!) > 90);
  if (stray) return strayProblem(stray);
  if (ring.length < 4) return 'An outline has fewer than four positions, the last like the first.';
  const [first, last] = [ring[0]!, ring.at(-1)!];
  if (first[0] !== last[0] || first[1] !== last[1]) {
    return 'An outline is not closed: its last position must be like its first.';
  }
  return null;
}

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && value.length >= 2 && value.slice(0, 2).every(Number.isFinite);

function strayProblem([lng, lat]: Position): string {
  const where = `${lng}, ${lat}`;
  return Math.abs(lng!) <= 90 && Math.abs(lat!) <= 180
    ? `Longitude and latitude are interchanged (${where}): longitude comes first.`
    : `Its coordinates are no longitude and latitude in degrees (${where}): reproject it to WGS 84.`;
}

function bboxOf(positions: readonly Position[]): Bbox {
  const bbox: Bbox = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lng, lat] of positions) {
    bbox[0] = Math.min(bbox[0], lng!);
    bbox[1] = Math.min(bbox[1], lat!);
    bbox[2] = Math.max(bbox[2], lng!);
    bbox[3] = Math.max(bbox[3], lat!);
  }
  return bbox;
}
