/** The parameters `markers` and `overlay`: bounded shapes and points with the properties of simplestyle. */
import { z } from 'zod';
import { inkOn } from '../../data/basemap/label-inks.ts';
import type { Overlay, OverlayLook } from '../../maps/cartography/overlay.ts';

/** Limits of an overlay. A URL has at most 8 kB, so larger overlays can't be sent. */
export const OVERLAY_LIMITS = { markers: 50, features: 100 } as const;

const BLUE = '#1d4ed8';

const lng = z.number().min(-180).max(180);
const lat = z.number().min(-85.06).max(85.06);
const position = z.tuple([lng, lat], z.number());
const line = z.array(position).min(2);
const ring = z
  .array(position)
  .min(4)
  .refine(([first, ...rest]) => {
    const last = rest.at(-1)!;
    return first![0] === last[0] && first![1] === last[1];
  }, 'must end at its first position');

const geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: position }),
  z.object({ type: z.literal('MultiPoint'), coordinates: z.array(position).min(1) }),
  z.object({ type: z.literal('LineString'), coordinates: line }),
  z.object({ type: z.literal('MultiLineString'), coordinates: z.array(line).min(1) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) }),
]);

const COLOR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;
const COLOR_RULE = 'must be a color such as e11d48 or #fa0';
const SYMBOL_RULE = 'must be one letter or digit';

/** Three or six hexadecimal digits. The number sign is optional, because URLs must escape it. */
const color = z.string().regex(COLOR, COLOR_RULE).transform(sixDigits);
const symbol = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => /^[\p{L}\p{N}]$/u.test(text), SYMBOL_RULE);

const look = z.object({
  stroke: color.default(BLUE),
  'stroke-width': z.number().min(0).max(20).default(2),
  'stroke-opacity': z.number().min(0).max(1).default(1),
  fill: color.optional(),
  'fill-opacity': z.number().min(0).max(1).default(0.25),
  'marker-color': color.default(BLUE),
  'marker-symbol': symbol.optional(),
});

const feature = z.object({ type: z.literal('Feature'), properties: look.nullish(), geometry });

const geojson = z.union([
  z.object({ type: z.literal('FeatureCollection'), features: z.array(feature).min(1) }),
  feature,
  geometry,
]);

/** @throws RangeError with a message that completes a sentence about the parameter */
export function parseOverlay(text: string): Overlay {
  const parsed = geojson.safeParse(readJson(text));
  if (!parsed.success) throw new RangeError(describe(parsed.error));
  const { data } = parsed;
  const features =
    data.type === 'FeatureCollection'
      ? data.features
      : [data.type === 'Feature' ? data : { properties: null, geometry: data }];
  if (features.length > OVERLAY_LIMITS.features) {
    throw new RangeError(
      `has ${features.length} features; the limit is ${OVERLAY_LIMITS.features}`,
    );
  }
  return features.map(({ properties, geometry: shape }) => ({
    type: 'Feature',
    properties: lookOf(look.parse(properties ?? {})),
    geometry: shape,
  }));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError('must be GeoJSON: a geometry, a Feature, or a FeatureCollection');
  }
}

function describe({ issues }: z.ZodError): string {
  // A union reports the problems of all choices. Those of the choice with the right type have the longest
  // paths.
  const all = issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? [issue, ...issue.errors.flat()] : [issue],
  );
  const deepest = all.reduce((a, b) => (b.path.length > a.path.length ? b : a));
  const place = deepest.path.length === 0 ? '' : ` at ${deepest.path.join('.')}`;
  return `must be GeoJSON (a geometry, a Feature, or a FeatureCollection) with valid values${place}: ${deepest.message}`;
}

const MARKER = /^(-?[\d.]+),(-?[\d.]+)(?:,([^,]*))?(?:,(.*))?$/;
const MARKER_FORM = 'lng,lat[,color[,letter or digit]], separated by semicolons';

/** @throws RangeError, as `parseOverlay` */
export function parseMarkers(text: string): Overlay {
  const markers = text.split(';').map((one) => {
    const [, x, y, shade = '', letter = ''] = MARKER.exec(one.trim()) ?? [];
    const coordinates = position.safeParse([Number(x), Number(y)]);
    if (!coordinates.success) {
      throw new RangeError(`must be ${MARKER_FORM}; for example -96.8,32.78,e11d48,A`);
    }
    if (shade !== '' && !COLOR.test(shade)) {
      throw new RangeError(`has the color "${shade}", which ${COLOR_RULE}`);
    }
    if (letter !== '' && !symbol.safeParse(letter).success) {
      throw new RangeError(`has the symbol "${letter}", which ${SYMBOL_RULE}`);
    }
    const properties = look.parse({
      ...(shade && { 'marker-color': shade }),
      ...(letter && { 'marker-symbol': letter }),
    });
    return { lngLat: coordinates.data, look: lookOf(properties) };
  });
  if (markers.length > OVERLAY_LIMITS.markers) {
    throw new RangeError(`has ${markers.length} markers; the limit is ${OVERLAY_LIMITS.markers}`);
  }
  return markers.map(({ lngLat, look: properties }) => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Point', coordinates: lngLat },
  }));
}

function lookOf(given: z.output<typeof look>): OverlayLook {
  const { stroke, fill = stroke, 'marker-color': marker } = given;
  return {
    stroke,
    fill,
    marker,
    ink: inkOn(marker),
    strokeWidth: given['stroke-width'],
    strokeOpacity: given['stroke-opacity'],
    fillOpacity: given['fill-opacity'],
    symbol: given['marker-symbol'] ?? '',
  };
}

function sixDigits(text: string): string {
  const digits = text.replace('#', '').toLowerCase();
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
}
