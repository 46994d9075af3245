/** Addresses in the search, from a geocoder that speaks Nominatim's or Photon's protocol. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { geocoderFrom, looksLikeAddress } from '../../../src/data/geocoding/geocoder.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const [dallas] = await db.query<{ lng: number; lat: number }>(
  `select st_x(p) as lng, st_y(p) as lat
   from (select st_pointonsurface(geom) as p from zip_boundaries where zip = '75201' and lod = 0) b`,
);
const { lng, lat } = dallas!;

const requests: URL[] = [];
let fails: ((response: ServerResponse) => void) | undefined;
const geocodingServer = createServer((request: IncomingMessage, response) => {
  const url = new URL(request.url!, 'http://geocoder');
  requests.push(url);
  if (fails) fails(response);
  else {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(url.pathname === '/api' ? PHOTON : NOMINATIM));
  }
});
await new Promise<void>((resolve) => geocodingServer.listen(0, '127.0.0.1', resolve));
afterAll(() => geocodingServer.close());
const geocoderUrl = `http://127.0.0.1:${(geocodingServer.address() as AddressInfo).port}`;

// As the servers answer; shortened
const NOMINATIM = [
  {
    lat: String(lat),
    lon: String(lng),
    display_name: 'City Hall, 1500, Marilla Street, Dallas, Dallas County, Texas, 75201, USA',
    address: {
      house_number: '1500',
      road: 'Marilla Street',
      city: 'Dallas',
      state: 'Texas',
      'ISO3166-2-lvl4': 'US-TX',
      postcode: '75201',
    },
  },
  // In the Gulf of Mexico
  { lat: '27.5', lon: '-92', display_name: 'Platform', address: {} },
];
const feature = (countrycode: string) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [lng, lat] },
  properties: {
    housenumber: '1500',
    street: 'Marilla Street',
    city: 'Dallas',
    state: 'Texas',
    countrycode,
    osm_key: 'building',
  },
});
const PHOTON = { type: 'FeatureCollection', features: [feature('US'), feature('CA')] };

async function serve(engine: 'nominatim' | 'photon' | null) {
  const geocoder = engine && geocoderFrom({ url: geocoderUrl, engine });
  const port = await serveBare({ db, ...(geocoder && { geocoder }) });
  return async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/search${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

beforeEach(() => {
  requests.splice(0);
  fails = undefined;
});

describe.each(['nominatim', 'photon'] as const)('with %s', (engine) => {
  it('finds an address with the ZIP code that contains it, and keeps it out of caches', async () => {
    const open = await serve(engine);
    const { text, headers } = await open('.json?q=1500+Marilla+St');
    expect(JSON.parse(text).places).toEqual([
      {
        kind: 'address',
        label: '1500 Marilla Street, Dallas, TX',
        detail: 'Address in 75201',
        zip: '75201',
        state: 'TX',
        metro: 'dallas-tx',
        url: '/zip/75201',
        bbox: [lng - 0.008, lat - 0.008, lng + 0.008, lat + 0.008],
      },
    ]);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(requests[0]!.searchParams.get('q')).toBe('1500 marilla st');
    await open('?q=1500%20%20MARILLA%20st');
    expect(requests).toHaveLength(1);
  });

  it('finds places while the server fails, says so, and asks again later', async () => {
    const open = await serve(engine);
    const failures: ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(500).end('oops'),
      (response) => response.end('{"error": "no such index"}'),
      (response) => response.destroy(),
    ];
    for (const [i, failure] of failures.entries()) {
      fails = failure;
      const { status, text } = await open(`?q=${i + 1}+Houston+Street`);
      expect(status).toBe(200);
      expect(text).toContain('Addresses can’t be found at the moment.');
    }
    fails = undefined;
    expect(requests).toHaveLength(3);
    // It has failed three times, so it isn't asked for a while.
    expect((await open('?q=4+Houston+Street')).text).toContain('can’t be found');
    expect(requests).toHaveLength(3);
  });
});

it('finds nothing for a text that the server refuses, and keeps asking about others', async () => {
  const open = await serve('nominatim');
  fails = (response) => response.writeHead(400).end('{"error": "unreadable"}');
  for (const number of [1, 2, 3, 4]) {
    expect((await open(`?q=${number}+%25%25+Street`)).text).not.toContain('can’t be found');
  }
  fails = undefined;
  expect(JSON.parse((await open('.json?q=1500+Marilla+St')).text).places).toHaveLength(1);
});

it('asks nothing about ZIP codes and names, and nothing without a geocoder', async () => {
  const open = await serve('nominatim');
  for (const query of ['75201', '75201-1234', 'Plano', '1500', '3 M', '']) {
    expect((await open(`.json?q=${encodeURIComponent(query)}`)).status).toBe(200);
  }
  const without = await serve(null);
  expect(JSON.parse((await without('.json?q=1500+Marilla+St')).text).places).toEqual([]);
  expect(requests).toEqual([]);
});

it.each([
  ['1500 Marilla St, Dallas', true],
  ['12B Baker Street', true],
  ['100 N Main', true],
  ['75201', false],
  ['Dallas', false],
  ['12 ab', false],
])('“%s” looks like an address: %s', (text, expected) => {
  expect(looksLikeAddress(text)).toBe(expected);
});
