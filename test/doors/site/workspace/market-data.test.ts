/** The JSON that the workspace loads. */
import { describe, expect, it } from 'vitest';
import { changeSubscription, TRIAL } from '../../../../src/people/account/subscription.ts';
import { tenantOf, type TenantDatabase } from '../../../../src/people/account/tenant.ts';
import { resolveMarket } from '../../../../src/data/market/market.ts';
import { figuresMeterOf, recordSeenZips } from '../../../../src/people/metering/figures.ts';
import { amountColumns } from '../../../../src/territories/own-data/amount-columns.ts';
import { scoreClass, NATIONAL_CLASSES } from '../../../../src/maps/cartography/classes.ts';
import {
  readLine,
  type BorderLinesAnswer,
} from '../../../../src/doors/site/workspace/browser/map/border-lines.ts';
import {
  countSeparate,
  piecesOf,
} from '../../../../src/doors/site/workspace/browser/territories/figures.ts';
import {
  readMarket,
  type MarketAnswer,
} from '../../../../src/doors/site/workspace/browser/market.ts';
import { classIn, NO_CLASS } from '../../../../src/doors/site/browser/zip-classes.ts';
import { bboxOfZips } from '../../../../src/territories/brands/map-zips.ts';
import { createBrand } from '../../../../src/territories/brands/brands.ts';
import { setProfile } from '../../../../src/territories/brands/targeting/profile.ts';
import { zipFacts } from '../../../../src/territories/brands/zip-facts.ts';
import { formatCount } from '../../../../src/base/text/words.ts';
import { saveData } from '../../../territories/own-data/saved.ts';
import { testDatabase } from '../../../support/database.ts';
import { serveKeyed } from '../../../support/keyed-app.ts';
import { Visitor } from '../../../support/visitor.ts';
import { hold } from '../../../territories/brands/holding.ts';
import { agent, DALLAS } from '../../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;

async function newPerson(): Promise<{ pat: Visitor; tenant: TenantDatabase }> {
  const pat = await new Visitor(SITE).signUp();
  const [row] = await db.query<{ id: string }>(
    `select organization_id as id from memberships join people on people.id = person_id
     where email = $1`,
    [pat.email],
  );
  return { pat, tenant: tenantOf(db, row!.id) };
}

const json = async <T>(pat: Visitor, path: string): Promise<T> => {
  const { html } = await pat.get(`/account/map/${path}`);
  return JSON.parse(html) as T;
};

const { zips: metroZips } = await resolveMarket(db, { metro: 'dallas-tx' });

