/** Lookups of who serves a place, by REST. */
import { describe, expect, it } from 'vitest';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { usageOf } from '../../people/metering/usage.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const [A, B, C] = DALLAS as [string, string, string];
const [center] = await db.query<{ lng: number; lat: number }>(
  'select st_x(centroid) as lng, st_y(centroid) as lat from zips where zip = $1',
  [A],
);
const geocoder = {
  find: async (text: string) =>
    text.startsWith('1500') ? [{ ...center!, label: '1500 Marilla Street, Dallas, TX' }] : [],
};
const app = await serveKeyed(db, { geocoder });
const { key, caller } = await newKey(db);
const north = await createBrand(caller.tenant, { name: 'North' });
await hold(caller.tenant, north, [A, B]);

const unitsOf = ({ charged }: Awaited<ReturnType<typeof usageOf>>) =>
  Object.values(charged).reduce((sum, units) => sum + units, 0);

const send = async (path: string, init: RequestInit = {}, by = key) => {
  const headers = { ...bearer(by), ...newClient(), ...init.headers };
  const answer = await fetch(`${app.api}${path}`, { ...init, headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
};

const get = async (query: Record<string, string>) => {
  const { status, text } = await send(`/agent/serving?${new URLSearchParams(query)}`);
  return { status, ...JSON.parse(text) };
};

const post = async (body: string, type = 'application/json') => {
  const init = { method: 'POST', body, headers: { 'Content-Type': type } };
  const { status, text } = await send('/agent/serving', init);
  return { status, ...JSON.parse(text) };
};

describe('a lookup', () => {
  it('answers a ZIP code and a point, for free', async () => {
    const before = await usageOf(caller.tenant);
    const byZip = await get({ zip: A });
    expect(byZip).toMatchObject({
      status: 'live',
      foundBy: 'zip',
      zip: A,
      brands: [{ brand: 'north', brandName: 'North', publicName: 'North' }],
      reason: '',
    });
    const byPoint = await get({ point: `${center!.lng.toFixed(5)},${center!.lat.toFixed(5)}` });
    expect(byPoint).toMatchObject({ status: 'live', foundBy: 'point', zip: A });
    expect(await get({ zip: C })).toMatchObject({
      status: 'free',
      nearest: { brand: { brand: 'north' } },
      reason: expect.stringMatching(
        /^No brand serves \d{5}\. The nearest brand is North, .* away in \d{5}\.$/,
      ),
    });
    expect(await usageOf(caller.tenant)).toEqual(before);
  });

  it('of an address costs a unit, unless it fails', async () => {
    const before = unitsOf(await usageOf(caller.tenant));
    expect(await get({ address: '1500 Marilla St' })).toMatchObject({
      status: 'live',
      foundBy: 'address',
      address: '1500 Marilla Street, Dallas, TX',
    });
    expect(unitsOf(await usageOf(caller.tenant))).toBe(before + 1);
  });

  it.each([
    [{}, 'Give one of zip, point, and address.'],
    [{ zip: A, address: 'x' }, 'Give one of zip, point, and address only.'],
    [{ point: '200,32' }, 'point: must be a longitude and a latitude, such as -96.8,32.78.'],
    [{ point: 'here' }, 'point: must be a longitude and a latitude, such as -96.8,32.78.'],
  ])('refuses %j', async (query, error) => {
    const answer = await send(`/agent/serving?${new URLSearchParams(query)}`);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { error, code: 'bad_request' }]);
  });

  it('isn’t limited like other requests of a key, and leaves no question in the log', async () => {
    const answers = await Promise.all(
      Array.from({ length: 90 }, () => send(`/agent/serving?zip=${B}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await send(`/agent/serving?address=${encodeURIComponent('1500 Secret Street')}`);
    expect(app.log()).not.toMatch(new RegExp(`${B}|Secret Street`));
  });
});

describe('a list of lookups', () => {
  it('is answered in order', async () => {
    const questions = [{ zip: C }, { zip: A }, { address: 'Nowhere' }, { zip: 'x' }];
    const { status, answers } = await post(JSON.stringify({ questions }));
    expect(status).toBe(200);
    expect(answers.map((one: { status: string }) => one.status)).toEqual([
      'free',
      'live',
      'unknown',
      'unknown',
    ]);
    expect(answers[2].reason).toContain('The address wasn’t found.');
  });

  it('has up to 10,000 questions', async () => {
    const questions = (length: number) => Array.from({ length }, () => ({ zip: A }));
    const all = await post(JSON.stringify({ questions: questions(10_000) }));
    expect(all.answers).toHaveLength(10_000);
    expect((await post(JSON.stringify({ questions: questions(10_001) }))).error).toMatch(/10,?000/);
    const addresses = Array.from({ length: 501 }, (_, i) => ({ address: `${i} Elm` }));
    expect((await post(JSON.stringify({ questions: addresses }))).error).toMatch(
      /at most 500 of them can be addresses, not 501/,
    );
  });

  it('can be one question in a form', async () => {
    const type = 'application/x-www-form-urlencoded';
    expect(await post(new URLSearchParams({ zip: A }).toString(), type)).toMatchObject({
      status: 200,
      answers: [{ status: 'live', zip: A }],
    });
    expect(await post('zip=1&point=2', type)).toMatchObject({ status: 400 });
  });
});

describe('a lookup as CSV', () => {
  const lines = async (query: Record<string, string>) => {
    const answer = await send(`/agent/serving.csv?${new URLSearchParams(query)}`);
    expect(answer.headers.get('content-type')).toContain('text/csv');
    return answer.text.trim().split('\r\n');
  };

  it('has a line for each ZIP code, and headings unless they are left out', async () => {
    const [headings, first, second, ...rest] = await lines({ zip: `${A}, ${C}` });
    expect(headings).toMatch(/^Question,Brand,Brand slug,/);
    expect(first).toBe(`${A},North,north,,,,,,,${A},ZIP code,`);
    expect(second).toMatch(new RegExp(`^${C},,,,,,,,,${C},ZIP code,"?No brand serves ${C}`));
    expect(rest).toEqual([]);
    expect(await lines({ zip: A, headings: 'false' })).toEqual([first]);
  });
});

describe('a file of leads', () => {
  const route = async (body: string, query: Record<string, string> = {}) => {
    const init = { method: 'POST', body, headers: { 'Content-Type': 'text/csv' } };
    return send(`/agent/serving/file?${new URLSearchParams(query)}`, init);
  };
  const linesOf = async (body: string, query?: Record<string, string>) => {
    const { status, text } = await route(body, query);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return text
      .replace(/^\u{FEFF}/u, '')
      .trim()
      .split('\r\n');
  };

  it('gets columns with who serves each row, or why nobody does', async () => {
    const before = await usageOf(caller.tenant);
    const [headings, ...lines] = await linesOf(
      `Name,Brand,Zip\n"Ann, Bob",x,${A}\n=HYPERLINK("x"),-5,${B}-1234\nCid,,${C}\nDee,,99999\nEve,,\nFay,,Dallas\n`,
    );
    expect(headings).toMatch(/^Name,Brand,Zip,Brand \(served\),Brand slug,.*,Found by,Reason$/);
    expect(lines).toEqual([
      `"Ann, Bob",x,${A},North,north,,,,,,,${A},ZIP code,`,
      `"'=HYPERLINK(""x"")",-5,${B}-1234,North,north,,,,,,,${B},ZIP code,`,
      expect.stringMatching(
        new RegExp(`^Cid,,${C},,,,,,,,,${C},ZIP code,"No brand serves ${C}\\. The nearest`),
      ),
      expect.stringMatching(/^Dee,,99999,.*99999 isn’t a known ZIP code/),
      'Eve,,,,,,,,,,,,,The ZIP code is missing.',
      expect.stringMatching(/^Fay,,Dallas,,,,,,,,,,,\S/),
    ]);
    expect(await usageOf(caller.tenant)).toEqual(before);
  });

  it('is placed by coordinates and by addresses, which cost units', async () => {
    const before = unitsOf(await usageOf(caller.tenant));
    const { lng, lat } = center!;
    const lines = await linesOf(
      `lng,lat,address\n${lng},${lat},\n,,1500 Marilla St\n,,Nowhere 5\n-90,27,\n`,
    );
    expect(lines[1]).toMatch(new RegExp(`,North,north,.*,${A},coordinates,$`));
    expect(lines[2]).toMatch(new RegExp(`,North,north,.*,${A},address,$`));
    expect(lines[3]).toMatch(/,"?The address wasn’t found/);
    expect(lines[4]).toMatch(/,"?(It lies outside|No ZIP code covers)/);
    expect(unitsOf(await usageOf(caller.tenant))).toBe(before + 1);
  });

  it('that can’t be placed is refused with the reason', async () => {
    const { status, text } = await route('a,b\n1,x\n2,y\n');
    expect(status).toBe(400);
    expect(JSON.parse(text).error).toContain('no column of ZIP codes, coordinates, or addresses');
    expect((await route('')).status).toBe(400);
    expect((await route(`zip\n${A}\n`, { lng: 'x' })).status).toBe(400);
  });

  it('is answered while it still arrives', async () => {
    const zips = Array.from({ length: 60_000 }, (_, i) => `${i},${i % 2 ? A : C}\n`).join('');
    let goOn = () => {};
    const rest = new Promise<void>((resolve) => (goOn = resolve));
    async function* body() {
      yield Buffer.from(`id,zip\n${zips}`);
      await rest;
      yield Buffer.from(`last,${B}\n`);
    }
    const answer = await fetch(`${app.api}/agent/serving/file`, {
      method: 'POST',
      body: body(),
      duplex: 'half',
      headers: { ...bearer(key), ...newClient(), 'Content-Type': 'text/csv' },
    } as unknown as RequestInit);
    const pieces: Buffer[] = [];
    for await (const piece of answer.body! as unknown as AsyncIterable<Uint8Array>) {
      pieces.push(Buffer.from(piece));
      goOn();
    }
    const lines = Buffer.concat(pieces).toString().trim().split('\r\n');
    expect(lines).toHaveLength(60_002);
    expect(lines.at(-1)).toMatch(new RegExp(`^last,${B},North`));
  });

  it('ends with the connection', async () => {
    const controller = new AbortController();
    async function* body() {
      yield Buffer.from(`id,zip\n1,${A}\n`);
      controller.abort();
      await new Promise(() => {});
    }
    const init = {
      method: 'POST',
      body: body(),
      duplex: 'half',
      signal: controller.signal,
      headers: { ...bearer(key), ...newClient(), 'Content-Type': 'text/csv' },
    } as unknown as RequestInit;
    await expect(fetch(`${app.api}/agent/serving/file`, init)).rejects.toThrow();
    // One file of an organization is read at a time.
    expect(await linesOf(`zip\n${A}\n`)).toHaveLength(2);
  });
});
