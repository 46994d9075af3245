/** Checks every documentation page, and that tables and numbers in the guides match the code. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { describe, expect, it } from 'vitest';
import { EXPORT_PRICE } from '../../../../src/people/metering/exports.ts';
import { REVIEWERS } from '../../../../src/people/account/access.ts';
import { TRIAL } from '../../../../src/people/account/subscription.ts';
import { MAX_ZIPS_PER_CALL } from '../../../../src/base/contract/limits.ts';
import { TOOLS } from '../../../../src/doors/tools/tools.ts';
import { scoreTerritory } from '../../../../src/doors/tools/score-territory.ts';
import { readConfig } from '../../../../src/config.ts';
import { ERROR_CODES } from '../../../../src/base/contract/error-codes.ts';
import { KEY_POLICIES, POLICIES } from '../../../../src/base/contract/limits.ts';
import { SERVICE_VERSION } from '../../../../src/base/contract/version.ts';
import { PUBLIC_TABLE_ROWS } from '../../../../src/data/market/public/ranking.ts';
import {
  CONNECTION_DAYS,
  IDLE_DAYS,
  ROUTES,
} from '../../../../src/people/oauth/connector-terms.ts';
import { projectFile } from '../../../../src/base/geodata/project-files.ts';
import { STREETS_MIN_ZOOM } from '../../../../src/data/basemap/streets-style.ts';
import { STYLE_NAMES } from '../../../../src/data/basemap/styles.ts';
import { SHARE_DAYS } from '../../../../src/territories/share/links.ts';
import { DOCS_PATHS, GROUPS, GUIDES } from '../../../../src/doors/site/docs/guides.ts';
import { formatCount } from '../../../../src/base/text/words.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../../src/territories/brands/validate-zips.ts';
import { bareOperations, bareParts, serveBare } from '../../../support/bare-app.ts';
import { examplesOf } from './guide-examples.ts';
import { tables } from './tables.ts';

const site = 'https://territory.test';
const roots = { site, api: `${site}/api` };
const port = await serveBare(bareParts({ apiRoot: () => roots.api }));
const all = bareOperations({}, '/api');

const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
const read = async (path: string) => (await get(path)).text();
const html = new Map<string, string>();
for (const path of DOCS_PATHS) html.set(path, await read(path));

const matchesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((m) => m[1]!);
const guideAt = (path: string) => GUIDES.find((guide) => guide.path === path)!.markdown;

const INCLUDE = /<!-- include: ([\w-]+) -->\n[^]*?<!-- end include -->/g;

describe('the guides', () => {
  const folder = projectFile('src/doors/site/docs/guides');
  const style = JSON.parse(readFileSync(projectFile('.oxfmtrc.json'), 'utf8'));

  it('are all listed, in the navigation and for sitemaps', () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.md$/, ''));
    const paths = files.map((file) => (file === 'index' ? '/docs' : `/docs/${file}`));
    expect(GUIDES.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    const entries = GROUPS.flatMap((group) => group.entries.map(({ path }) => path));
    expect(new Set(entries).size).toBe(entries.length);
    expect(entries).toEqual(expect.arrayContaining([...DOCS_PATHS]));
  });

  // UPDATE=1 rewrites the tables.
  it.each(readdirSync(folder))('%s has tables that match the declarations', async (file) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const generated = tables(all);
    const { code: current } = await format(
      file,
      text.replaceAll(INCLUDE, (_, name: string) => {
        expect(Object.keys(generated)).toContain(name);
        return `<!-- include: ${name} -->\n\n${generated[name]}\n\n<!-- end include -->`;
      }),
      style,
    );
    const isUpdate = process.env.UPDATE === '1';
    if (isUpdate) writeFileSync(path, current);
    expect(isUpdate ? current : text).toBe(current);
  });

  it('include every table once', () => {
    const included = GUIDES.flatMap(({ markdown }) =>
      Array.from(markdown.matchAll(INCLUDE), ([, name]) => name),
    );
    expect(included.toSorted()).toEqual(Object.keys(tables(all)).toSorted());
  });

  it('have an id for every example, used once', () => {
    const ids = GUIDES.flatMap(examplesOf).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(40);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('use the numbers that the code uses', () => {
    const [minute, day] = KEY_POLICIES.map((name) => formatCount(POLICIES[name].quota));
    const facts = {
      '/docs/import-data': [`Maps show streets from zoom ${STREETS_MIN_ZOOM}.`],
      '/docs/limits': [
        `a trial of ${TRIAL.days} days: ${formatCount(TRIAL.monthlyUnits)} units a month, figures of ${formatCount(TRIAL.monthlyZips)} ZIP codes`,
        `costs ${EXPORT_PRICE.units} unit per ${EXPORT_PRICE.rows} live ZIP codes (rounded up)`,
        `own limits: ${minute} a minute and ${day} a day`,
        `q=${POLICIES.public.quota};w=${POLICIES.public.windowSeconds}`,
      ],
      '/docs/maps': [
        `styles show them from zoom ${STREETS_MIN_ZOOM}`,
        `after ${SHARE_DAYS.default} days by default (${SHARE_DAYS.min} to ${SHARE_DAYS.max} on request)`,
        ...STYLE_NAMES.map((name) => `(http://localhost:3000/styles/${name}.json)`),
      ],
      '/docs/mcp': [
        `${TOOLS.length} tools`,
        `after ${IDLE_DAYS} days without use, and always after ${CONNECTION_DAYS} days`,
        `\`${ROUTES.revocation}\``,
      ],
      '/docs/rest': [
        `the ${PUBLIC_TABLE_ROWS} best ZIP codes`,
        `A plan costs ${scoreTerritory.units} [units]`,
      ],
      '/docs/self-hosting': [`Default: ${formatCount(TRIAL.monthlyZips)} for a trial`],
      '/docs/territories': [
        `up to ${formatCount(MAX_ZIPS_PER_CALL)} ZIP codes per call, or up to ${formatCount(MAX_ZIPS_PER_CHANGE)} per change`,
        new Intl.ListFormat('en-US', { type: 'disjunction' }).format(REVIEWERS),
      ],
      '/docs/versioning': [`**${SERVICE_VERSION}**`, `Service-Version: ${SERVICE_VERSION}`],
    };
    for (const [path, sentences] of Object.entries(facts)) {
      const text = guideAt(path).replaceAll(/\s+/g, ' ');
      for (const sentence of sentences) expect(text).toContain(sentence);
    }
  });

  it('list every setting with its default', () => {
    const rows = [...guideAt('/docs/self-hosting').matchAll(/^\| `(\w+)` +\| (\S+) +\|/gm)];
    const names: string[] = [];
    const env = new Proxy({}, { get: (_, name: string) => void names.push(name) });
    const defaults = new Map(Object.entries(readConfig(env)));
    expect(rows.map(([, name]) => name)).toEqual(names);
    const expected = rows.map(([, name, shown]) => {
      const key = name!
        .toLowerCase()
        .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      const value = defaults.get(key);
      // The rest depend on other settings or are resolved: a folder, a port, a list of networks.
      const isPlain = ['string', 'number'].includes(typeof value) && value !== '';
      return [name, isPlain && key !== 'dataDir' ? `\`${String(value)}\`` : shown];
    });
    expect(rows.map(([, name, shown]) => [name, shown])).toEqual(expected);
  });
});

describe('the pages', () => {
  it('link only to pages and sections that exist', async () => {
    const broken: string[] = [];
    const known = new Map<string, boolean>();
    for (const [path, text] of html) {
      for (const address of new Set(matchesOf(text, /href="([^"]+)"/g))) {
        const { origin, pathname, search, hash } = new URL(
          address.replaceAll('&amp;', '&'),
          site + path,
        );
        // Account pages ask for a sign-in first; Swagger UI creates its own anchors.
        if (origin !== site || pathname.startsWith('/account')) continue;
        const at = pathname + search;
        // Without data, some pages return 503, but they exist.
        if (!known.has(at)) known.set(at, (await get(at)).status !== 404);
        const hasPlace =
          hash === '' ||
          hash.startsWith('#/') ||
          html.get(pathname)?.includes(`id="${hash.slice(1)}"`);
        if (!known.get(at) || !hasPlace) broken.push(`${path}: ${address}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('link within the site without a host, under any base path', () => {
    for (const [path, text] of html) {
      expect([path, matchesOf(text, /<a href="(https:\/\/territory\.test[^"]*)"/g)]).toEqual([
        path,
        [],
      ]);
      expect(text).not.toMatch(/(?<!default: http:\/\/)localhost:3000/);
    }
    expect(html.get('/docs/rest')).toContain('href="/api/openapi.json"');
    expect(html.get('/docs/rest')).toContain('href="/account/keys"');
  });

  it('contain nothing inline, no unrendered Markdown, and one main heading', () => {
    for (const [path, text] of html) {
      expect([path, matchesOf(text, /<h1>([^<]+)</g).length]).toEqual([path, 1]);
      expect(text).not.toMatch(/\sstyle="|\son\w+="|<style|<script>|&lt;!--|<p>\||```/);
    }
  });

  it('are listed for crawlers and language models', async () => {
    const sitemap = await read('/sitemaps/pages.xml');
    const [short, full] = [await read('/llms.txt'), await read('/llms-full.txt')];
    for (const path of DOCS_PATHS) expect(sitemap).toContain(`<loc>${site}${path}</loc>`);
    for (const { path, title } of GUIDES) {
      expect(short).toContain(`- [${title}](${site}${path}.md): `);
      expect(full).toContain(`\n## ${title}\n`);
    }
  });

  it('are also served as Markdown, with absolute links and without example attributes', async () => {
    for (const { path, title } of GUIDES) {
      const page = await get(path);
      expect(page.headers.get('Link')).toContain(`<${path}.md>; rel="alternate"`);
      const response = await get(`${path}.md`);
      expect(response.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
      const text = await response.text();
      expect(text.startsWith(`# ${title}\n`)).toBe(true);
      expect(text).not.toMatch(
        /\]\((?!https?:)|(?<!default: http:\/\/)localhost:3000|<!--|^```\w+ ./m,
      );
    }
  });
});

/** Returns all source files as one text, without the declarations of the error codes. */
function sources(): string {
  const folder = projectFile('src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('error-codes.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}

describe('the error codes', () => {
  const code = sources();

  it('are thrown with their declared status', () => {
    const thrown = [...code.matchAll(/new ServiceError\(\s*(\d+),\s*'(\w+)'/g)];
    expect(thrown.length).toBeGreaterThan(15);
    for (const [, status, name] of thrown) {
      expect([name, ERROR_CODES[name as keyof typeof ERROR_CODES].status]).toEqual([
        name,
        Number(status),
      ]);
    }
  });

  it('are all in use', () => {
    const unused = Object.keys(ERROR_CODES).filter((name) => !code.includes(`'${name}'`));
    expect(unused).toEqual([]);
  });

  it('are all on their page', () => {
    const page = html.get('/docs/errors')!;
    for (const name of Object.keys(ERROR_CODES)) expect(page).toContain(`<code>${name}</code>`);
  });
});

it('every rate limit is on its page, with what it applies to', () => {
  const rows = matchesOf(html.get('/docs/limits')!, /<th scope="row"><code>([^]+?)<\/tr>/g);
  const shown = new Map(rows.map((row) => [row.split('<')[0], row]));
  for (const [name, { quota }] of Object.entries(POLICIES)) {
    const row = shown.get(name)!;
    expect(row).toContain(quota.toLocaleString('en'));
    expect(row).toMatch(/data-label="Applies to">[^<]*(<code>[^<]+|\w+)/);
  }
});

describe('the changelog', () => {
  const releases = guideAt('/docs/changelog').split(/^## /m).slice(1);

  it('starts with the current version and goes back in time', () => {
    const versions = releases.map((release) => release.slice(0, 10));
    expect(versions[0]).toBe(SERVICE_VERSION);
    expect(versions).toEqual(versions.toSorted().reverse());
  });

  it('lists every deprecation', () => {
    const listed = releases
      .flatMap((release) => matchesOf(release, /### Deprecated\n([^#]+)/g))
      .join();
    for (const { method, path, deprecated } of all.filter((op) => op.deprecated)) {
      expect(listed).toContain(`\`${method.toUpperCase()} ${path}\``);
      expect(listed).toContain(deprecated!.sunset);
    }
  });

  it('names only operations that exist', () => {
    const paths = new Set([...all.map(({ path }) => path), '/.well-known/mcp.json']);
    const named = matchesOf(releases[0]!.split('### Removed')[0]!, /`(?:GET|POST) ([^`]+)`/g);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((path) => !paths.has(path))).toEqual([]);
  });
});
