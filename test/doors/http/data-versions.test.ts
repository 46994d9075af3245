/** Addresses with the version of the data: `?v=`. */
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { OtherVersionError, type DataAt } from '../../../src/base/db/imported-data.ts';
import { answerCaches } from '../../../src/doors/http/answers/answer-caches.ts';
import { ensureStatesAndCounties } from '../../../src/data/ingest/atlas-install.ts';
import { importBasemap } from '../../../src/data/ingest/basemap.ts';
import { silent } from '../../../src/data/ingest/progress.ts';
import { importZcta } from '../../../src/data/ingest/zcta.ts';
import { render } from '../../../src/render/render.ts';
import { collection, row, writeFile } from '../../data/ingest/files.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';
import { runs } from '../../support/thorough.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const ASK_FIRST = 'public, no-cache';

const { db } = await testDatabase('empty');
await ensureStatesAndCounties(db, silent);

/** Imports a version of the data: version 3 has three ZIP codes and a city that is named after it. */
async function importVersion(number: number): Promise<void> {
  const city = {
    type: 'Feature',
    properties: {
      featurecla: 'Populated place',
      NAME: `City ${number}`,
      SCALERANK: 0,
      min_zoom: 1,
    },
    geometry: { type: 'Point', coordinates: [-96.8, 32.78] },
  };
  const options = { progress: silent };
  await importBasemap(
    db,
    [writeFile('ne_10m_populated_places.geojson', collection([city]))],
    options,
  );
  await importZcta(db, [writeFile('zcta.geojson', collection(row(number)))], options);
}

/** Two services on one database, as two processes behind a load balancer. Each has its own caches. */
const root = 'http://territory.example';
const serve = async () =>
  `http://127.0.0.1:${await serveBare({ db, renderer: mapsWith({ render }), apiRoot: () => root }, '')}`;
const services = [await serve(), await serve()];
let turn = 0;
const send = (url: string, headers: Record<string, string> = {}) =>
  fetch(url.replace(root, services[turn++ % 2]!), { headers });

/** A browser whose cache never forgets. */
class Reader {
  readonly kept = new Map<string, { body: Uint8Array; etag: string; caching: string }>();
  /** Requests that reached a service */
  sent: string[] = [];

  async load(url: string): Promise<Uint8Array> {
    const known = this.kept.get(url);
    if (known?.caching.includes('max-age')) return known.body;
    this.sent.push(url);
    const answer = await send(url, known && { 'If-None-Match': known.etag });
    if (answer.status === 304) return known!.body;
    if (answer.status !== 200) throw new Error(`${url} returned ${answer.status}`);
    const { headers } = answer;
    const body = new Uint8Array(await answer.arrayBuffer());
    const caching = headers.get('Cache-Control')!;
    this.kept.set(url, { body, etag: headers.get('ETag')!, caching });
    return body;
  }

  async json<T>(url: string): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await this.load(url))) as T;
  }

  /** Opens a map as MapLibre does. @returns the city and the number of ZIP codes in a tile of Dallas */
  async openMap(style = `${root}/styles/light.json`) {
    this.sent = [];
    const { sources, glyphs } = await this.json<Style>(style);
    await this.load(
      glyphs.replace('{fontstack}', 'Noto%20Sans%20Bold').replace('{range}', '0-255'),
    );
    const tile = async (source: string) => {
      const { tiles } = await this.json<{ tiles: [string] }>(sources[source]!.url);
      const url = tiles[0].replace('{z}', '9').replace('{x}', '118').replace('{y}', '206');
      return new VectorTile(new PbfReader(await this.load(url))).layers;
    };
    const [context, zips] = await Promise.all([tile('context'), tile('zips')]);
    return { city: context['places']!.feature(0).properties['name'], zips: zips['zips']!.length };
  }
}

interface Style {
  glyphs: string;
  sources: Record<string, { url: string }>;
}

/** Cached answers don't wait longer than 50 ms for the database, so a busy machine shows an import later. */
const AT_ONCE = { interval: 50 };

