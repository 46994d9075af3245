/**
 * One label point for each area. A symbol layer on polygons labels every part of a multipolygon,
 * each island and sliver; these points label the area once, where it has most room.
 */
import type { Feature, MultiPolygon, Point, Polygon, Position } from 'geojson';
import { bboxOfGeometry } from '../spatial/bbox.ts';
import { signedAreaPx, type FlatPoints } from '../spatial/flat.ts';
import { labelPoint } from '../spatial/label-point.ts';
import {
  latOfMercatorY,
  lngOfMercatorX,
  mercatorX,
  mercatorY,
  TILE_SIZE_PX,
  worldSizePx,
} from '../spatial/mercator.ts';

/** Relative to the area's extent: a hundredth cannot be seen. */
const PRECISION_SHARE = 0.01;

/** About half of what the name of a county or state takes up */
export const AREA_LABEL_RADIUS_PX = 20;
/** Half the diagonal of five digits as the styles set them: the circle that a ZIP label fills. */
export const ZIP_LABEL_RADIUS_PX = 15;

/**
 * Label points with the properties of their areas and `labelZoom`, the zoom from which a circle of
 * `labelRadiusPx` fits around the point inside the area.
 */
export function labelFeatures(
  areas: readonly Feature<Polygon | MultiPolygon>[],
  labelRadiusPx: number,
): Feature<Point>[] {
  return areas.flatMap((area) => {
    const rings = largestPart(area.geometry);
    if (rings === null) return [];
    const precision = PRECISION_SHARE * Math.sqrt(Math.abs(signedAreaPx(rings[0]!)));
    const { x, y, radius } = labelPoint(rings, precision);
    const labelZoom = Math.log2(labelRadiusPx / (radius * TILE_SIZE_PX));
    return [
      {
        type: 'Feature',
        ...(area.id === undefined ? {} : { id: area.id }),
        properties: { ...area.properties, labelZoom },
        geometry: { type: 'Point', coordinates: [lngOfMercatorX(x), latOfMercatorY(y)] },
      },
    ];
  });
}

/**
 * The labels that fit at a still picture's zoom. Styles compare `labelZoom` with the whole zoom of a
 * map's tiles; a picture has none and need not hold back what fits a fraction later.
 */
export function labelsFittingAt(zoom: number, labels: readonly Feature<Point>[]): Feature<Point>[] {
  return labels
    .filter(({ properties }) => properties!.labelZoom <= zoom)
    .map((label) => ({
      ...label,
      properties: {
        ...label.properties,
        labelZoom: Math.min(label.properties!.labelZoom, Math.floor(zoom)),
      },
    }));
}

/** The labels of areas that fit at a picture's zoom, measured only where they may. */
export function labelsInPicture(
  zoom: number,
  areas: readonly Feature<Polygon | MultiPolygon>[],
  labelRadiusPx: number,
): Feature<Point>[] {
  // Longitude is pixels but for a factor: an area narrower than the circle cannot hold it.
  const diameterDeg = ((2 * labelRadiusPx) / worldSizePx(zoom)) * 360;
  const roomy = areas.filter(({ geometry }) => {
    const [west, , east] = bboxOfGeometry(geometry);
    return east - west >= diameterDeg;
  });
  return labelsFittingAt(zoom, labelFeatures(roomy, labelRadiusPx));
}

/** Rings of the largest polygon in fractions of the world; null where there is none. */
function largestPart(geometry: Polygon | MultiPolygon): FlatPoints[] | null {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  let largest: FlatPoints[] | null = null;
  let most = 0;
  for (const polygon of polygons) {
    const rings = polygon.map(mercatorRing);
    const area = Math.abs(signedAreaPx(rings[0]!));
    if (area > most) {
      most = area;
      largest = rings;
    }
  }
  return largest;
}

function mercatorRing(ring: readonly Position[]): FlatPoints {
  return ring.slice(1).flatMap(([lng, lat]) => [mercatorX(lng!), mercatorY(lat!)]);
}
