/** The page of a share link, as browsers, crawlers, and proxies receive it. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { mintShare, revokeShare, type NewShare } from '../../../src/territories/share/links.ts';
import { maplibrePath } from '../../../src/doors/site/maplibre.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';
import { DALLAS, organizationWith } from '../../territories/brands/organization.ts';
import { storeZips } from '../../territories/brands/holding.ts';

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star & Sons', 'Texas', 'Country', 'Empty');
const [star, texas, country, empty] = brands;
const ann = { kind: 'person', id: randomUUID(), name: 'Ann Field' } as const;
const PENDING = ['75203', '75208'];

await storeZips(tenant, star, DALLAS, PENDING);
await tenant.query(
  `insert into brand_zips (organization_id, brand_id, zip, state)
   select $1, $2, zip, 'live' from zips where state = 'TX'`,
  [texas.id],
);

await tenant.query(
  `insert into brand_zips (organization_id, brand_id, zip, state)
   select $1, $2, zip, case when zip = '75201' then 'pending' else 'live' end
   from (select zip from zips union select '00501') held`,
  [country.id],
);

async function mint(more: Partial<NewShare> = {}, brand = star) {
  const share: NewShare = { kind: 'brand', days: 30, hideBranding: false, ...more };
  return (await tenant.transaction((tx) => mintShare(tx, ann, brand, share))).link;
}
const revoke = (id: string) => tenant.transaction((tx) => revokeShare(tx, 'all', ann, id));
const link = await mint({ title: 'Where we roof', vertical: 'roofing' });

const SITE = 'https://territory.example.com';
const watched = { queries: 0 };
const watchedDb: Database = {
  ...db,
  query: (sql, values, scope) => {
    watched.queries++;
    return db.query(sql, values, scope);
  },
};
let clients = 0;
const port = await serveBare({
  db: watchedDb,
  renderer: mapsWith({ render: () => Promise.reject(new Error('no picture expected')) }),
  apiRoot: () => `${SITE}/api`,
  // Each request has its own limits.
  clientOf: () => String(clients++),
});

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...BROWSER, ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const pageOf = async (path: string) => {
  const { status, text } = await open(path);
  expect(status).toBe(200);
  return text;
};

describe('the page of a share link', () => {
  it('shows the places of its brand only if chosen, and never competitors', async () => {
    const add = (name: string, kind: string, brandId: string | null) =>
      tenant.query(
        `insert into places (organization_id, name, kind, brand_id, point, located_by, phone, created_by, changed_by)
         values ($1, $2, $3, $4, st_point(-96.8, 32.78, 4326), 'coordinates', '(214) 555-0100', $5, $5)`,
        [name, kind, brandId, ann],
      );
    const chosen = await mint({ showsPlaces: true });
    expect(await pageOf(`/s/${chosen.code}`)).not.toContain('data-places');
    await add('Dallas office', 'office', star.id);
    await add('Head office', 'office', null);
    await add('Austin office', 'office', texas.id);
    await add('Storm Pros', 'competitor', star.id);
    for (const path of [`/s/${chosen.code}`, `/s/${chosen.code}?embed=1`]) {
      const text = await pageOf(path);
      expect(text).toContain('<a href="tel:2145550100">(214) 555-0100</a>');
      expect(text).toMatch(/data-places="[^"]*Dallas office[^"]*Head office/);
      expect(text).not.toMatch(/Austin office|Storm Pros/);
    }
    expect(await pageOf(`/s/${link.code}`)).not.toMatch(/Dallas office|data-places/);
    await tenant.query('delete from places where organization_id = $1');
  });

  it('is revalidated each time, not indexed, and sends no referrer', async () => {
    for (const token of [link.id, link.code, link.code.toUpperCase()]) {
      const { headers } = await open(`/s/${token}`);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, no-cache',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
        'ratelimit-policy': '"shared";q=120;w=60',
      });
    }
  });

  it('has its own content security policy, and may be framed only with ?embed=1', async () => {
    const policy = async (path: string) =>
      (await open(path)).headers.get('content-security-policy')!.split('; ');
    const page = await policy(`/s/${link.code}`);
    expect(page).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "connect-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    const others = page.slice(0, -1);
    expect(await policy(`/s/${link.code}?embed=1`)).toEqual([...others, 'frame-ancestors *']);
    for (const query of ['embed=0', 'embed', 'embed=1&embed=1', 'utm_source=mail']) {
      expect(await policy(`/s/${link.code}?${query}`)).toEqual(page);
    }
    expect((await policy('/methodology')).at(-1)).toBe("frame-ancestors 'none'");
  });

  it('contains no inline scripts or styles', async () => {
    for (const query of ['', '?embed=1']) {
      const text = await pageOf(`/s/${link.code}${query}`);
      const inline = [...text.matchAll(/<script(?![^>]*\ssrc=)|\sstyle="|\son\w+="|<style/g)];
      expect(inline.map(String)).toEqual([]);
    }
  });

  it('shows title, brand, and every ZIP code with its place and status', async () => {
    const text = await pageOf(`/s/${link.code}`);
    expect(text).toContain('<title>Where we roof · Star &amp; Sons</title>');
    expect(text).toContain('<h1>Where we roof</h1>');
    expect(text).toContain('Star &amp; Sons · Roofing');
    expect(text).toContain(`${DALLAS.length} ZIP codes in Texas`);
    const items = [
      ...text.matchAll(/<li\s+(?:(class="pending")\s+)?data-at="[^"]+"\s*>\s*(\d{5})/g),
    ];
    expect(items.map(([, pending, zip]) => [zip, pending !== undefined])).toEqual(
      DALLAS.map((zip) => [zip, PENDING.includes(zip)]),
    );
    expect(text.match(/, pending review/g)).toHaveLength(PENDING.length);
    expect(text).toContain('<b>Dallas</b>');
    expect(text).toContain('Shared by Ann Field on');
    expect(text).toContain('Boundaries: Sample data (synthetic; not ACS).');
  });

  it('has metadata for link previews', async () => {
    const text = await pageOf(`/s/${link.code}`);
    const image = `${SITE}/api/shared/${link.code}/map.png?size=1200x630`;
    const description = `${DALLAS.length} ZIP codes in Texas: ${DALLAS.length - 2} live and 2 pending review`;
    for (const [name, content] of [
      ['property="og:title"', 'Where we roof'],
      ['property="og:site_name"', 'Star &amp; Sons'],
      ['property="og:url"', `${SITE}/s/${link.code}`],
      ['property="og:image"', image],
      ['property="og:image:width"', '1200'],
      ['property="og:image:height"', '630'],
      ['property="og:description"', description],
      ['name="twitter:card"', 'summary_large_image'],
      ['name="twitter:image"', image],
      ['name="robots"', 'noindex'],
    ]) {
      expect(text).toContain(`<meta ${name} content="${content}" />`);
    }
    expect((await open('/robots.txt')).text).toContain('Allow: /api/shared/*/map.png');
  });

  it('names neither brand nor person if branding is hidden', async () => {
    const { code } = await mint({ hideBranding: true });
    for (const query of ['', '?embed=1']) {
      const text = await pageOf(`/s/${code}${query}`);
      expect(text).not.toMatch(/Star|Ann|Territory Intelligence/);
      expect(text).toContain('<h1>Territory by ZIP code</h1>');
    }
  });

  it('escapes the title', async () => {
    const { code } = await mint({ title: '<script src="//x.test">&"' });
    const text = await pageOf(`/s/${code}`);
    expect(text).not.toContain('x.test">');
    expect(text).toContain('<h1>&lt;script src=&quot;//x.test&quot;&gt;&amp;&quot;</h1>');
  });

  it('shows only the map and its legend in a frame, with a link to the full page', async () => {
    const text = await pageOf(`/s/${link.code}?embed=1`);
    expect(text).not.toMatch(/class="(find|colophon|skip)"/);
    expect(text).toContain(`href="/s/${link.code}" target="_blank" rel="noopener noreferrer"`);
    expect(text).toContain('Pending review');
  });

  it('loads tiles for a large territory', async () => {
    const { code } = await mint({}, texas);
    expect(await pageOf(`/s/${code}`)).toContain('data-tile-zooms="3 12"');
    expect(await pageOf(`/s/${link.code}`)).not.toContain('data-tile-zooms');
  });

  it('lists states for a nationwide territory, each with a page of ZIP codes', async () => {
    const { code } = await mint({ title: 'All of it' }, country);
    const text = await pageOf(`/s/${code}`);
    expect(text).not.toContain('75201</li>');
    expect(text.length).toBeLessThan(60_000);
    const folded = [
      ...text.matchAll(/<details\s+(?:data-state="(\w\w)"\s+)?data-starts="([^"]+)"/g),
    ].map(([, state, starts]) => [state, starts!]);
    expect(folded.length).toBeGreaterThan(50);
    expect(Object.fromEntries(folded)).toMatchObject({ DE: '197-199', undefined: '005' });
    expect(text).toContain(`href="/s/${code}/zips/TX"`);
    const listOf = async (part: string) => {
      const list = await pageOf(`/s/${code}/zips/${part}`);
      return [...list.matchAll(/<li[^>]*>\s*(\d{5})/g)].map(([, zip]) => zip);
    };
    const [row] = await db.query<{ zips: string[] }>(
      `select array_agg(zip order by zip) as zips from zips where state = 'TX'`,
    );
    expect((await listOf('TX')).sort()).toEqual(row!.zips);
    expect(await listOf('elsewhere')).toEqual(['00501']);
    expect(await listOf('XX')).toEqual([]);
    const page = await pageOf(`/s/${code}/zips/TX`);
    expect(page).toContain('<title>Texas · All of it · Country</title>');
    expect(page).toContain('75201<span class="visually-hidden">, pending review</span>');
    expect(page).not.toMatch(/<script/);
  });

  it('lists every ZIP code for a territory in one state', async () => {
    const { code } = await mint({}, texas);
    const text = await pageOf(`/s/${code}`);
    expect(text).toContain('data-state="TX"');
    expect(text).not.toContain('<details');
  });

  it('explains an empty territory', async () => {
    const { code } = await mint({}, empty);
    expect(await pageOf(`/s/${code}`)).toContain('The territory holds no ZIP codes yet.');
  });

  it('shows a snapshot with its date, unchanged when the territory changes', async () => {
    const [frozen, live] = [await mint({ kind: 'zip_snapshot' }), await mint()];
    const before = await pageOf(`/s/${frozen.code}`);
    expect(before).toContain('Shows the territory as it was on');
    expect(await pageOf(`/s/${live.code}`)).not.toContain('75209');
    await tenant.query(
      `insert into brand_zips (organization_id, brand_id, zip, state) values ($1, $2, '75209', 'live')`,
      [star.id],
    );
    expect(await pageOf(`/s/${live.code}`)).toContain('75209');
    expect(await pageOf(`/s/${frozen.code}`)).toBe(before);
  });

  it('loads MapLibre GL from an immutable address of this site', async () => {
    const text = await pageOf(`/s/${link.code}`);
    const module = maplibrePath('maplibre-gl.mjs');
    expect(text).toContain(`data-maplibre="${module}"`);
    for (const path of [module, maplibrePath('maplibre-gl-worker.mjs')]) {
      const { status, headers } = await open(path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    expect((await open(module.replace(/\d+\.\d+\.\d+/, '0.0.0'))).status).toBe(404);
  });
});