describe('a map', () => {
  it('shows an import at once, and loads nothing twice without one', async () => {
    await importVersion(1);
    const reader = new Reader();
    expect(await reader.openMap()).toEqual({ city: 'City 1', zips: 1 });
    // The other service, too
    await new Reader().openMap();
    const entries = [...reader.kept].filter(([url]) => !url.endsWith('light.json'));
    expect(entries).toHaveLength(5);
    for (const [url, { caching }] of entries) expect([url, caching]).toEqual([url, FOREVER]);
    await reader.openMap();
    expect(reader.sent).toEqual([`${root}/styles/light.json`]);

    await importVersion(2);
    await expect.poll(() => reader.openMap(), AT_ONCE).toEqual({ city: 'City 2', zips: 2 });
    // Glyphs belong to the program, so the reader still has them.
    expect(reader.sent.filter((url) => url.includes('/fonts/'))).toEqual([]);
    await reader.openMap();
    expect(reader.sent).toEqual([`${root}/styles/light.json`]);
  });

  it('keeps its basemap after an import of ZIP codes', async () => {
    const reader = new Reader();
    await reader.openMap();
    await importZcta(db, [writeFile('zcta.geojson', collection(row(3)))], { progress: silent });
    await expect.poll(() => reader.openMap(), AT_ONCE).toMatchObject({ zips: 3 });
    expect(reader.sent.filter((url) => url.includes('/tiles/context'))).toEqual([]);
  });

  it('shows new data with a copied style, whose addresses are old', async () => {
    const reader = new Reader();
    const copied = await reader.json<Style>(`${root}/styles/light.json`);
    await importVersion(4);
    const body = new TextEncoder().encode(JSON.stringify(copied));
    let another!: Reader;
    const openCopy = () => {
      another = new Reader();
      another.kept.set('copy', { body, etag: '', caching: 'max-age' });
      return another.openMap('copy');
    };
    await expect.poll(openCopy, AT_ONCE).toEqual({ city: 'City 4', zips: 4 });
    expect(another.kept.get(copied.sources['zips']!.url)!.caching).toBe(ASK_FIRST);
  });
});

describe('an address with a version', () => {
  it('has the same content and ETag as the one without, also for HEAD and a 304', async () => {
    const { sources, glyphs } = await new Reader().json<Style>(`${root}/styles/dark.json`);
    const font = glyphs.replace('{fontstack}', 'Noto%20Sans%20Bold').replace('{range}', '0-255');
    for (const url of [sources['context']!.url, sources['zips']!.url, font]) {
      const plain = await send(url.split('?')[0]!);
      const versioned = await send(url);
      expect(versioned.headers.get('Cache-Control')).toBe(FOREVER);
      const etag = versioned.headers.get('ETag')!;
      expect(etag).toBe(plain.headers.get('ETag'));
      expect(await versioned.text()).toBe(await plain.text());
      const again = await send(url, { 'If-None-Match': etag });
      expect([again.status, again.headers.get('Cache-Control')]).toEqual([304, FOREVER]);
    }
  });

  it.each(['', 'old', 'x'.repeat(5_000), '%20'])(
    'returns current data, to be revalidated, if the version is not the current one: %.8j',
    async (version) => {
      const reader = new Reader();
      await reader.openMap();
      for (const current of [...reader.kept.keys()].filter((url) => url.includes('?v='))) {
        const [address] = current.split('?');
        const other = await send(`${address}?v=${version}`);
        const body = await (await send(current)).text();
        expect([other.status, await other.text()]).toEqual([200, body]);
        expect(other.headers.get('Cache-Control')).toBe(ASK_FIRST);
      }
    },
  );

  it('is counted against the same limit', async () => {
    const path = `${root}/tiles/zips/9/118/206.mvt`;
    const remaining = async (url: string) => {
      turn = 0;
      return Number((await send(url)).headers.get('X-RateLimit-Remaining'));
    };
    const before = await remaining(path);
    expect(await remaining(`${path}?v=old`)).toBe(before - 1);
  });
});

describe('an answer to keep for a year', () => {
  /** The service gives up with 503 if the data changed during each of three attempts. */
  const replaced = (error: unknown) => void expect(error).toMatchObject({ status: 503 });

  /** A step of a run: an import, or a request to one of the processes for a version */
  const step = fc.oneof(
    fc.constant('import' as const),
    fc.record({ to: fc.nat(1), version: fc.nat(3), key: fc.constantFrom('a', 'b') }),
  );

  it('contains the data of its version, however imports and requests interleave', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(step, { minLength: 2, maxLength: 12 }),
        fc.constantFrom(0, 60_000),
        async (scheduler, steps, stampMs) => {
          const world = { data: 0 };
          const read = async () => {
            await scheduler.schedule(Promise.resolve());
            return world.data;
          };
          const caches = answerCaches(() => root);
          const stampOf = (data: number) => `stamp ${data}`;
          const versions = await Promise.all([0, 1, 2, 3].map((n) => caches.versionOf(stampOf(n))));
          const processes = [0, 1].map(() =>
            answerCaches(() => root).answers({
              name: 'test',
              data: {
                stamp: async () => stampOf(await read()),
                stampMs,
                at: (stamp) => ({
                  stamp,
                  async query() {
                    const data = await read();
                    if (stampOf(await read()) !== stamp) throw new OtherVersionError();
                    return [data] as never;
                  },
                }),
              },
            }),
          );
          // Answers are made from several queries, between which the data may change.
          const make = async ({ query }: DataAt) =>
            JSON.stringify((await Promise.all([query(''), query('')])).flat());
          const answers = steps.map(async (each) => {
            await scheduler.schedule(Promise.resolve());
            if (each === 'import') {
              world.data++;
              return;
            }
            const { to, version, key } = each;
            const answer = await processes[to]!(key, make, versions[version]).catch(replaced);
            if (answer?.headers!['Cache-Control'] !== FOREVER) return;
            expect(JSON.parse(answer.body.bytes.toString())).toEqual([version, version]);
          });
          await scheduler.waitFor(Promise.all(answers));
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
