/**
 * The view of the map, stored in the page's address after `#`: `map=9.50/32.7767/-96.7970&zip=75201` or
 * `map=…&city=Plano, TX`.
 * Browsers don't send this part, so servers and caches treat all views of a vertical as one page. Pure.
 */

interface Camera {
  zoom: number;
  lat: number;
  lng: number;
}

interface View {
  /** Null shows everything */
  camera: Camera | null;
  /** The chosen city or county */
  area?: Area | null;
  /** The chosen ZIP code */
  zip: string | null;
}

/** A place with several ZIP codes, which has an outline and figures of its own */
export interface Area {
  kind: (typeof AREA_KINDS)[number];
  /** `Plano, TX`; `Collin County, TX` */
  label: string;
}

const AREA_KINDS = ['city', 'county'] as const;

export const isAreaKind = (kind: string): kind is Area['kind'] =>
  (AREA_KINDS as readonly string[]).includes(kind);

/** Links to the map contain a metro instead of a camera: `metro=dallas-tx`. */
export interface LinkedView extends View {
  /** Slug */
  metro: string | null;
  area: Area | null;
}

/** West, south, east, north */
type Bbox = readonly [number, number, number, number];

/** Ignores unreadable parts, because people edit and shorten addresses. */
export function parseView(hash: string): LinkedView {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const [zoom, lat, lng, ...more] = (fields.get('map') ?? '').split('/').map(readNumber);
  const isCamera =
    more.length === 0 &&
    isBetween(zoom, 0, 22) &&
    isBetween(lat, -85, 85) &&
    isBetween(lng, -180, 180);
  const zip = fields.get('zip');
  const kind = AREA_KINDS.find((each) => fields.get(each));
  return {
    camera: isCamera ? { zoom, lat, lng } : null,
    metro: fields.get('metro'),
    area: kind === undefined ? null : { kind, label: fields.get(kind)! },
    zip: zip !== null && /^\d{5}$/.test(zip) ? zip : null,
  };
}

/** @returns the part including `#`; empty for a view of everything */
export function formatView({ camera, area, zip }: View): string {
  const fields: string[] = [];
  if (camera) {
    // Precise to about a tenth of a pixel: at zoom 0, the world is 512 pixels wide.
    const zoom = camera.zoom.toFixed(2);
    const decimals = Math.ceil(Number(zoom) * Math.log10(2) + 1);
    const [lat, lng] = [camera.lat, camera.lng].map((degrees) =>
      // Not -0.00
      degrees.toFixed(decimals).replace(/^-(?=[0.]+$)/, ''),
    );
    fields.push(`map=${zoom}/${lat}/${lng}`);
  }
  if (area) fields.push(`${area.kind}=${encodeURIComponent(area.label)}`);
  if (zip !== null) fields.push(`zip=${zip}`);
  return fields.length > 0 ? `#${fields.join('&')}` : '';
}

const readNumber = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN);

const isBetween = (value: number | undefined, from: number, to: number): value is number =>
  value !== undefined && value >= from && value <= to;

/**
 * Returns the metro whose extent contains the center of the map. The extents of neighboring metros overlap.
 * If several contain it, returns the metro with the nearest center.
 */
export function metroAt(
  { lng, lat }: Pick<Camera, 'lng' | 'lat'>,
  extents: ReadonlyMap<string, Bbox>,
): string | null {
  let nearest: string | null = null;
  let least = Infinity;
  for (const [metro, [west, south, east, north]] of extents) {
    if (lng < west || lng > east || lat < south || lat > north) continue;
    const distance = Math.hypot(
      (lng - (west + east) / 2) * Math.cos((lat * Math.PI) / 180),
      lat - (south + north) / 2,
    );
    if (distance < least) {
      least = distance;
      nearest = metro;
    }
  }
  return nearest;
}
