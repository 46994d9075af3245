/** The address of a view of the workspace, so that it can be shared and reloaded. Pure. */

export interface MapPosition {
  lat: number;
  lng: number;
  zoom: number;
}

export interface ViewAddress {
  /** `metro=dallas-tx` */
  place: string;
  colorBy: string;
  /** Null shows the whole market */
  position: MapPosition | null;
}

const PLACES = ['plan', 'metro', 'state'] as const;

/** Returns the parts that are present in an address. */
export function readAddress(search: string): Partial<ViewAddress> {
  const query = new URLSearchParams(search);
  const name = PLACES.find((one) => query.get(one));
  const colorBy = query.get('color');
  const position = readPosition(query.get('at'));
  return {
    ...(name && { place: `${name}=${query.get(name)}` }),
    ...(colorBy && { colorBy }),
    ...(position && { position }),
  };
}

/** `32.7767,-96.797,9.5` */
function readPosition(text: string | null): MapPosition | null {
  const [lat, lng, zoom, ...more] = (text ?? '')
    .split(',')
    .map((part) => (part ? Number(part) : NaN));
  if (lat === undefined || lng === undefined || zoom === undefined || more.length > 0) return null;
  const isOnMap = Math.abs(lat) <= 85 && Math.abs(lng) <= 180 && zoom >= 0 && zoom <= 22;
  return isOnMap ? { lat, lng, zoom } : null;
}

/**
 * Returns an address's query with these parts replaced.
 * @param search the current one
 */
export function writeAddress(search: string, { place, colorBy, position }: ViewAddress): string {
  const query = new URLSearchParams(search);
  for (const name of PLACES) query.delete(name);
  const [name = 'metro', value = ''] = place.split('=');
  query.set(name, value);
  query.set('color', colorBy);
  if (position) {
    const { lat, lng, zoom } = position;
    query.set('at', `${lat.toFixed(4)},${lng.toFixed(4)},${zoom.toFixed(2)}`);
  } else query.delete('at');
  return `?${query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`;
}
