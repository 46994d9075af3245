/** The public pages as HTML: structure, links, responses, and errors. */
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { SAMPLE_VINTAGE } from '../../../src/data/ingest/sample/facts.ts';
import { launchedMetros } from '../../../src/data/market/metros.ts';
import { publicDataStudy } from '../../../src/data/market/public/data-study.ts';
import { publicMetroVertical } from '../../../src/data/market/public/metro-vertical.ts';
import { PUBLIC_TABLE_ROWS } from '../../../src/data/market/public/ranking.ts';
import { COUNTRY } from '../../../src/base/spatial/bbox.ts';
import { VERTICALS } from '../../../src/data/scoring/verticals.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { DOCS_PATHS } from '../../../src/doors/site/docs/guides.ts';
import { assetPath } from '../../../src/doors/site/assets.ts';
import {
  explorePath,
  Links,
  metroPath,
  metroVerticalPath,
  verticalPath,
  zipPath,
} from '../../../src/doors/site/links.ts';
import { homePage } from '../../../src/doors/site/home/view.ts';
import { metroVerticalPage } from '../../../src/doors/site/metro-vertical/view.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testDatabase } from '../../support/database.ts';
import { casesOf } from '../../support/thorough.ts';

const { db } = await testDatabase('sample');
const { db: empty } = await testDatabase('empty');

const SITE = 'https://territory.example.com';
const roots = { site: SITE, api: `${SITE}/api` };

/** Drawn instead of every picture. Insets are added to it, so it has to be a PNG. */
const onePixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'white' } })
  .png()
  .toBuffer();

async function serve(database: Database) {
  const parts = {
    db: database,
    renderer: mapsWith({ render: () => onePixel }),
    apiRoot: () => roots.api,
    // A new client for each request, so that no rate limit applies.
    clientOf: () => String(Math.random()),
  };
  return `http://127.0.0.1:${await serveBare(parts)}`;
}
const url = await serve(db);
const emptyUrl = await serve(empty);

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const open = (path: string, at = url) => fetch(at + path, { headers: BROWSER });

const metros = launchedMetros().map(({ slug }) => slug);
const verticals = VERTICALS.map(({ slug }) => slug);
const metroVerticals = metros.flatMap((m) => verticals.map((v) => metroVerticalPath(m, v)));
const METRO_PAGES = metros.map(metroPath);
/** One of each metro, and one without a score */
const examples = await db.query<{ zip: string }>(
  `select min(zip) as zip from zips join metro_counties using (county_fips) group by metro_slug
   union
   select min(zip) from zips join metro_counties using (county_fips)
   where not exists (select from zip_scores s where s.zip = zips.zip and score is not null)`,
);
const zipPages = examples.map(({ zip }) => zipPath(zip));
const paths = [
  '/',
  '/methodology',
  '/data-study',
  '/explore',
  ...verticals.map(explorePath),
  '/verticals',
  '/metros',
  ...verticals.map(verticalPath),
  ...METRO_PAGES,
  ...casesOf(metroVerticals),
  ...zipPages,
];
const pages = new Map<string, string>();
for (const path of paths) pages.set(path, await (await open(path)).text());

/** The first group of every match. */
const matchesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((m) => m[1]!);
const pathsWhere = (test: (text: string) => boolean) =>
  [...pages].filter(([, text]) => test(text)).map(([path]) => path);
const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