describe('A market', () => {
  it('has the figures of all its ZIP codes as columns', async () => {
    const { pat } = await newPerson();
    const market = readMarket(await json<MarketAnswer>(pat, 'market.json?metro=dallas-tx'));
    expect(market.zips).toEqual(metroZips);
    expect(market.withheld).toBeNull();
    const column = (name: string) =>
      Array.from(market.columns.get(name)!, (value) => (Number.isNaN(value) ? null : value));
    const facts = await zipFacts(db, metroZips, 'hvac');
    expect(column('score:hvac')).toEqual(facts.map(({ score }) => score));
    expect(column('households')).toEqual(facts.map(({ households }) => households));
    expect(column('population')).toEqual(facts.map(({ population }) => population));
    expect(market.columns.has('own:hvac')).toBe(false);
  });

  it('knows the neighbors of each ZIP code, in both directions with the same length', async () => {
    const { pat } = await newPerson();
    const market = readMarket(await json<MarketAnswer>(pat, 'market.json?metro=dallas-tx'));
    const { starts, neighbors, km } = market.borders;
    const lengths = new Map<string, number>();
    for (const zip of market.zips.keys()) {
      for (let at = starts[zip]!; at < starts[zip + 1]!; at++) {
        lengths.set(`${zip} ${neighbors[at]}`, km[at]!);
      }
    }
    for (const [pair, length] of lengths) {
      expect(lengths.get(pair.split(' ').toReversed().join(' '))).toBe(length);
    }
    const rows = await db.query<{ pairs: number }>(
      `select count(*)::int as pairs from zip_neighbors where zip = any($1) and neighbor = any($1)`,
      [metroZips],
    );
    expect(lengths.size).toBe(rows[0]!.pairs);
  });

  it('has connections over water, so that islands count as parts of it', async () => {
    const { pat } = await newPerson();
    const market = readMarket(await json<MarketAnswer>(pat, 'market.json?state=AK'));
    const zips = new Set(market.zips.keys());
    const pieces = piecesOf(market, zips);
    expect(pieces.length).toBeGreaterThan(1);
    expect(countSeparate(pieces, zips, market.bridges)).toBe(1);
  });

  it('has scores by the organization’s own weights', async () => {
    const { pat, tenant } = await newPerson();
    await setProfile(tenant, agent, 'roofing', { medianAge: -1 });
    const market = readMarket(await json<MarketAnswer>(pat, 'market.json?metro=dallas-tx'));
    const [own, ages] = ['own:roofing', 'medianAge'].map((name) => market.columns.get(name)!);
    const known = [...market.zips.keys()].filter(
      (zip) => !Number.isNaN(own![zip]!) && !Number.isNaN(ages![zip]!),
    );
    expect(known.length).toBeGreaterThan(200);
    const byAge = known.toSorted((a, b) => ages![a]! - ages![b]!).map((zip) => own![zip]!);
    expect(byAge).toEqual(byAge.toSorted((a, b) => b - a));
  });

  it('says why there are no figures once the subscription’s ZIP codes are used up', async () => {
    const { pat, tenant } = await newPerson();
    const subscription = { monthlyZips: 5 };
    await changeSubscription(tenant, subscription);
    await recordSeenZips({ tenant, subscription }, DALLAS.slice(0, 5));
    const answer = await json<MarketAnswer>(pat, 'market.json?metro=dallas-tx');
    expect(answer.columns).toEqual({});
    expect(answer.withheld).toContain('5 ZIP codes a month');
    expect(answer.zips.split(' ')).toEqual(metroZips);
  });

  it('asks before its figures use up much of a trial, and shows them after consent', async () => {
    const { pat, tenant } = await newPerson();
    const used = async () =>
      (await figuresMeterOf({ tenant, subscription: { monthlyZips: TRIAL.monthlyZips } })).zipsSeen;
    const asking = await json<MarketAnswer>(pat, 'market.json?state=TX');
    const count = asking.zips.split(' ').length;
    expect(asking).toMatchObject({ columns: {}, asksForFigures: true });
    expect(asking.withheld).toBe(
      `Showing the figures for Texas would use ${formatCount(count)} of the 2,500 ZIP codes that your subscription has left this month.`,
    );
    expect(await used()).toBe(0);

    const shown = await json<MarketAnswer>(pat, 'market.json?state=TX&figures=yes');
    expect(shown).toMatchObject({ withheld: null, asksForFigures: false });
    expect(shown.columns['households']).toHaveLength(count);
    expect(await used()).toBe(count);
    // ZIP codes that were seen are free for the rest of the month, and so is a small market.
    for (const query of ['state=TX', 'metro=phoenix-az']) {
      const answer = await json<MarketAnswer>(pat, `market.json?${query}`);
      expect(answer).toMatchObject({ withheld: null, asksForFigures: false });
    }
    // With more than the remaining ZIP codes, the page doesn't ask.
    const refused = await json<MarketAnswer>(pat, 'market.json?state=CA');
    expect(refused).toMatchObject({ columns: {}, asksForFigures: false });
    expect(refused.withheld).toContain('2,500 ZIP codes a month');
  });

  it('asks nothing of a subscription without a limit', async () => {
    const { pat, tenant } = await newPerson();
    await changeSubscription(tenant, { status: 'active' });
    const answer = await json<MarketAnswer>(pat, 'market.json?state=TX');
    expect(answer).toMatchObject({ withheld: null, asksForFigures: false });
  });

  it('has the organization’s data sets with amounts there, even without figures', async () => {
    const { pat, tenant } = await newPerson();
    const caller = { tenant, actor: agent };
    const [first, second] = metroZips;
    await saveData(caller, 'Open jobs', { [second!]: 12.5, 99501: 3 });
    const means = { addsUp: 'mean', unit: 'dollars', rows: [4] } as const;
    await saveData(caller, 'Ticket', { [first!]: 80 }, means);
    await saveData(caller, 'Alaska', { 99501: 3 });
    const read = async () =>
      readMarket(await json<MarketAnswer>(pat, 'market.json?metro=dallas-tx'));
    await changeSubscription(tenant, { monthlyZips: 1 });
    expect([...(await read()).columns.keys()]).toEqual(['data:open-jobs', 'data:ticket']);
    await changeSubscription(tenant, { monthlyZips: null });
    const { columns, dataSets } = await read();
    const [jobs, tickets, rates, owners] = [
      'data:open-jobs',
      'data:ticket',
      'rate:open-jobs',
      'ownerOccupiedHouseholds',
    ].map((name) => columns.get(name)!);
    // A sum without rows is 0, and a mean is unknown.
    expect([...jobs!]).toEqual(metroZips.map((zip) => (zip === second ? 12.5 : 0)));
    expect([...tickets!]).toEqual(metroZips.map((zip) => (zip === first ? 80 : NaN)));
    expect(rates![1]).toBe(12_500 / owners![1]!);
    expect(columns.has('rate:ticket')).toBe(false);
    expect(dataSets.get('ticket')).toMatchObject({ name: 'Ticket', addsUp: 'mean' });
    expect(dataSets.get('ticket')!.rows!.slice(0, 2)).toEqual([4, 0]);
  });

  it('hides amounts outside the brands of a viewer with access to only some', async () => {
    const { tenant } = await newPerson();
    const brand = await createBrand(tenant, { name: 'North' });
    await hold(tenant, brand, [DALLAS[0]!, DALLAS[2]!]);
    const amounts = { [DALLAS[0]!]: 5, [DALLAS[1]!]: 7 };
    await saveData({ tenant, actor: agent }, 'Jobs', amounts);
    await saveData({ tenant, actor: agent }, 'Elsewhere', { [DALLAS[1]!]: 7 });
    const viewer = { tenant, brandScope: new Set([brand.id]) };
    const columns = await amountColumns(viewer, DALLAS.slice(0, 3));
    expect(columns.map(({ slug, amounts: seen }) => [slug, seen])).toEqual([
      ['jobs', [5, null, 0]],
    ]);
  });

  it('must be named, and exist', async () => {
    const { pat } = await newPerson();
    for (const [query, status] of [
      ['', 400],
      ['?metro=atlantis', 404],
      ['?state=Narnia', 404],
      ['?plan=none', 404],
    ] as const) {
      expect((await pat.get(`/account/map/market.json${query}`)).status).toBe(status);
    }
  });
});