describe('an invalid share link', async () => {
  const [revoked, expired] = [await mint(), await mint()];
  await revoke(revoked.id);
  await tenant.query(
    'update share_links set expires_at = now() where organization_id = $1 and id = $2',
    [expired.id],
  );
  const tokens = [
    randomUUID(),
    'zzzzzzzzzz',
    'none',
    encodeURIComponent("' or true; --"),
    revoked.id,
    revoked.code,
    expired.id,
    expired.code,
  ];
  /** Headers that differ between all requests, for any link */
  const VOLATILE = /^(date|x-request-id|x-ratelimit-reset)$/;

  it.each(['', '?embed=1', '/zips/TX'])(
    'returns the same 404 page after the same queries, whatever is wrong: "%s"',
    async (query) => {
      const answers = new Set<string>();
      for (const token of tokens) {
        watched.queries = 0;
        const { status, headers, text } = await open(`/s/${token}${query}`);
        expect([token, status, watched.queries]).toEqual([token, 404, 1]);
        answers.add(JSON.stringify([[...headers].filter(([name]) => !VOLATILE.test(name)), text]));
      }
      expect(answers.size).toBe(1);
      const [answer] = answers;
      expect(answer).toContain(
        'it is unknown, expired, or revoked. Ask the sender for a new link.',
      );
      expect(answer).toContain(JSON.stringify(['cache-control', 'public, no-cache']));
      expect(answer).toContain(JSON.stringify(['referrer-policy', 'no-referrer']));
      expect(answer).toContain(`frame-ancestors ${query === '?embed=1' ? '*' : "'none'"}`);
      expect(answer).not.toContain('og:image');
    },
  );

  it('returns 404 to clients with a cached page once it’s revoked', async () => {
    const { id, code } = await mint();
    const etag = (await open(`/s/${code}`)).headers.get('etag')!;
    // Without Cache-Control, fetch would add `no-cache`, which disables 304.
    const kept = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    expect((await open(`/s/${code}`, kept)).status).toBe(304);
    await revoke(id);
    expect((await open(`/s/${code}`, kept)).status).toBe(404);
  });
});