describe('every page', () => {
  it('exists for every vertical and for every metro in it', async () => {
    const missing: string[] = [];
    for (const path of paths) if ((await open(path)).status !== 200) missing.push(path);
    expect(missing).toEqual([]);
    expect(metroVerticals).toHaveLength(220);
  });

  it('says at home whom it is for, and leads to sign-up', async () => {
    const text = await (await open('/')).text();
    const audiences = ['For franchise managers', 'For agencies', 'For developers'];
    expect([...text.matchAll(/<h2>(For [^<]+)</g)].map(([, heading]) => heading)).toEqual(
      audiences,
    );
    expect(text).toMatch(/class="button" href="\/signup">Start a free trial</);
    expect((await open('/signup')).status).toBe(200);
  });

  it('has its own title, description, and canonical address', () => {
    const titles = new Set<string>();
    for (const [path, text] of pages) {
      titles.add(matchesOf(text, /<title>([^<]+)<\/title>/g)[0]!);
      const description = matchesOf(text, /<meta name="description" content="([^"]+)"/g)[0]!;
      expect(unescaped(description).length).toBeGreaterThan(50);
      expect(matchesOf(text, /<link rel="canonical" href="([^"]+)"/g)).toEqual([SITE + path]);
    }
    expect(titles.size).toBe(pages.size);
  });

  it('has one main heading and skips no heading level', () => {
    const wrong = pathsWhere((text) => {
      const levels = matchesOf(text, /<h([1-6])[ >]/g).map(Number);
      const skips = levels.some((level, i) => level > (levels[i - 1] ?? 0) + 1);
      return levels.filter((level) => level === 1).length !== 1 || skips;
    });
    expect(wrong).toEqual([]);
  });

  it('has no inline script or style, which its security policy forbids', () => {
    const wrong = pathsWhere((text) => {
      const scripts = matchesOf(text, /<script([^>]*)>/g);
      const runs = scripts.some((attributes) => !/ld\+json|\ssrc="/.test(attributes));
      return runs || /\sstyle="|\son\w+="|<style|javascript:/.test(text);
    });
    expect(wrong).toEqual([]);
  });

  it('gives every picture a size and a text alternative', () => {
    const wrong = pathsWhere((text) =>
      matchesOf(text, /<img([^>]*)>/g).some((attributes) => {
        const alt = /map\.png|\/static\//.test(attributes)
          ? /\salt="Map of [^"]{30,}"/
          : /\salt=""/;
        return !alt.test(attributes) || !/\swidth="\d+"\s+height="\d+"/.test(attributes);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('states the scope of every table header', () => {
    const wrong = pathsWhere((text) =>
      matchesOf(text, /<th(\s[^>]*)?>/g).some((attributes) => !attributes?.includes('scope=')),
    );
    expect(wrong).toEqual([]);
  });

  it('marks sample data as such and states when the scores were computed', async () => {
    const { updatedAt } = await publicDataStudy(db);
    const note = `<strong>${SAMPLE_VINTAGE}.</strong>`;
    const time = `<time datetime="${updatedAt}"`;
    expect(pathsWhere((text) => !text.includes(note) || !text.includes(time))).toEqual([]);
  });

  it('lists no more ZIP codes than the public tables, and only of launched metros', async () => {
    const rows = await db.query<{ zip: string }>(
      'select zip from zips join metro_counties using (county_fips)',
    );
    const launched = new Set(rows.map(({ zip }) => zip));
    const wrong = [...pages].filter(([path, text]) => {
      const main = text.replaceAll(/<script[^]*?<\/script>|<[^>]*>/g, ' ');
      const zips = new Set(matchesOf(main, /(?<![\w,$])(\d{5})\b/g));
      // The page of a metro lists its ZIP codes without figures.
      const isList = METRO_PAGES.includes(path);
      return (
        (zips.size > PUBLIC_TABLE_ROWS && !isList) || [...zips].some((zip) => !launched.has(zip))
      );
    });
    expect(wrong.map(([path]) => path)).toEqual([]);
  });
});

const TESTED_MAP = 'dallas-tx/vertical/roofing';

describe('the links of all pages', () => {
  const found = new Set<string>();
  for (const text of pages.values()) {
    for (const link of matchesOf(text, /(?:href|src)="([^"#]+)"/g)) found.add(unescaped(link));
    for (const set of matchesOf(text, /srcset="([^"]+)"/g)) {
      for (const image of unescaped(set).split(', ')) found.add(image.split(' ')[0]!);
    }
  }
  const local = [...found].map((link) => link.replace(SITE, ''));

  it('stay on the site', () => {
    expect(local.filter((link) => !link.startsWith('/'))).toEqual([]);
  });

  it('work', async () => {
    // All maps use the same operation; the maps of one market are enough.
    const isOther = (link: string) =>
      (link.includes('map.png') && !link.includes(TESTED_MAP)) ||
      (link.includes('/static/') && !link.includes('/metro:dallas-tx:')) ||
      (link.startsWith('/zip/') && !link.endsWith('01'));
    const broken: string[] = [];
    const links = new Set(local.filter((candidate) => !isOther(candidate)));
    for (const link of casesOf([...links])) {
      const { status } = await open(link);
      if (status !== 200) broken.push(`${link}: ${status}`);
    }
    expect(broken).toEqual([]);
  });

  it('reach every other page from the home page', () => {
    const seen = new Set(['/']);
    for (const path of seen) {
      for (const link of matchesOf(pages.get(path) ?? '', /href="([^"#]+)"/g)) seen.add(link);
    }
    expect(paths.filter((path) => !seen.has(path))).toEqual([]);
  });
});

describe('the response of a page', () => {
  it('may be cached for an hour and then revalidated', async () => {
    const { headers } = await open('/');
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('public, max-age=3600');
    expect(headers.get('Link')).toContain('</llms.txt>; rel="describedby"');
    const again = await fetch(`${url}/`, {
      // By default, fetch adds `no-cache` to a conditional request.
      headers: { ...BROWSER, 'If-None-Match': headers.get('ETag')!, 'Cache-Control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });

  it('is under 50 kB for the largest page with its stylesheet and fonts', async () => {
    const sizes = await Promise.all(
      ['/', assetPath('site.css'), '/noto-sans-400.woff2', '/noto-sans-600.woff2'].map(
        async (path) => {
          const { headers } = await open(path);
          return Number(headers.get('Content-Length'));
        },
      ),
    );
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50_000);
  });

  it('loads files that caches keep only if they have the version in the address', async () => {
    const path = assetPath('site.css');
    const [own, other] = await Promise.all([open(path), open(path.replace(/[\w-]{8}/, 'newer'))]);
    expect(own.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(other.status).toBe(200);
    expect(other.headers.get('Cache-Control')).toBe('no-store');
  });

  it('shows the same figures as the public API', async () => {
    const path = metroVerticalPath('denver-co', 'hvac');
    const response = await fetch(`${url}/api/public/metro/denver-co/vertical/hvac`);
    const figures = (await response.json()) as Awaited<ReturnType<typeof publicMetroVertical>>;
    const text = await (await open(path)).text();
    expect(text).toContain(`<dd>${figures.averageScore!.toFixed(1)}</dd>`);
    const ranking = /<table class="ranking">(.*?)<\/table>/s.exec(text)![1]!;
    expect(matchesOf(ranking, /<th scope="row"><a [^>]*>(\d{5})</g)).toEqual(
      figures.topZips.map((z) => z.zipCode),
    );
    const chart = /<svg viewBox.*?<\/svg>/s.exec(text)![0];
    const counts = matchesOf(chart, /<text x="[\d.]+" y="[\d.]+">(\d+)</g).map(Number);
    expect(counts).toEqual(figures.scoreDistribution.map(({ count }) => count));
  });
});

describe('pages with census data', () => {
  it('name the source and don’t call the figures synthetic', async () => {
    const study = { ...(await publicDataStudy(db)), vintage: 'ACS 5-Year 2019-2023' };
    const text = homePage(study, new Links(roots));
    expect(text).toContain('Source: ACS 5-Year 2019-2023.');
    expect(text).not.toContain('synthetic');
  });

  it('show a metro without ZIP codes or scores', async () => {
    const study = await publicDataStudy(db);
    const figures = await publicMetroVertical(db, 'dallas-tx', 'roofing');
    const nothing = {
      zipCount: 0,
      scoredZipCount: 0,
      averageScore: null,
      medianScore: null,
      highDemandZipCount: 0,
    };
    const bare = {
      ...study,
      metros: study.metros.map((metro) => ({
        ...metro,
        verticals: metro.verticals.map((v) => ({ ...v, ...nothing })),
      })),
    };
    const bins = figures.scoreDistribution.map((bin) => ({ ...bin, count: 0 }));
    const text = metroVerticalPage(
      { ...figures, ...nothing, scoreDistribution: bins, topZips: [], sampled: false },
      COUNTRY,
      bare,
      new Links(roots),
    );
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
    expect(homePage(bare, new Links(roots))).not.toMatch(/NaN|undefined|null|Infinity/);
  });
});

describe('links to the documentation', () => {
  it('lead to guides that exist, from all pages, also those for members', () => {
    const folder = projectFile('src/doors/site');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
    const linked = sources.flatMap((text) =>
      [...text.matchAll(/page\('(\/docs[^'#]*)'\)/g)].map(([, path]) => path!),
    );
    expect(linked.length).toBeGreaterThan(5);
    expect(linked.filter((path) => !DOCS_PATHS.includes(path))).toEqual([]);
  });
});

describe('a search of the documentation', () => {
  it('shows excerpts with the address of this service and without Markdown', async () => {
    const text = await (await open('/docs/search?q=curl')).text();
    expect(text).toContain(`<mark>curl</mark> ${roots.api}/public/`);
    expect(text).not.toMatch(/localhost:3000|`/);
  });
});

describe('an address without a page', () => {
  it('shows browsers an error page with links', async () => {
    for (const path of ['/nothing', '/metros/dallas-tx/ice-cream', '/verticals/nothing']) {
      const response = await open(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('Vary')).toContain('Accept');
      expect(response.headers.get('Cache-Control')).toBeNull();
      const text = await response.text();
      expect(text).toContain('<h1>Page not found</h1>');
      expect(text).toContain('href="/verticals/roofing"');
      expect(text).toContain('noindex');
      expect(text).not.toContain('canonical');
    }
  });

  it('offers sign-in and sign-up if an emailed link is no longer valid', async () => {
    for (const path of ['/signup/x', '/password/x', '/invite/x']) {
      const response = await open(path);
      expect(response.status).toBe(404);
      const text = await response.text();
      expect(text).toContain('<h1>Link not valid</h1>');
      expect(text).toMatch(/href="\/login">Sign in<[^]*href="\/signup">Sign up</);
    }
  });

  it('isn’t taken for an emailed link because it ends like one', async () => {
    const response = await open('/docs/password/x');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<h1>Page not found</h1>');
  });

  it('escapes the address on the error page', async () => {
    const text = await (await open('/metros/%3Cscript%3Ealert(1)%3C%2Fscript%3E/roofing')).text();
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain('<script>');
  });

  it('sends the Error object to other clients', async () => {
    for (const headers of [{ Accept: 'application/json' }, { Accept: '*/*' }]) {
      const response = await fetch(`${url}/nothing`, { headers });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
    }
  });

  it('sends the Error object to browsers on API paths', async () => {
    const response = await open('/api/public/zip/00000');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });

  it('asks browsers to come back while there are no scores', async () => {
    const response = await open('/', emptyUrl);
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).not.toBeNull();
    expect(await response.text()).toContain('<h1>Temporarily unavailable</h1>');
  });
});

describe('links', () => {
  it('keep the path prefix that a proxy adds', () => {
    const links = new Links({ site: 'https://example.com/t', api: 'https://example.com/t/api' });
    expect(links.page('/methodology')).toBe('/t/methodology');
    expect(links.api('/openapi.json')).toBe('/t/api/openapi.json');
    expect(links.absolute('/')).toBe('https://example.com/t/');
  });
});

describe('the page of a ZIP code', () => {
  const text = () => pages.get(zipPages[0]!)!;
  const zip = zipPages[0]!.slice(-5);

  it('shows the figures and scores of the public API', async () => {
    const response = await fetch(`${url}/api/public/zip/${zip}`);
    const { demographics, scores, metroSlug } = (await response.json()) as any;
    expect(text()).toContain(`<dd>${demographics.householdsTotal.toLocaleString('en')}</dd>`);
    expect(text()).toContain(`href="/metros/${metroSlug}"`);
    const table = /<caption>\s*Positions(.*?)<\/table>/s.exec(text())![1]!;
    const shown = matchesOf(table, /<span class="chip[^"]*">(\d+)</g).map(Number);
    expect(shown).toEqual(
      scores.map((s: any) => s.score).toSorted((a: number, b: number) => b - a),
    );
  });

  it('states positions as the scores rank them', async () => {
    const [{ vertical, position, ranked } = {} as any] = await db.query<any>(
      `select vertical, 1 + count(*) filter (where s.percentile > own.percentile)::int as position,
         count(*)::int as ranked
       from zip_scores own
       join zips me on me.zip = own.zip
       join metro_counties mine on mine.county_fips = me.county_fips
       join metro_counties theirs on theirs.metro_slug = mine.metro_slug
       join zips z on z.county_fips = theirs.county_fips
       join zip_scores s using (vertical)
       where own.zip = $1 and s.zip = z.zip and s.score is not null and vertical = 'hvac'
       group by vertical`,
      [zip],
    );
    expect(vertical).toBe('hvac');
    const row = /metros\/[a-z-]+\/hvac"[^]*?<\/tr>/.exec(text())![0];
    expect(row).toMatch(
      new RegExp(String.raw`>\s*${position}\s*<span class="quiet">of ${ranked}</span>`),
    );
  });

  it('shows no scores without enough data', async () => {
    const [{ zip: unscored } = {} as any] = await db.query<any>(
      `select min(zip) as zip from zips join metro_counties using (county_fips)
       where not exists (select from zip_scores s where s.zip = zips.zip and score is not null)`,
    );
    const page = pages.get(zipPath(unscored))!;
    expect(page).toContain('Not enough data to score this ZIP code.');
    expect(page).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  it('exists only in launched metros, and explains why not elsewhere', async () => {
    for (const [path, reason] of [
      ['/zip/59801', /outside the launched metros/],
      ['/zip/00000', /isn’t known/],
      ['/zip/abc', /ZIP code/],
    ] as const) {
      const response = await open(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toMatch(reason);
    }
  });

  it('is in the sitemap if its ZIP code is in a launched metro', async () => {
    const rows = await db.query<{ zip: string }>(
      'select zip from zips join metro_counties using (county_fips) order by zip',
    );
    const sitemap = await (await open('/sitemaps/zips.xml')).text();
    expect(matchesOf(sitemap, /<loc>[^<]*\/zip\/(\d{5})<\/loc><lastmod>20/g)).toEqual(
      rows.map((row) => row.zip),
    );
  });
});