it('Each brand has its ZIP codes in the market, with pending ones listed separately', async () => {
  const { pat, tenant } = await newPerson();
  const north = await createBrand(tenant, { name: 'North' });
  await createBrand(tenant, { name: 'Empty' });
  await hold(tenant, north, [...DALLAS.slice(0, 2), '10001']);
  await hold(tenant, north, ['75207'], 'pending');
  const { territories } = await json<{ territories: unknown[] }>(pat, 'live.json?metro=dallas-tx');
  expect(territories).toMatchObject([
    { brand: { slug: 'empty' }, zips: '', pending: '' },
    { brand: { slug: 'north' }, zips: '75201 75202 75207', pending: '75207' },
  ]);
});

it('The page opens in the market where the brands hold most, or in the one that its address names', async () => {
  const { pat, tenant } = await newPerson();
  const brand = await createBrand(tenant, { name: 'Cactus' });
  const { zips: phoenix } = await resolveMarket(db, { metro: 'phoenix-az' });
  await hold(tenant, brand, [...phoenix.slice(0, 2), '75201']);
  const placeIn = (html: string) => /"place":"([^"]+)"/.exec(html)?.[1];
  expect(placeIn((await pat.get('/account/map')).html)).toBe('metro=phoenix-az');
  expect(placeIn((await pat.get('/account/map?state=OK&color=households')).html)).toBe('state=OK');
  const lone = await createBrand(tenant, { name: 'Lone Star' });
  await hold(tenant, lone, ['75201']);
  expect(placeIn((await pat.get('/account/map?brand=lone-star')).html)).toBe('metro=dallas-tx');
  expect((await pat.get('/account/map?brand=nobody')).status).toBe(404);
});

