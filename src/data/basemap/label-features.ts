/**
 * Label points of areas. Each area has one, where it has the most room. A symbol layer on polygons would
 * label every island and sliver of an area.
 */
import type { Feature, MultiPolygon, Point, Polygon } from 'geojson';
import { bboxOfGeometry } from '../../base/spatial/bbox.ts';
import { signedAreaPx } from '../../base/spatial/flat.ts';
import { labelPoint } from '../../base/spatial/label-point.ts';
import { largestPart } from '../../base/spatial/largest-part.ts';
import {
  latOfMercatorY,
  lngOfMercatorX,
  mercatorX,
  mercatorY,
  TILE_SIZE_PX,
  worldSizePx,
} from '../../base/spatial/mercator.ts';

/** In fractions of the world's width */
const WORLD = { x: mercatorX, y: mercatorY };

/** Precision relative to the size of an area: an error of 1% is invisible. */
const PRECISION_SHARE = 0.01;

/** About half the width of the name of a county or state */
export const AREA_LABEL_RADIUS_PX = 20;
/** Half the diagonal of five digits in the styles: the circle around a ZIP code label */
export const ZIP_LABEL_RADIUS_PX = 15;

/**
 * Returns the label point of each area, with the area's properties and `labelZoom`: the zoom from which a
 * circle of `labelRadiusPx` around the point fits inside the area.
 */
export function labelFeatures(
  areas: readonly Feature<Polygon | MultiPolygon>[],
  labelRadiusPx: number,
): Feature<Point>[] {
  return areas.flatMap((area) => {
    const rings = largestPart(area.geometry, WORLD);
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
 * Returns the labels that fit at a picture's zoom. Styles compare `labelZoom` with the integer zoom of
 * a map's tiles. A picture has a fractional zoom, so `labelZoom` is rounded down to pass the filter.
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

/** Returns the labels of areas that fit at a picture's zoom. Skips areas that are too narrow. */
export function labelsInPicture(
  zoom: number,
  areas: readonly Feature<Polygon | MultiPolygon>[],
  labelRadiusPx: number,
): Feature<Point>[] {
  // Longitude is proportional to pixels: an area narrower than the circle cannot contain it.
  const diameterDeg = ((2 * labelRadiusPx) / worldSizePx(zoom)) * 360;
  const roomy = areas.filter(({ geometry }) => {
    const [west, , east] = bboxOfGeometry(geometry);
    return east - west >= diameterDeg;
  });
  return labelsFittingAt(zoom, labelFeatures(roomy, labelRadiusPx));
}
