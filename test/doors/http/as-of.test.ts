/** Territories as of an earlier day: tools, exports, exhibits, and the operations of the record. */
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { mintKey } from '../../../src/people/account/keys.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { render } from '../../../src/render/render.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { readPdf } from '../../support/pdf-text.ts';
import { hold } from '../../territories/brands/holding.ts';
import { saveData } from '../../territories/own-data/saved.ts';
import { foundedAt, giveUpAt, takeAt } from '../../territories/record/past.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db, { renderer: mapsWith({ render }) });
const { key, caller } = await newKey(db);
const { tenant } = caller;
const [A, B, C, D] = ['75201', '75204', '75214', '75205'] as const;
let star: Brand;
let moon: Brand;

beforeAll(async () => {
  await changeSubscription(tenant, { status: 'active' });
  await foundedAt(db, tenant, '2025-01-02T17:00:00Z');
  star = await createBrand(tenant, { name: 'Star' });
  moon = await createBrand(tenant, { name: 'Moon' });
  await takeAt(tenant, '2025-02-10T15:00:00Z', star, [A, B]);
  // June 30 in New York
  await takeAt(tenant, '2025-07-01T03:30:00Z', star, [C]);
  await giveUpAt(tenant, '2025-09-15T14:00:00Z', star, [B]);
  await takeAt(tenant, '2025-09-15T14:00:00Z', moon, [B]);
});

