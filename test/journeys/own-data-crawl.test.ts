/**
 * Crawls an organization's shares and everything else that needs no credential of it: nothing shows its own data, in any
 * representation.
 */
import { randomUUID } from 'node:crypto';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { signingSecretBox } from '../../src/people/account/signing-secret.ts';
import { changeSubscription } from '../../src/people/account/subscription.ts';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import type { Operation } from '../../src/base/contract/operation.ts';
import { render } from '../../src/render/render.ts';
import { mintShare } from '../../src/territories/share/links.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { saveData } from '../territories/own-data/saved.ts';
import { callPlans } from '../territories/plans/calls.ts';
import { bareOperations } from '../support/bare-app.ts';
import { newClient } from '../support/clients.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, newKey, serveKeyed } from '../support/keyed-app.ts';
import { hold } from '../territories/brands/holding.ts';
import { DALLAS } from '../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const parts = {
  renderer: mapsWith({ render }),
  signingSecrets: signingSecretBox([Buffer.alloc(32, 7)]),
};
const app = await serveKeyed(db, parts, '');
const { key, caller } = await newKey(db);
const { tenant } = caller;
await changeSubscription(tenant, { status: 'active' });
const stranger = await newKey(db);

const OWN = /quetzal|kumquat|brumaire|48,?271\.93|48,272|91,?357\.46|91,357|139,?629\.39|139,629/i;
const set = await saveData(
  caller,
  'Quetzal Invoices',
  { [DALLAS[0]!]: 48271.93, [DALLAS[1]!]: 91357.46 },
  { unit: 'kumquats', period: 'Brumaire 2025' },
);
const brand = await createBrand(tenant, { name: 'Star' });
await hold(tenant, brand, DALLAS);
const { link } = await tenant.transaction((tx) =>
  mintShare(tx, { kind: 'person', id: randomUUID(), name: 'Ann' }, brand, {
    kind: 'brand',
    days: 30,
    hideBranding: false,
    title: 'Where we roof',
    vertical: 'hvac',
  }),
);
const call = callPlans(app, key);
const plan = await call('', { name: 'Next year', zips: DALLAS, balance: set.slug });
await call(`/${plan['id']}`, {
  version: plan['version'],
  territories: [
    { number: 1, name: 'North' },
    { number: 2, name: 'South' },
  ],
  moves: [
    { zips: DALLAS.slice(0, 3), to: 1 },
    { zips: DALLAS.slice(3, 6), to: 2 },
  ],
});
const sharedPlan = await call(`/${plan['id']}/shares`, { days: 7 });
const codes = [link.code, String(sharedPlan['url']).split('/').at(-1)!];

const VALUES: Record<string, readonly string[]> = {
  token: codes,
  brand: [brand.id, brand.slug],
  plan: [plan['id']],
  share: [sharedPlan['id'] ?? codes[1]!],
  dataSet: [set.id],
  measure: [set.id],
  zip: [DALLAS[0]!],
  metroSlug: ['dallas-tx'],
  vertical: ['hvac'],
  style: ['light'],
  view: ['auto'],
  z: ['8'],
  x: ['59'],
  y: ['103'],
  row: ['103'],
  size: ['300x200'],
  format: ['png', 'webp'],
  subject: [`share:${link.code}`, `brand:${brand.id}`, `zips:${DALLAS[0]}`, 'metro:dallas-tx'],
  name: ['light'],
  fontstack: ['Noto Sans Regular'],
  range: ['0-255'],
};
const COLORS = [`data:${set.id}`, `rate:${set.id}`];

/** Returns an operation's addresses for all of these values. */
function addressesOf({ path }: Pick<Operation, 'path'>): string[] {
  let paths = [path];
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    const values = VALUES[name!] ?? ['1'];
    paths = paths.flatMap((one) =>
      values.map((value) => one.replace(`{${name}}`, encodeURIComponent(value))),
    );
  }
  return path.startsWith('/static/')
    ? paths.flatMap((one) => [one, ...COLORS.map((color) => `${one}?color=${color}&legend=true`)])
    : paths;
}

interface Answer {
  status: number;
  /** The headers and the body as text, and what a tile contains */
  text: string;
}

