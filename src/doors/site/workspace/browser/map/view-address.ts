/** The address of a view of the workspace, so that it can be shared and reloaded. Pure. */
import { STRONG_FROM } from '../../../../../territories/own-data/white-space.ts';

export interface MapPosition {
  lat: number;
  lng: number;
  zoom: number;
}

/** What the view of white space compares with the scores on the map */
export interface WhiteSpaceView {
  /** Short name of a data set; empty for the first one */
  data: string;
  /** Demand is strong from this score. */
  strongFrom: number;
  /** A ZIP code is served from this rate; null for the median */
  servedFrom: number | null;
  /** Largest distance from a territory, in miles; null for any */
  withinMiles?: number | null;
}

interface ViewAddress {
  /** `metro=dallas-tx` */
  place: string;
  colorBy: string;
  whiteSpace: WhiteSpaceView | null;
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
  const whiteSpace = readWhiteSpace(query);
  return {
    ...(name && { place: `${name}=${query.get(name)}` }),
    ...(colorBy && { colorBy }),
    ...(whiteSpace && { whiteSpace }),
    ...(position && { position }),
  };
}

/** The name in addresses */
const WHITE_SPACE = 'white-space';

function readWhiteSpace(query: URLSearchParams): WhiteSpaceView | null {
  if (query.get('view') !== WHITE_SPACE) return null;
  const number = (name: string) => {
    const text = query.get(name);
    return text !== null && Number(text) >= 0 ? Number(text) : null;
  };
  return {
    data: query.get('data') ?? '',
    strongFrom: number('strong') ?? STRONG_FROM,
    servedFrom: number('served'),
    withinMiles: number('within'),
  };
}

/** Replaces the parameters of the view. Defaults are left out. */
export function writeWhiteSpace(query: URLSearchParams, view: WhiteSpaceView | null): void {
  const { data = '', strongFrom = STRONG_FROM, servedFrom = null, withinMiles = null } = view ?? {};
  const values = {
    view: view === null ? '' : WHITE_SPACE,
    data,
    strong: strongFrom === STRONG_FROM ? '' : String(strongFrom),
    served: servedFrom === null ? '' : String(servedFrom),
    within: withinMiles === null ? '' : String(withinMiles),
  };
  for (const [name, value] of Object.entries(values)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
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
export function writeAddress(search: string, view: ViewAddress): string {
  const { place, colorBy, whiteSpace, position } = view;
  const query = new URLSearchParams(search);
  for (const name of PLACES) query.delete(name);
  const [name = 'metro', value = ''] = place.split('=');
  query.set(name, value);
  query.set('color', colorBy);
  writeWhiteSpace(query, whiteSpace);
  if (position) {
    const { lat, lng, zoom } = position;
    query.set('at', `${lat.toFixed(4)},${lng.toFixed(4)},${zoom.toFixed(2)}`);
  } else query.delete('at');
  return `?${query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`;
}