async function request(path: string, body?: object, as = key) {
  const answer = await fetch(`${app.api}${path}`, {
    headers: { ...bearer(as), ...newClient(), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

async function get<T = any>(path: string, as = key): Promise<T> {
  const { status, bytes } = await request(path, undefined, as);
  expect({ status, text: status === 200 ? '' : bytes.toString() }).toEqual({
    status: 200,
    text: '',
  });
  return JSON.parse(bytes.toString()) as T;
}

async function tool(name: string, args: object) {
  const { bytes } = await request('/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: `service_${name}`, arguments: args },
  });
  return JSON.parse(bytes.toString()).result;
}

describe('a tool with asOf', () => {
  it.each([
    ['2025-02-09', 0],
    ['2025-06-29', 2],
    ['2025-06-30', 3],
    ['2025-07-01T03:29:59Z', 2],
    ['2025-07-01T03:30:00Z', 3],
    ['2025-09-15', 2],
  ])('counts the ZIP codes of %s', async (asOf, live) => {
    const { structuredContent, content } = await tool('list_brands', { asOf });
    expect(structuredContent.brands).toMatchObject([
      { slug: 'moon' },
      { slug: 'star', live, pending: 0 },
    ]);
    expect(content[0].text).toContain(`Territories as of ${asOf}.`);
  });

  it('lists a territory, and what had been removed from it', async () => {
    const zipsOf = async (args: object) => {
      const { structuredContent } = await tool('get_brand_territory', { brand: 'star', ...args });
      return structuredContent.zips.map(({ zip }: { zip: string }) => zip);
    };
    expect(await zipsOf({ asOf: '2025-09-14' })).toEqual([A, B, C]);
    expect(await zipsOf({ asOf: '2025-09-14', status: 'removed' })).toEqual([]);
    expect(await zipsOf({ asOf: '2025-09-15', status: 'removed' })).toEqual([B]);
  });

  it('says how brands were, and draws them with the day', async () => {
    const { structuredContent } = await tool('get_brand_health', {
      brand: 'star',
      asOf: '2025-06-30',
    });
    expect(structuredContent.brands).toMatchObject([{ brand: 'star', live: 3, shared: 0 }]);
    const draw = async (args: object) => {
      const drawn = await tool('render_territory_map', {
        brand: 'star',
        width: 300,
        height: 200,
        ...args,
      });
      return { ...drawn.structuredContent, png: drawn.content[1].data };
    };
    const past = await draw({ asOf: '2025-06-30' });
    expect(past.zipsDrawn).toBe(3);
    expect(await draw({ asOf: '2025-06-30' })).toEqual(past);
    expect((await draw({})).zipsDrawn).toBe(2);
  });

  it('refuses the future, days before the record, and what isn’t a day, and says what to do', async () => {
    const refusal = async (asOf: string) => {
      const { isError, structuredContent } = await tool('list_brands', { asOf });
      expect(isError).toBe(true);
      return structuredContent.error;
    };
    expect(await refusal('2100-01-01')).toMatch(
      /^January 1, 2100 is in the future\. Ask for today, 20/,
    );
    expect(await refusal('2025-01-01')).toBe(
      'The record of your territories begins on January 2, 2025. Ask for 2025-01-02 or a later day.',
    );
    expect(await refusal('2025-02-30')).toContain('is not a day or a moment; use a day such as');
  });
});

describe('a static picture as of a day', () => {
  const picture = (query: string, subject = 'brand:star') =>
    request(`/static/light/${subject}/auto/400x300.png${query}`);
  const zipsOf = ({ headers }: Awaited<ReturnType<typeof picture>>) =>
    /drawn=(\d+)/.exec(headers.get('Map-Zip-Codes')!)?.[1];

  it('draws the territory of then, and costs as much as another picture', async () => {
    const [then, earlier, now] = [
      await picture('?asOf=2025-06-30'),
      await picture('?asOf=2025-06-29'),
      await picture(''),
    ];
    expect([then, earlier, now].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([then, earlier, now].map(zipsOf)).toEqual(['3', '2', '2']);
    expect(earlier.bytes.equals(now.bytes)).toBe(false);
    const scores = await picture('?asOf=2025-06-29', 'brand:star:roofing');
    expect([scores.status, zipsOf(scores)]).toEqual([200, '2']);
    const { url } = JSON.parse(
      (
        await request('/static/signed-urls', {
          url: '/static/light/brand:star/auto/400x300.png?asOf=2025-06-30',
        })
      ).bytes.toString(),
    ) as { url: string };
    const signed = await fetch(url, { headers: newClient() });
    expect(Buffer.from(await signed.arrayBuffer()).equals(then.bytes)).toBe(true);
  });

  it('is refused for other subjects, and before the record', async () => {
    for (const subject of ['zips:75201', 'metro:dallas-tx']) {
      const { status, bytes } = await picture('?asOf=2025-06-30', subject);
      expect([status, JSON.parse(bytes.toString()).error]).toEqual([
        400,
        'asOf: only territories have earlier days. Use the subject brand.',
      ]);
    }
    const { status, bytes } = await picture('?asOf=2024-12-31');
    expect([status, bytes.toString()]).toEqual([
      400,
      expect.stringContaining('The record of your territories begins on January 2, 2025.'),
    ]);
  });
});

describe('a file as of a day', () => {
  it('has the same bytes when it is asked for again after other changes', async () => {
    const day = { brand: 'star', asOf: '2025-06-30' };
    const files = async () => {
      const csv = await request('/agent/territory-export', { ...day, format: 'csv' });
      const xlsx = await request('/agent/territory-export', day);
      const exhibit = await request('/agent/territory-exhibit', day);
      const shp = await request('/agent/territory-export', { ...day, format: 'shp' });
      expect([csv, xlsx, exhibit, shp].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      return [csv, xlsx, exhibit, shp];
    };
    const before = await files();
    expect(before[0]!.headers.get('Content-Disposition')).toContain('"star-2025-06-30.csv"');
    expect(before[2]!.headers.get('Content-Disposition')).toContain(
      '"star-exhibit-2025-06-30.pdf"',
    );
    const { rows } = await listActivity(tenant, 'all', { actions: ['exhibit_made'] });
    expect(rows[0]!.summary).toBe('Made an exhibit of Star as of June 30, 2025, with 3 ZIP codes.');
    await hold(tenant, star, [D]);
    // Archives store times to two seconds.
    await setTimeout(2_000);
    const after = await files();
    for (const [i, { bytes }] of after.entries())
      expect([i, bytes.equals(before[i]!.bytes)]).toEqual([i, true]);
    const [csv, , exhibit] = after;
    expect(
      csv!.bytes
        .toString()
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.slice(0, 5)),
    ).toEqual([A, B, C]);
    const text = readPdf(exhibit!.bytes).pages.flat().join(' ');
    expect(text).toContain('As of June 30, 2025');
    expect(text).toContain('at the end of June 30, 2025');
  });

  it('can list what the brand took and gave up since another day, on a page of its own', async () => {
    const { status, bytes } = await request('/agent/territory-exhibit', {
      brand: 'star',
      asOf: '2025-12-31',
      changesSince: '2025-06-29',
    });
    expect(status).toBe(200);
    const page = readPdf(bytes).pages.find((texts) =>
      texts.includes('Changes since June 29, 2025'),
    )!;
    expect(page.join(' ')).toMatch(
      /Taken: 1 ZIP code with [\d,]+ households\. Given up: 1 ZIP code with/,
    );
    expect(page[page.indexOf(B) + 3]).toBe('Given up');
    expect(page[page.indexOf(B) + 4]).toBe('Moon');
    expect(page[page.indexOf(C) + 3]).toBe('Taken');
    expect(page.includes('Live ZIP codes')).toBe(false);
  });
});

describe('the record', () => {
  it('says who held a ZIP code, from when to when, and who changed it', async () => {
    const { periods } = await get(`/agent/record/zips/${B}`);
    expect(periods).toMatchObject([
      {
        brand: 'moon',
        status: 'live',
        from: '2025-09-15T14:00:00.000Z',
        until: null,
        isStartKnown: true,
      },
      {
        brand: 'star',
        status: 'live',
        from: '2025-02-10T15:00:00.000Z',
        until: '2025-09-15T14:00:00.000Z',
        started: { by: 'Rita', summary: expect.stringContaining('Approved') },
        ended: { by: 'Agent', summary: expect.stringContaining('Removed') },
      },
    ]);
  });

  it('lists the days of changes where the organization is', async () => {
    const { first, timeZone, days } = await get('/agent/record/days?brand=star');
    expect({ first, timeZone }).toEqual({ first: '2025-01-02', timeZone: 'America/New_York' });
    expect(days.filter(({ day }: { day: string }) => day < '2026')).toEqual([
      { day: '2025-09-15', taken: 0, givenUp: 1 },
      { day: '2025-06-30', taken: 1, givenUp: 0 },
      { day: '2025-02-10', taken: 2, givenUp: 0 },
    ]);
  });

  it('compares two days, with households and own data, as a list and as CSV', async () => {
    await saveData({ tenant }, 'Jobs', { [B]: 31 });
    const query = 'from=2025-06-29&to=2025-12-31&dataSets=jobs';
    const { totals, zips } = await get(`/agent/record/comparison?${query}`);
    expect(zips).toMatchObject([
      {
        zip: B,
        change: 'moved',
        from: [{ brand: 'star' }],
        to: [{ brand: 'moon' }],
        data: { jobs: 31 },
      },
      {
        zip: C,
        change: 'taken',
        from: [],
        to: [{ brand: 'star' }],
        households: expect.any(Number),
      },
    ]);
    expect(totals).toMatchObject({
      taken: { zips: 1, households: zips[1].households },
      moved: { zips: 1 },
    });
    const { bytes } = await request(`/agent/record/comparison.csv?${query}`);
    const lines = bytes.toString().split('\r\n');
    expect(lines[0]).toBe('ZIP code,City,State,Change,From,To,Households,Owner-occupied,Jobs');
    expect(lines[1]).toMatch(/^75204,Dallas,TX,Moved,Star,Moon,\d+,\d+,31$/);
    // From the beginning until today
    expect((await get('/agent/record/comparison?brand=moon')).zips).toMatchObject([
      { zip: B, change: 'taken' },
    ]);
  });

  it('refuses a comparison whose first day isn’t the earlier one', async () => {
    const { status, bytes } = await request(
      '/agent/record/comparison?from=2025-09-15&to=2025-06-30',
    );
    expect([status, JSON.parse(bytes.toString()).error]).toEqual([
      400,
      'from: must be before to, 2025-06-30. Choose an earlier day.',
    ]);
  });

  it('hides the names of brands that a key may not know', async () => {
    const { key: limited } = await mintKey(tenant, {
      name: 'star',
      brands: [star.id],
      mayWrite: false,
    });
    const { periods } = await get(`/agent/record/zips/${B}`, limited);
    expect(periods).toMatchObject([
      { brand: '', brandName: 'another brand', started: null },
      { brand: 'star', started: { by: 'Rita' } },
    ]);
    const { zips } = await get('/agent/record/comparison?from=2025-09-01&to=2025-12-31', limited);
    expect(zips).toMatchObject([
      { zip: B, change: 'moved', to: [{ brand: '', brandName: 'another brand' }] },
    ]);
    expect(
      (await get('/agent/record/comparison?from=2025-01-02&to=2025-02-28', limited)).zips,
    ).toHaveLength(2);
  });
});
