/** The view of a picture as one segment of a URL. */
import { isDecimal, parseBbox, type Bbox } from '../../base/spatial/bbox.ts';
import { fitBbox, type Camera, type PaddingBySide } from '../../base/spatial/camera.ts';
import { MAX_LATITUDE } from '../../base/spatial/mercator.ts';

/** `auto` is the closest view of the whole subject. */
type StaticView = 'auto' | Camera | { bbox: Bbox };

export const VIEW_FORMS = ['auto', 'lng,lat,zoom', 'minLng,minLat,maxLng,maxLat'] as const;

const EXAMPLE = '-96.8,32.78,9.5';

const MAX_VIEW_ZOOM = 18;

/** The largest zoom of other map services */
const MAX_ZOOM_ELSEWHERE = 24;

/** `lng,lat,zoom` with a bearing and a pitch: `,30,60` for Mapbox, `@30,60` for TileServer GL */
const CENTER = /^([^,@]+),([^,@]+),([^,@]+)(?:[,@]([^,@]+)(?:,([^,@]+))?)?$/;

const BRACKETED = /^\[(.*)\]$/;

/**
 * Parses a view, also as other map services write it. A box may be in brackets. Without brackets, four numbers
 * are a box too, unless the third looks like a zoom: then the fourth is a bearing.
 *
 * @throws RangeError with a message that completes a sentence about the parameter
 */
export function parseView(text: string): StaticView {
  if (text === 'auto') return 'auto';
  const [, bracketed] = BRACKETED.exec(text) ?? [];
  if (bracketed !== undefined) return parseBox(bracketed);
  const center = parseCenter(text);
  const isBox = text.split(',').length === 4 && !text.includes('@') && !hasZoom(center);
  return isBox ? parseBox(text) : cameraAt(center);
}

/** Whether the third number is a zoom. As a longitude, it would be in Africa or Europe, where no ZIP code is. */
const hasZoom = (center: Center | null) =>
  center !== null && center.zoom >= 0 && center.zoom <= MAX_ZOOM_ELSEWHERE;

function parseBox(text: string): { bbox: Bbox } {
  const [west, south, , north] = text.split(',').map(Number) as Bbox;
  refuseSwapped(west, Math.max(south, north));
  return { bbox: parseBbox(text) };
}

interface Center {
  lng: number;
  lat: number;
  zoom: number;
  /** Degrees */
  bearing: number;
  pitch: number;
}

/** Returns null for anything but three to five numbers. */
function parseCenter(text: string): Center | null {
  const [, ...parts] = CENTER.exec(text) ?? [];
  const numbers = parts.map((part = '0') => (isDecimal(part.trim()) ? Number(part) : NaN));
  if (numbers.length === 0 || numbers.some(Number.isNaN)) return null;
  const [lng, lat, zoom, bearing, pitch] = numbers as [number, number, number, number, number];
  return { lng, lat, zoom, bearing, pitch };
}

/** @param center null for a text that is no view */
function cameraAt(center: Center | null): Camera {
  if (center === null) {
    throw new RangeError(`must be ${VIEW_FORMS.join(', or ')}; for example ${EXAMPLE}`);
  }
  const { lng, lat, zoom, bearing, pitch } = center;
  refuseSwapped(lng, lat);
  if (Math.abs(lng) > 180) throw new RangeError('has a longitude outside -180..180');
  if (Math.abs(lat) > MAX_LATITUDE) throw new RangeError('has a latitude outside -85.05..85.05');
  if (zoom < 0 || zoom > MAX_VIEW_ZOOM) {
    throw new RangeError(`has a zoom outside 0..${MAX_VIEW_ZOOM}`);
  }
  if (bearing !== 0) throw new RangeError(`has a bearing of ${bearing}, ${NOT_TURNED}`);
  if (pitch !== 0) throw new RangeError(`has a pitch of ${pitch}, ${NOT_TURNED}`);
  return { center: [lng, lat], zoom };
}

const NOT_TURNED = `which isn't supported: north is up, and maps are flat. Use lng,lat,zoom; for example ${EXAMPLE}`;

/**
 * Refuses a latitude before a longitude, which would show an empty sea: no ZIP code is east of Greenwich and
 * that far south, nor at a latitude above 90.
 */
function refuseSwapped(lng: number, lat: number): void {
  if (lng < -15 || lng > 90 || (lat >= -60 && lat <= 90)) return;
  throw new RangeError(
    `has the latitude before the longitude; the longitude is first, for example ${EXAMPLE}`,
  );
}

/** The camera of a view; undefined for `auto`. The default padding is none */
export function cameraOfView(
  view: StaticView,
  { width, height }: { width: number; height: number },
  padding?: PaddingBySide,
): Camera | undefined {
  if (view === 'auto') return undefined;
  return 'bbox' in view ? fitBbox(view.bbox, width, height, padding ?? 0) : view;
}
