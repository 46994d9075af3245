/**
 * Crawls the service without a credential: follows every link, calls every operation for every metro and
 * vertical, and loads the tiles. The national data must not be reachable this way.
 */
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, it } from 'vitest';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import type { Operation } from '../../src/base/contract/operation.ts';
import { launchedMetros } from '../../src/data/market/metros.ts';
import { SCORE_CLASSES, scoreTiles } from '../../src/maps/cartography/tiles/score-tiles.ts';
import { render } from '../../src/render/render.ts';
import { VERTICALS } from '../../src/data/scoring/verticals.ts';
import { mercatorX, mercatorY } from '../../src/base/spatial/mercator.ts';
import { bareOperations, serveBare } from '../support/bare-app.ts';
import { testDatabase } from '../support/database.ts';
import { testLog } from '../support/log.ts';

const { db } = await testDatabase('sample');

let clients = 0;
const root = { url: '' };
const parts = {
  db,
  renderer: mapsWith({ render }),
  log: testLog(),
  apiRoot: () => root.url,
  // Each request has its own limits: they slow a crawler down but don't stop it.
  clientOf: () => String(clients++),
};
root.url = `http://127.0.0.1:${await serveBare(parts, '')}`;

interface Place {
  zip: string;
  /** Slug; null outside the launched metros */
  metro: string | null;
  lng: number;
  lat: number;
}
const places = await db.query<Place>(
  `select zip, metro_slug as metro, st_x(centroid) as lng, st_y(centroid) as lat
   from zips left join metro_counties using (county_fips) order by zip`,
);
const launched = new Set(places.filter(({ metro }) => metro).map(({ zip }) => zip));
const outside = new Set(places.filter(({ metro }) => !metro).map(({ zip }) => zip));
const everyNth = (step: number) => places.filter((_, i) => i % step === 0);

const metros = launchedMetros().map(({ slug }) => slug);
const verticals = VERTICALS.map(({ slug }) => slug);
/** FIPS codes of counties, which have five digits too */
const counties = new Set(launchedMetros().flatMap((m) => m.counties.map(({ fips }) => fips)));

interface Page {
  path: string;
  status: number;
  type: string;
  bytes: Buffer;
}

