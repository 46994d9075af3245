/**
 * The only list of fields that a shared map reveals about a ZIP code. Boundaries and tiles consist of
 * `SharedFeature`s, and only the functions in this file can create them: they check and copy each allowed
 * field by name and drop everything else.
 */
import type { Feature, MultiPolygon, Point, Position } from 'geojson';

/** The statuses that a shared map shows. */
export const SHARED_STATUSES = ['live', 'pending'] as const;
export type SharedStatus = (typeof SHARED_STATUSES)[number];

export interface SharedZip {
  zip: string;
  status: SharedStatus;
}

/** A label of a ZIP code. `labelZoom`, the zoom from which it fits, depends only on the boundary. */
export interface SharedLabel extends SharedZip {
  labelZoom: number;
}

declare const allowed: unique symbol;
/** The symbol is private to this file, so no other code can create the type. */
type Allowed<T> = T & { readonly [allowed]: true };

/** A ZIP code without a boundary, such as one for PO boxes, has a null geometry (RFC 7946, 3.2). */
export type SharedFeature<Shape extends MultiPolygon | null = MultiPolygon | null> = Allowed<
  Feature<Shape, SharedZip>
>;
export type SharedLabelFeature = Allowed<Feature<Point, SharedLabel>>;

/** @throws TypeError for an invalid ZIP code or status */
export function sharedFeature<Shape extends MultiPolygon | null>(
  shared: SharedZip,
  geometry: Shape,
): SharedFeature<Shape> {
  return {
    type: 'Feature',
    properties: allowedFields(shared),
    geometry: geometry && {
      type: 'MultiPolygon',
      coordinates: geometry.coordinates.map((rings) => rings.map((ring) => ring.map(lngLat))),
    },
  } as SharedFeature<Shape>;
}

/** @throws TypeError for an invalid ZIP code, status, or zoom */
export function sharedLabel(shared: SharedLabel, geometry: Point): SharedLabelFeature {
  const { labelZoom } = shared;
  if (!Number.isFinite(labelZoom)) throw new TypeError('a shared label needs a finite zoom');
  return {
    type: 'Feature',
    properties: { ...allowedFields(shared), labelZoom },
    geometry: { type: 'Point', coordinates: lngLat(geometry.coordinates) },
  } as SharedLabelFeature;
}

function allowedFields({ zip, status }: SharedZip): SharedZip {
  if (!/^[0-9]{5}$/.test(zip)) throw new TypeError('a shared ZIP code must have five digits');
  if (!SHARED_STATUSES.includes(status))
    throw new TypeError('a shared ZIP code must be live or pending');
  return { zip, status };
}

/** Drops the height and any further coordinates. */
const lngLat = ([lng, lat]: Position): Position => [lng!, lat!];
