import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { driveTimesFrom, noDriveTimes } from '../../../src/data/routing/drive-times.ts';
import { zipCentersAround } from '../../../src/data/market/zip-centers.ts';
import { tally } from '../../../src/base/observe/tally.ts';
import { METERS_PER_MILE } from '../../../src/base/spatial/miles.ts';
import { testDatabase } from '../../support/database.ts';
import { minutesBetween, startRouter } from '../../support/servers/router.ts';

const { db } = await testDatabase('sample');
const router = await startRouter();
const DALLAS = { lat: 32.7876, lng: -96.7994 };
const ANCHORAGE = { lat: 61.2, lng: -149.9 };
const NEXT_STEP = /Use a radius instead: a 20-minute drive covers about 8 miles in a city and 15/;

beforeEach(() => {
  router.answer = undefined;
  router.requests.length = 0;
});
afterEach(() => vi.useRealTimers());

/** Long enough on a busy machine. */
const PATIENT_MS = 30_000;
const SHORT_MS = 250;

const times = (
  engine: 'valhalla' | 'osrm' = 'valhalla',
  { timeoutMs = PATIENT_MS, report }: { timeoutMs?: number; report?: (down: unknown) => void } = {},
) => driveTimesFrom({ url: router.url, engine, timeoutMs }, report);

describe.each(['valhalla', 'osrm'] as const)('drive times from %s', (engine) => {
  it('reach the ZIP codes whose center is within the minutes', async () => {
    const zips = await times(engine).zipsWithin(db, DALLAS, 45);
    const around = await zipCentersAround(db, DALLAS, 70 * METERS_PER_MILE);
    const reached = around.filter((center) => minutesBetween(DALLAS, center) <= 45);
    expect(zips).toEqual(reached.map(({ zip }) => zip));
    expect(zips.length).toBeGreaterThan(90);
    expect(zips.length).toBeLessThan(around.length);
    // 250 ZIP codes are near enough, so OSRM gets several tables of at most 100 places.
    expect(router.requests.length > 1).toBe(engine === 'osrm');
  });

  it('ask once for the same drive, and again after a failure', async () => {
    const drives = times(engine);
    const ask = () => drives.zipsWithin(db, DALLAS, 5);
    router.answer = (_, response) => response.writeHead(500).end();
    await expect(ask()).rejects.toThrow('Drive times aren’t available at the moment');
    router.answer = undefined;
    router.requests.length = 0;
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(await ask()).toEqual(first);
    expect(second).toEqual(first);
    expect(router.requests).toHaveLength(1);
    await drives.zipsWithin(db, DALLAS, 6);
    expect(router.requests).toHaveLength(2);
  });

  it('report that the server’s map has no road', async () => {
    const [near] = await zipCentersAround(db, ANCHORAGE, 300 * METERS_PER_MILE);
    await expect(times(engine).zipsWithin(db, near!, 20)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /no road at this place\. Start from another place.* Use a radius/,
      ),
    });
  });

  it('keep asking after refusals of single drives', async () => {
    const reports: unknown[] = [];
    const drives = times(engine, { report: (down) => reports.push(down) });
    const refusal = engine === 'osrm' ? { code: 'NoTable' } : { error_code: 442, status_code: 400 };
    router.answer = (_, response) => response.writeHead(400).end(JSON.stringify(refusal));
    for (const minutes of [5, 6, 7, 8]) {
      await expect(drives.zipsWithin(db, DALLAS, minutes)).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/refuses to compute this drive\..*Use a radius instead/),
      });
    }
    router.answer = undefined;
    expect(await drives.zipsWithin(db, DALLAS, 5)).not.toEqual([]);
    expect(reports).toEqual([]);
  });

  it('stop asking a server that refuses everything', async () => {
    const reports: unknown[] = [];
    const drives = times(engine, { report: (down) => reports.push(down) });
    const refusal = engine === 'osrm' ? { code: 'InvalidQuery' } : { error_code: 106 };
    router.answer = (_, response) => response.writeHead(400).end(JSON.stringify(refusal));
    for (const minutes of [5, 6, 7, 8]) {
      await expect(drives.zipsWithin(db, DALLAS, minutes)).rejects.toMatchObject({ status: 503 });
    }
    expect(reports).toEqual([expect.any(Error)]);
  });

  it.each<[string, NonNullable<typeof router.answer>, number?]>([
    ['an error', (_, response) => response.writeHead(502).end('Bad gateway')],
    ['no JSON', (_, response) => response.end('<html>')],
    [
      'other JSON',
      (_, response) => response.end('{"code":"Ok","durations":[[0,"1"]],"features":[]}'),
    ],
    ['JSON that is no object', (_, response) => response.end('null')],
    ['a redirect', (_, response) => response.writeHead(302, { Location: '/table' }).end()],
    ['silence', () => {}, SHORT_MS],
    ['a body that never ends', (_, response) => response.write('{"features":['), SHORT_MS],
    ['5 MB', (_, response) => response.end(`{"features":[${'0,'.repeat(2_500_000)}0]}`)],
    ['a closed connection', (request) => request.destroy()],
  ])('suggest a radius if the server sends %s', async (_, answer, timeoutMs) => {
    router.answer = answer;
    const drives = times(engine, timeoutMs === undefined ? {} : { timeoutMs });
    await expect(drives.zipsWithin(db, DALLAS, 20)).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
      message: expect.stringMatching(NEXT_STEP),
    });
  });
});

