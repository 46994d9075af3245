/**
 * A routing server that speaks Valhalla's isochrones and OSRM's tables. Its cars drive at 30 mph along
 * meridians and parallels, so the area within a drive is a diamond.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';

const DEGREES_PER_MINUTE = 0.5 / 69;

export interface TestRouter {
  /** For `ROUTING_URL` */
  url: string;
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[];
  /** Replaces the answers; undefined: the server works */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

interface Place {
  lat: number;
  lng: number;
}

/** Minutes by car, without a road north of 60 degrees */
export const minutesBetween = (from: Place, to: Place) =>
  (Math.abs(to.lat - from.lat) + Math.abs(to.lng - from.lng) * Math.cos(radians(from.lat))) /
  DEGREES_PER_MINUTE;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const hasRoad = ({ lat }: Place) => lat < 60;

/** Listens until the tests of the file have ended. */
export async function startRouter(): Promise<TestRouter> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    router.requests.push({ method, url, headers });
    if (router.answer) router.answer(request, response);
    else void work(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const router: TestRouter = { url: `http://127.0.0.1:${port}`, requests: [], answer: undefined };
  return router;
}

async function work(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://router');
  const [status, body] =
    request.method === 'POST' && pathname === '/isochrone'
      ? isochrone(JSON.parse(await text(request)))
      : request.method === 'GET' && pathname.startsWith('/table/v1/driving/')
        ? table(pathname.slice('/table/v1/driving/'.length), searchParams)
        : ([404, { error_code: 106, error: 'Try any of: /route /isochrone' }] as const);
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

interface IsochroneRequest {
  locations: [{ lat: number; lon: number }];
  costing: 'auto';
  contours: [{ time: number }];
  polygons: true;
}

type Answer = readonly [status: number, body: object];

function isochrone({ locations, costing, contours, polygons }: IsochroneRequest): Answer {
  if (costing !== 'auto' || !polygons) return [400, { error_code: 125, error: 'No costing' }];
  const [{ lat, lon: lng }] = locations;
  const [{ time }] = contours;
  if (!hasRoad({ lat, lng })) {
    return [400, { error_code: 171, error: 'No suitable edges near location', status_code: 400 }];
  }
  if (time > 100) return [400, { error_code: 151, error: 'Exceeded max time: 100' }];
  const reach = time * DEGREES_PER_MINUTE;
  const wide = reach / Math.cos(radians(lat));
  const ring = [
    [lng - wide, lat],
    [lng, lat - reach],
    [lng + wide, lat],
    [lng, lat + reach],
    [lng - wide, lat],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  const feature = { type: 'Feature', properties: { contour: time, metric: 'time' }, geometry };
  return [200, { type: 'FeatureCollection', features: [feature] }];
}

const MAX_TABLE = 100;

function table(coordinates: string, options: URLSearchParams): Answer {
  const places = coordinates.split(';').map((pair): Place => {
    const [lng, lat] = pair.split(',').map(Number);
    return { lat: lat!, lng: lng! };
  });
  if (places.length > MAX_TABLE || options.get('sources') !== '0') {
    return [400, { code: 'TooBig', message: 'Too many table coordinates' }];
  }
  const snapped = (place: Place) => ({
    name: '',
    location: [place.lng, place.lat],
    distance: hasRoad(place) ? 40 : 600_000,
  });
  return [
    200,
    {
      code: 'Ok',
      durations: [places.map((place) => 60 * minutesBetween(places[0]!, place))],
      sources: [snapped(places[0]!)],
      destinations: places.map(snapped),
    },
  ];
}