async function load(path: string): Promise<Page> {
  const response = await fetch(root.url + path);
  return {
    path,
    status: response.status,
    type: response.headers.get('Content-Type')?.split(';')[0] ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** Loads 16 pages at a time. Returns them in order. */
async function loadAll(paths: readonly string[]): Promise<Page[]> {
  const pages: Page[] = [];
  for (let i = 0; i < paths.length; i += 16) {
    pages.push(...(await Promise.all(paths.slice(i, i + 16).map(load))));
  }
  return pages;
}

const jsonOf = ({ bytes }: Page): unknown => JSON.parse(bytes.toString());

/** Returns every object in a document that names a ZIP code. */
function recordsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.entries(value).some(
    ([key, text]) => /^zip/i.test(key) && /^\d{5}$/.test(String(text)),
  );
  const inner = Object.values(value).flatMap(recordsIn);
  return own ? [value as Record<string, unknown>, ...inner] : inner;
}

/**
 * Returns groups of five digits that a reader would take for ZIP codes: not those in markup, in longer
 * numbers, in names such as B25003, or in a field of an example.
 */
function zipsInText(text: string): string[] {
  const shown = text
    // The port may look like a ZIP code.
    .replaceAll(root.url, ' ')
    .replaceAll(/<(script|style|svg)\b[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"');
  return [...shown.matchAll(/(?<![\w.,#$%/-]|": ?)\d{5}(?![\w%]|[.,-]\d)/g)].map(([zip]) => zip);
}

const TEXT_TYPES = /^text\/(html|plain|markdown|csv)|xml$/;

/** Returns the ZIP codes outside the launched metros that a page names. */
function strayZips(page: Page): string[] {
  const found =
    page.type.endsWith('json') && page.status === 200
      ? stringsIn(jsonOf(page)).filter((text) => /^\d{5}$/.test(text) && !counties.has(text))
      : TEXT_TYPES.test(page.type)
        ? zipsInText(page.bytes.toString())
        : [];
  return found.filter((zip) => outside.has(zip));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'fips' ? [] : [key, ...stringsIn(inner)],
  );
}

describe('following every link from the home page', () => {
  const ENTRIES = [
    '/',
    '/robots.txt',
    '/sitemap-index.xml',
    '/llms.txt',
    '/llms-full.txt',
    '/docs',
  ];
  const WELL_KNOWN = ['/openapi.json', '/openapi.yaml', '/mcp/info', '/.well-known/mcp.json'];
  const pages: Page[] = [];

  /** Returns the links to this service in a page of any type. */
  function linksIn({ type, path, bytes }: Page): string[] {
    if (!/^text\/|json|xml|yaml/.test(type)) return [];
    const addresses = bytes.toString().matchAll(/(?:href|src)="([^"]+)"|https?:\/\/[^\s"'<>)\]]+/g);
    return [...addresses].flatMap(([whole, attribute]) => {
      const address = (attribute ?? whole).replaceAll('&amp;', '&');
      if (address.includes('{') || !URL.canParse(address, root.url + path)) return [];
      const { origin, pathname, search } = new URL(address, root.url + path);
      // Rendering every picture would take too long, and there are thousands of pages of ZIP codes. Every 33rd page
      // is followed: those that end in 01, 04, or 07. Tests below call the figures of all ZIP codes in launched metros.
      const isWanted =
        !pathname.endsWith('.png') &&
        !/^\/zip\/\d{3}(?!0[147])|^\/public\/zip\/\d{5}$/.test(pathname);
      return origin === root.url && isWanted ? [pathname + search] : [];
    });
  }

  beforeAll(async () => {
    const seen = new Set([...ENTRIES, ...WELL_KNOWN]);
    let next = [...seen];
    while (next.length > 0) {
      const loaded = await loadAll(next);
      pages.push(...loaded);
      next = loaded.flatMap(linksIn).filter((path) => !seen.has(path) && seen.add(path));
      next = [...new Set(next)];
    }
  });

  it('causes no server error', () => {
    expect(pages.filter(({ status }) => status >= 500).map(({ path }) => path)).toEqual([]);
  });

  it('finds no ZIP code outside the launched metros', () => {
    const stray = pages.map((page) => [page.path, strayZips(page)] as const);
    expect(stray.filter(([, zips]) => zips.length > 0)).toEqual([]);
  });

  it('finds at most ten ZIP codes with figures on a page', () => {
    // The page of a metro lists its ZIP codes without figures.
    const isList = ({ path }: Page) => /^\/metros\/[^/]+$/.test(path);
    for (const page of pages.filter((one) => one.type === 'text/html' && !isList(one))) {
      const zips = zipsInText(page.bytes.toString()).filter((zip) => launched.has(zip));
      expect([page.path, new Set(zips).size <= 10]).toEqual([page.path, true]);
    }
  });
});

describe('calling every operation', () => {
  const open = bareOperations(parts).filter(({ auth }) => auth === 'none');
  const isRanking = ({ path }: Operation) =>
    /\{vertical\}/.test(path) && !/\{zip\}|\.png/.test(path);

  /** Returns an operation's paths for every metro and vertical; none if it has other parameters. */
  function pathsOf({ path }: Operation): string[] {
    const fill = (name: string, values: readonly string[]) => (template: string) =>
      template.includes(name) ? values.map((value) => template.replace(name, value)) : [template];
    const filled = [path]
      .flatMap(fill('{metroSlug}', metros))
      .flatMap(fill('{vertical}', verticals));
    return filled.filter((template) => !template.includes('{') && !template.endsWith('.png'));
  }

  it('returns at most ten ZIP codes of a ranking, whatever the query', async () => {
    const rankings = open.filter(isRanking);
    expect(rankings.length).toBeGreaterThanOrEqual(3);
    const more = 'limit=1000&pageSize=1000&page=2&offset=10&cursor=10&full=true&sampled=false';
    for (const op of rankings) {
      for (const page of await loadAll(pathsOf(op))) {
        const records = recordsIn(jsonOf(page));
        expect(records.length).toBeGreaterThan(0);
        expect(records.length).toBeLessThanOrEqual(10);
        for (const record of records) {
          expect(launched.has(String(record['zipCode']))).toBe(true);
          expect(Object.keys(record).sort()).toEqual(['city', 'rank', 'score', 'state', 'zipCode']);
        }
      }
      const [path] = pathsOf(op);
      expect((await load(`${path}?${more}`)).bytes).toEqual((await load(path!)).bytes);
    }
  });

  it('returns no ZIP code without parameters', async () => {
    for (const page of await loadAll(open.filter((op) => !op.params).flatMap(pathsOf))) {
      expect([page.path, strayZips(page)]).toEqual([page.path, []]);
      // The contract contains examples with ZIP codes.
      const hasData = page.type === 'application/json' && !page.path.startsWith('/openapi');
      expect([page.path, hasData ? recordsIn(jsonOf(page)) : []]).toEqual([page.path, []]);
    }
  });

  it('returns the figures of one ZIP code at a time in launched metros', async () => {
    const pages = await loadAll([...launched].map((zip) => `/public/zip/${zip}`));
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    for (const page of pages) {
      const zips = recordsIn(jsonOf(page)).map((record) => record['zipCode']);
      expect(new Set(zips)).toEqual(new Set([page.path.slice('/public/zip/'.length)]));
    }
  });

  it('returns 404 for ZIP codes outside launched metros', async () => {
    const others = everyNth(60).filter(({ zip }) => outside.has(zip));
    expect(others.length).toBeGreaterThan(500);
    const paths = others.flatMap(({ zip }, i) => [
      `/public/zip/${zip}`,
      `/public/zip/${zip}/vertical/${verticals[i % verticals.length]}`,
    ]);
    for (const page of await loadAll(paths)) {
      expect([page.path, page.status]).toEqual([page.path, 404]);
      expect(Object.keys(jsonOf(page) as object).sort()).toEqual(['code', 'error']);
    }
  });

  it('returns no ZIP code in the basemap anywhere', async () => {
    const views = everyNth(300).map(
      ({ lng, lat }) =>
        `/map-context?bbox=${[lng - 0.3, lat - 0.2, lng + 0.3, lat + 0.2].join()}&zoom=10`,
    );
    for (const page of await loadAll([...views, '/map-context?bbox=-180,-85,180,85&zoom=0'])) {
      expect(page.status).toBe(200);
      expect(recordsIn(jsonOf(page))).toEqual([]);
    }
  });
});

describe('loading the tiles of ZIP codes', () => {
  const allowed = new Set<string>(['zip', 'metro', 'labelZoom', ...verticals]);
  const classes = new Set<unknown>(SCORE_CLASSES);

  function expectClassesOnly(page: Page): string[] {
    expect(page.status).toBe(200);
    const { layers } = new VectorTile(new PbfReader(page.bytes));
    return Object.values(layers).flatMap((layer) =>
      Array.from({ length: layer.length }, (_, i) => {
        const { properties } = layer.feature(i);
        const { zip, ...others } = properties;
        expect(launched.has(String(zip))).toBe(true);
        const values = Object.entries(others);
        expect(values.filter(([name]) => !allowed.has(name))).toEqual([]);
        const scores = values.filter(([name]) => verticals.some((vertical) => vertical === name));
        expect(scores.filter(([, score]) => !classes.has(score))).toEqual([]);
        return String(zip);
      }),
    );
  }

  const tilePath = (z: number, x: number, y: number) => `/tiles/zips/${z}/${x}/${y}.mvt`;

  it('finds only score classes of launched metros at the lowest zoom, worldwide', async () => {
    const z = scoreTiles.minZoom;
    const side = Array.from({ length: 2 ** z }, (_, i) => i);
    const pages = await loadAll(side.flatMap((x) => side.map((y) => tilePath(z, x, y))));
    expect(new Set(pages.flatMap(expectClassesOnly))).toEqual(launched);
  });

  it('finds no further ZIP codes at higher zooms', async () => {
    const paths = new Set<string>();
    for (let z = scoreTiles.minZoom + 1; z <= scoreTiles.maxZoom; z++) {
      const column = (position: number) => Math.floor(position * 2 ** z);
      for (const { lng, lat } of everyNth(400)) {
        paths.add(tilePath(z, column(mercatorX(lng)), column(mercatorY(lat))));
      }
    }
    for (const page of await loadAll([...paths])) expectClassesOnly(page);
  });
});
