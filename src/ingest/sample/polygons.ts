/** ZIP code polygons of the whole country, in place of the Census ZCTA boundaries. */
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { loadAtlas } from '../atlas.ts';
import { Cuts, cutZone } from './crossings.ts';
import { gazetteer } from './gazetteer.ts';
import { divide } from './partition.ts';
import { ringArea, toDegrees, type Ring } from './plane.ts';
import { seededRandom } from './random.ts';
import { bordersBetweenSites } from './voronoi.ts';
import { zones } from './zones.ts';

export type ZipPolygon = Feature<Polygon | MultiPolygon, { zip: string }>;

/**
 * Returns every ZIP code of the gazetteer, in order. The polygons tile the land without gaps or
 * overlaps, and neighbors share every vertex, even across county lines.
 */
export function sampleZipPolygons(): ZipPolygon[] {
  const cuts = new Cuts();
  // Cut all zones before dividing any, because a zone also needs the cuts from across its borders.
  const cutZones = zones(loadAtlas(), gazetteer()).map((zone) => {
    const borders = bordersBetweenSites(zone, seededRandom(zone.county));
    return { zone, borders, crossings: cutZone(zone, borders, cuts) };
  });
  const polygons: ZipPolygon[] = [];
  cutZones.forEach(({ zone, borders, crossings }) => {
    divide(zone, borders, crossings, cuts).forEach((rings, site) => {
      const { zip } = zone.sites[site]!;
      polygons.push({ type: 'Feature', properties: { zip }, geometry: asGeometry(rings) });
    });
  });
  return polygons.sort((a, b) => (a.properties.zip < b.properties.zip ? -1 : 1));
}

/** Rings run counterclockwise, as RFC 7946 requires for outer rings. */
function asGeometry(rings: readonly Ring[]): Polygon | MultiPolygon {
  // No ZIP code surrounds another today: where a county lies inside another one, several ZIP codes share
  // the surrounding one.
  if (rings.some((ring) => ringArea(ring) < 0)) throw new Error('a ZIP code surrounds another');
  const coordinates = rings.map((ring) => [closeRingInDegrees(ring)]);
  return coordinates.length === 1
    ? { type: 'Polygon', coordinates: coordinates[0]! }
    : { type: 'MultiPolygon', coordinates };
}

const closeRingInDegrees = (ring: Ring): Position[] => [...ring, ring[0]!].map(toDegrees);
