/**
 * What anybody may know of a ZIP on a shared map: the one allow-list. Boundaries and tiles are made
 * of `SharedFeature`s only, and only the functions here can make one, each field by its name and
 * checked: whatever else a row or an object carries stays behind.
 */
import type { Feature, MultiPolygon, Point, Position } from 'geojson';

/** How a ZIP is shown: the brand works there, or waits for a review. */
export const SHARED_STATUSES = ['live', 'pending'] as const;
export type SharedStatus = (typeof SHARED_STATUSES)[number];

export interface SharedZip {
  zip: string;
  status: SharedStatus;
}

/** Where the name of a ZIP goes, and the zoom from which it has room: from the boundary alone. */
export interface SharedLabel extends SharedZip {
  labelZoom: number;
}

declare const allowed: unique symbol;
/** Nobody else has the symbol, so no other object is one. */
type Allowed<T> = T & { readonly [allowed]: true };

/** A ZIP without a boundary, such as one of PO boxes, has no geometry (RFC 7946, 3.2). */
export type SharedFeature<Shape extends MultiPolygon | null = MultiPolygon | null> = Allowed<
  Feature<Shape, SharedZip>
>;
export type SharedLabelFeature = Allowed<Feature<Point, SharedLabel>>;

/** @throws TypeError for a ZIP or status that is none */
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

/** @throws TypeError for a ZIP, status or zoom that is none */
export function sharedLabel(shared: SharedLabel, geometry: Point): SharedLabelFeature {
  const { labelZoom } = shared;
  if (!Number.isFinite(labelZoom)) throw new TypeError('a label wants a zoom');
  return {
    type: 'Feature',
    properties: { ...allowedFields(shared), labelZoom },
    geometry: { type: 'Point', coordinates: lngLat(geometry.coordinates) },
  } as SharedLabelFeature;
}

function allowedFields({ zip, status }: SharedZip): SharedZip {
  if (!/^[0-9]{5}$/.test(zip)) throw new TypeError('a shared ZIP has five digits');
  if (!SHARED_STATUSES.includes(status)) throw new TypeError('a shared ZIP is live or pending');
  return { zip, status };
}

/** Without a height or whatever else may follow. */
const lngLat = ([lng, lat]: Position): Position => [lng!, lat!];