it('The map opens on one’s own territories: of all brands, or of the brand in its address', async () => {
  const { pat, tenant } = await newPerson();
  const extent = async (query: string) =>
    /data-bbox="([^"]+)"/.exec((await pat.get(`/account/map?metro=dallas-tx${query}`)).html)?.[1];
  const extentOf = async (zips: readonly string[]) => (await bboxOfZips(db, zips)).join(' ');
  const lone = await createBrand(tenant, { name: 'Lone Star' });
  expect(await extent('')).toBe(await extentOf(metroZips));
  await hold(tenant, lone, ['75201']);
  await hold(tenant, await createBrand(tenant, { name: 'North' }), ['75204', '10001']);
  expect(await extent('')).toBe(await extentOf(['75201', '75204']));
  expect(await extent('&brand=lone-star')).toBe(await extentOf(['75201']));
});

it('Owners and admins create brands for a plan’s territories, as on the page of brands', async () => {
  const { pat, tenant } = await newPerson();
  const create = async (name: string) => {
    const { status, html } = await pat.post('/account/map/brands.json', { name });
    return { status, body: JSON.parse(html) as unknown };
  };
  const created = await create('Harbor Roofing');
  expect(created).toMatchObject({
    status: 200,
    body: { brand: { slug: 'harbor-roofing', name: 'Harbor Roofing' } },
  });
  expect((await create('Harbor Roofing')).status).toBe(409);
  await tenant.query(`update memberships set role = 'reviewer' where organization_id = $1`);
  expect((await create('Other')).status).toBe(403);
  const { html } = await pat.get('/account/map');
  expect(html).toContain('"mayCreateBrands":false');
});

it('Browsers ask for borders on each use, because an import changes them', async () => {
  const { pat } = await newPerson();
  const { headers } = await pat.get('/account/map/borders.json?metro=dallas-tx');
  expect(headers.get('Cache-Control')).toBe('private, no-cache');
  expect(headers.get('ETag')).toMatch(/^(W\/)?".+"$/);
});

it('The borders of Dallas enclose each ZIP code: the lines of one meet end to end', async () => {
  const { pat } = await newPerson();
  const { zips, left, right, lines } = await json<BorderLinesAnswer>(
    pat,
    'borders.json?metro=dallas-tx',
  );
  expect(zips.split(' ')).toEqual(metroZips);
  const ends = new Map<number, Map<string, number>>();
  for (const [i, deltas] of lines.entries()) {
    const line = readLine(deltas);
    for (const zip of [left[i]!, right[i]!]) {
      if (zip === -1) continue;
      const counts = ends.get(zip) ?? new Map<string, number>();
      for (const end of [line[0]!, line.at(-1)!]) {
        counts.set(String(end), (counts.get(String(end)) ?? 0) + 1);
      }
      ends.set(zip, counts);
    }
  }
  expect(ends.size).toBe(metroZips.length);
  for (const counts of ends.values()) {
    for (const count of counts.values()) expect(count % 2).toBe(0);
  }
});