describe('drive times', () => {
  it.each([
    [
      'a ring that isn’t closed',
      [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ],
      ],
    ],
    [
      'a ring of three points',
      [
        [
          [0, 0],
          [1, 0],
          [0, 0],
        ],
      ],
    ],
    [
      'texts as degrees',
      [
        [
          ['0', 0],
          [1, 0],
          [1, 1],
          ['0', 0],
        ],
      ],
    ],
    [
      'degrees beyond the earth',
      [
        [
          [0, 0],
          [1e300, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    ],
    ['no ring', []],
  ])('refuse a polygon with %s', async (_, coordinates) => {
    const features = [{ geometry: { type: 'Polygon', coordinates } }];
    router.answer = (_, response) => response.end(JSON.stringify({ features }));
    await expect(times().zipsWithin(db, DALLAS, 20)).rejects.toMatchObject({ status: 503 });
  });

  it('stop asking a server that doesn’t respond, and notice when it’s back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const reports: unknown[] = [];
    const drives = times('valhalla', { report: (down) => reports.push(down) });
    const before = { ...tally.drives };
    router.answer = (request) => request.destroy();
    for (const minutes of [11, 12, 13, 14, 15]) {
      await expect(drives.zipsWithin(db, DALLAS, minutes)).rejects.toMatchObject({ status: 503 });
    }
    expect(router.requests).toHaveLength(3);
    vi.setSystemTime(Date.now() + 31_000);
    await expect(drives.zipsWithin(db, DALLAS, 16)).rejects.toMatchObject({ status: 503 });
    expect(router.requests).toHaveLength(4);
    router.answer = undefined;
    vi.setSystemTime(Date.now() + 31_000);
    expect(await drives.zipsWithin(db, DALLAS, 11)).not.toEqual([]);
    await drives.zipsWithin(db, DALLAS, 11);
    expect(reports).toEqual([expect.any(Error), undefined]);
    const { computed, cached, refused, failed } = before;
    expect(tally.drives).toEqual({
      computed: computed + 1,
      cached: cached + 1,
      refused: refused + 2,
      failed: failed + 4,
    });
  });

  it('limit the requests that wait for a slow server', async () => {
    const drives = times('valhalla', { timeoutMs: SHORT_MS });
    router.answer = () => {};
    const asked = Array.from({ length: 20 }, (_, i) => drives.zipsWithin(db, DALLAS, 20 + i));
    const results = await Promise.allSettled(asked);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(router.requests).toHaveLength(8);
  });

  it('send the credentials and the API key of the URL', async () => {
    const url = new URL(`${router.url}/routing/?api_key=k%20y`);
    Object.assign(url, { username: 'us', password: 'p@ss' });
    const drives = driveTimesFrom({ url: url.href, engine: 'osrm', timeoutMs: PATIENT_MS });
    await drives.zipsWithin(db, DALLAS, 5).catch(() => {});
    const [{ url: asked, headers } = { url: '', headers: {} }] = router.requests;
    expect(asked).toMatch(
      /^\/routing\/table\/v1\/driving\/-96\.79940,32\.78760;.*\?api_key=k\+y&sources=0/,
    );
    expect(headers.authorization).toBe(`Basic ${btoa('us:p@ss')}`);
  });

  it('have a limit, ours or the server’s', async () => {
    await expect(times().zipsWithin(db, DALLAS, 121)).rejects.toThrow('from 1 to 120 minutes');
    await expect(times().zipsWithin(db, DALLAS, 110)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Give fewer minutes. Use a radius instead'),
    });
  });

  it('need a routing server', async () => {
    await expect(noDriveTimes.zipsWithin(db, DALLAS, 20)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(NEXT_STEP),
    });
  });
});
