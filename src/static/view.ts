/** The view of a picture as one segment of a URL. */
import { parseBbox, type Bbox } from '../spatial/bbox.ts';
import { fitBbox, type Camera, type PaddingBySide } from '../spatial/camera.ts';
import { MAX_LATITUDE } from '../spatial/mercator.ts';

/** `auto` is the closest view of the whole subject. */
export type StaticView = 'auto' | Camera | { bbox: Bbox };

export const VIEW_FORMS = ['auto', 'lng,lat,zoom', 'minLng,minLat,maxLng,maxLat'] as const;

const MAX_VIEW_ZOOM = 18;

const DECIMAL = /^-?\d{1,3}(\.\d{1,12})?$/;

/** @throws RangeError with a message that completes a sentence about the parameter */
export function parseView(text: string): StaticView {
  if (text === 'auto') return 'auto';
  const parts = text.split(',');
  if (parts.length === 4) return { bbox: parseBbox(text) };
  if (parts.length !== 3 || !parts.every((part) => DECIMAL.test(part))) {
    throw new RangeError(`must be ${VIEW_FORMS.join(', or ')}; for example -96.8,32.78,9.5`);
  }
  const [lng, lat, zoom] = parts.map(Number) as [number, number, number];
  if (Math.abs(lng) > 180) throw new RangeError('has a longitude outside -180..180');
  if (Math.abs(lat) > MAX_LATITUDE) throw new RangeError('has a latitude outside -85.05..85.05');
  if (zoom < 0 || zoom > MAX_VIEW_ZOOM) {
    throw new RangeError(`has a zoom outside 0..${MAX_VIEW_ZOOM}`);
  }
  return { center: [lng, lat], zoom };
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