it('The classes of the country are those of the maps, for every ZIP code with a score', async () => {
  const { pat } = await newPerson();
  // The page names the version, so that an import shows at once, and browsers keep the classes for a year.
  const [, path] = /"classes":"([^"]+)"/.exec((await pat.get('/account/map')).html)!;
  const { html, headers } = await pat.get(path!.replace('{measure}', 'score:roofing'));
  expect(headers.get('Cache-Control')).toBe('private, max-age=31536000, immutable');
  const other = await pat.get('/account/map/classes/score:roofing.txt?v=earlier');
  expect(other.headers.get('Cache-Control')).toBe('private, no-cache');
  expect(html).toHaveLength(100_000);
  const rows = await db.query<{ zip: string; score: number }>(
    `select zip, score from zip_scores where vertical = 'roofing' and score is not null`,
  );
  expect(html.replaceAll(NO_CLASS, '')).toHaveLength(rows.length);
  for (const { zip, score } of rows) {
    expect(classIn(html, zip)).toBe(scoreClass(score, NATIONAL_CLASSES.breaks));
  }
  for (const unknown of ['score:juggling', 'own:juggling', 'juggling']) {
    expect((await pat.get(`/account/map/classes/${unknown}.txt`)).status).toBe(404);
  }
});

it('The classes of own weights and census values need the figures of the country', async () => {
  const { pat, tenant } = await newPerson();
  await setProfile(tenant, agent, 'roofing', { medianAge: -1 });
  const paths = ['own:roofing.txt', 'households.txt?breaks=500,2000.5'];
  for (const path of paths) {
    const { status, html } = await pat.get(`/account/map/classes/${path}`);
    expect([path, status]).toEqual([path, 402]);
    expect(html).toContain('2,500 ZIP codes a month');
  }
  await changeSubscription(tenant, { status: 'active' });
  const [own, households] = await Promise.all(
    paths.map(async (path) => (await pat.get(`/account/map/classes/${path}`)).html),
  );
  const market = readMarket(await json<MarketAnswer>(pat, 'market.json?metro=dallas-tx'));
  for (const [number, zip] of market.zips.entries()) {
    const [score, count] = ['own:roofing', 'households'].map(
      (name) => market.columns.get(name)![number]!,
    );
    expect(classIn(own!, zip)).toBe(
      Number.isNaN(score!) ? null : scoreClass(score!, NATIONAL_CLASSES.breaks),
    );
    const expected = [500, 2000.5].filter((lower) => count! >= lower).length;
    expect(classIn(households!, zip)).toBe(Number.isNaN(count!) ? null : expected);
  }
  expect(households!.replaceAll(NO_CLASS, '').length).toBeGreaterThan(30_000);
  for (const breaks of ['3,1', 'many', '1,2,3,4,5']) {
    const { status } = await pat.get(`/account/map/classes/households.txt?breaks=${breaks}`);
    expect([breaks, status]).toEqual([breaks, 400]);
  }
});

it('A ZIP code has reasons for its score, and its score in an earlier period', async () => {
  const { pat } = await newPerson();
  const { lifts, lowers, before } = await json<{
    lifts: string[];
    lowers: string[];
    before: { score: number; period: string };
  }>(pat, 'zips/75201.json?vertical=roofing');
  expect(before).toMatchObject({ period: '2013-2017', score: expect.any(Number) });
  expect(lifts.length + lowers.length).toBeGreaterThan(0);
  for (const reason of [...lifts, ...lowers]) expect(reason).toMatch(/ than in \d+% of ZIP codes$/);
  expect((await pat.get('/account/map/zips/7520.json?vertical=roofing')).status).toBe(400);
  expect((await pat.get('/account/map/zips/75201.json?vertical=juggling')).status).toBe(404);
});