async function ask(address: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(new URL(address, app.api), {
    ...init,
    headers: { ...newClient(), ...init.headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isTile = response.headers.get('Content-Type')?.includes('vector-tile') && bytes.length > 0;
  const { layers } = isTile ? new VectorTile(new PbfReader(bytes)) : { layers: {} };
  const properties = Object.values(layers).flatMap((layer) => [
    layer.name,
    ...Array.from({ length: layer.length }, (_, i) => layer.feature(i).properties),
  ]);
  const headers = JSON.stringify([...response.headers]);
  const parts = [headers, bytes.toString(), bytes.toString('latin1'), JSON.stringify(properties)];
  return { status: response.status, text: parts.join('\n') };
}

/** Expects addresses to answer without own data. @returns their answers */
async function expectNothing(
  addresses: Iterable<string>,
  init: RequestInit = {},
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const address of addresses) {
    const answer = await ask(address, init);
    expect([address, OWN.exec(answer.text)?.[0]]).toEqual([address, undefined]);
    expect([address, answer.status < 500 || answer.status === 503]).toEqual([address, true]);
    answers.push(answer);
  }
  return answers;
}

/** The addresses of this service in a text, with tiles around Dallas */
const linksIn = (text: string) =>
  [...text.matchAll(/(?:href|src|action)="([^"]+)"|https?:\/\/[^\s"'<>)\]\\]+/g)].flatMap(
    ([whole, attribute]) => {
      const address = (attribute ?? whole)
        .replaceAll('&amp;', '&')
        .replaceAll('{z}/{x}/{y}', '8/59/103');
      if (address.includes('{') || !URL.canParse(address, app.api)) return [];
      const url = new URL(address, app.api);
      return url.origin === new URL(app.api).origin ? [url.pathname + url.search] : [];
    },
  );

const all = bareOperations({ db, ...parts });
const post = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };

it('the owner sees the data in the same places, so the search finds it', async () => {
  const headers = bearer(key);
  for (const path of [
    `/agent/data-sets/${set.slug}`,
    `/agent/data-sets/${set.slug}/zips.csv`,
    `/agent/plans/${plan['id']}`,
  ]) {
    expect((await ask(path, { headers })).text).toMatch(OWN);
  }
  const [tile] = addressesOf({ path: '/brands/{brand}/tiles/{z}/{x}/{y}.mvt' });
  expect((await ask(tile!, { headers })).text).toContain(DALLAS[0]);
});

describe('own data is not', () => {
  it('in shared maps and plans, or in anything that they link to', async () => {
    const seen = new Set([
      ...codes.flatMap((code) => [
        `/s/${code}`,
        `/s/${code}?embed=1`,
        `/s/${code}/check?zip=${DALLAS[0]}`,
        ...['json', 'xml'].map(
          (format) => `/oembed?format=${format}&url=${encodeURIComponent(`${app.api}/s/${code}`)}`,
        ),
      ]),
      ...linksIn(JSON.stringify([link, sharedPlan])),
      ...all.filter(({ path }) => path.includes('{token}')).flatMap(addressesOf),
      ...COLORS.map((color) => `/s/${link.code}?color=${color}&view=white-space&data=${set.id}`),
    ]);
    let next = [...seen];
    let statuses: number[] = [];
    while (next.length > 0) {
      const answers = await expectNothing(next);
      statuses = [...statuses, ...answers.map(({ status }) => status)];
      next = answers
        .flatMap(({ text }) => linksIn(text))
        .filter((path) => codes.some((code) => path.includes(code)) && !seen.has(path))
        .filter((path, i, paths) => paths.indexOf(path) === i);
      for (const path of next) seen.add(path);
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(20);
  });

  it('in any operation without a key', async () => {
    const answers = await expectNothing(
      all.filter(({ method }) => method === 'get').flatMap(addressesOf),
    );
    expect(new Set(answers.map(({ status }) => status))).toContain(200);
    const paths = all.filter(({ path }) => path.startsWith('/agent/'));
    for (const method of ['get', 'post'] as const) {
      const refused = await expectNothing(
        paths.filter((one) => one.method === method).flatMap(addressesOf),
        method === 'post' ? post : {},
      );
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
    }
    await expectNothing(['/mcp'], post);
  });

  it('on a page without a session', async () => {
    const pages = [
      '',
      '/map',
      '/map/market?zips=75201',
      '/brands',
      '/brands/star',
      '/data',
      '/targeting',
    ];
    await expectNothing([
      '/',
      '/llms-full.txt',
      '/sitemap-index.xml',
      `/search?q=${DALLAS[0]}`,
      `/zip/${DALLAS[0]}`,
      '/metros/dallas-tx/hvac',
      '/explore/hvac',
      '/openapi.json',
      '/pictures',
      ...pages.map((page) => `/account${page}`),
      `/account/data/${set.id}`,
      `/account/map?view=white-space&data=${set.id}`,
    ]);
  });

  it('shown to another organization', async () => {
    const headers = bearer(stranger.key);
    await expectNothing(
      all.filter(({ method, auth }) => method === 'get' && auth !== 'none').flatMap(addressesOf),
      { headers },
    );
    const changes = all.filter(
      ({ method, path }) => method === 'post' && path.startsWith('/agent/'),
    );
    await expectNothing(changes.flatMap(addressesOf), {
      ...post,
      headers: { ...post.headers, ...headers },
    });
    const map = { vertical: 'hvac', zips: DALLAS, balance: set.id, name: 'Theirs' };
    await expectNothing(['/agent/plans', '/agent/territory-plan'], {
      ...post,
      headers: { ...post.headers, ...headers },
      body: JSON.stringify(map),
    });
    expect((await ask(`/agent/data-sets/${set.slug}`, { headers: bearer(key) })).text).toMatch(OWN);
  });
});
