/** What the census says has changed, over REST, on the two periods of the sample. */
import { afterEach, describe, expect, it } from 'vitest';
import { recordVintages } from '../../../src/data/ingest/vintages/store.ts';
import { zipsOfMetro } from '../../../src/data/market/zips.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const dallas = (await zipsOfMetro(db, 'dallas-tx')).slice(0, 30);

async function organization() {
  const { key, caller } = await newKey(db);
  const { tenant } = caller;
  const north = await createBrand(tenant, { name: 'North' });
  const south = await createBrand(tenant, { name: 'South' });
  await tenant.query(
    `insert into brand_zips (organization_id, brand_id, zip, state)
     select $1, $2, zip, 'live' from unnest($3::text[]) as zip`,
    [north.id, dallas],
  );
  const limited = await mintKey(tenant, { name: 'south', brands: [south.id], mayWrite: false });
  const ask = async (query: string, by = key) => {
    const response = await fetch(`${app.api}/agent/census-changes${query}`, {
      headers: { ...bearer(by), ...newClient() },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, text, body: isJson ? (JSON.parse(text) as any) : null };
  };
  return { ask, limited: limited.key, tenant, north };
}

afterEach(async () => {
  await db.query('update census_vintages set year = 2017 where year < 2022 and year <> 2017');
});

describe('changes of census figures', () => {
  it('of a brand have totals with margins, and each ZIP code with scores of both periods', async () => {
    const { ask } = await organization();
    const { status, body } = await ask('?brand=north&vertical=roofing&limit=5');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'North',
      since: 2017,
      periods: '2013-2017 and 2018-2022',
      choices: [2017],
      synthetic: true,
      zipCount: 30,
      areaChanged: [],
    });
    const totalOf = (figure: string) => body.total.find((one: any) => one.figure === figure);
    const households = totalOf('householdsTotal');
    expect(households.unit).toBe('percent');
    expect(households.change).toBeCloseTo(100 * (households.to / households.from - 1), 1);
    expect(households.margin).toBeGreaterThan(0);
    expect(totalOf('medianAge')).toMatchObject({
      change: null,
      text: 'medians of several ZIP codes can’t be added',
    });
    expect(body.zips.map(({ zipCode }: any) => zipCode)).toEqual(dallas.slice(0, 5));
    const [first] = body.zips;
    expect(first.scoreBefore).toBeGreaterThanOrEqual(0);
    const now = await db.query<{ score: number }>(
      `select score from zip_scores where zip = $1 and vertical = 'roofing'`,
      [dallas[0]],
    );
    expect(first.score).toBe(now[0]!.score);
    const current = await db.query<{ households: number }>(
      'select sum(households_total)::int as households from zip_demographics where zip = any($1)',
      [dallas],
    );
    expect(households.to).toBe(current[0]!.households);
    const next = await ask(`?brand=north&limit=5&cursor=${body.nextCursor}`);
    expect(next.body.zips.map(({ zipCode }: any) => zipCode)).toEqual(dallas.slice(5, 10));
    expect(next.body.total).toEqual(body.total);
  });

  it('are clear only if they exceed their margin', async () => {
    const { ask } = await organization();
    const { body } = await ask('?metro=dallas-tx&limit=200');
    const changes = body.zips
      .flatMap((zip: any) => zip.changes)
      .filter((one: any) => one.change !== null);
    expect(changes.some((one: any) => one.isClear)).toBe(true);
    expect(changes.some((one: any) => !one.isClear)).toBe(true);
    for (const { isClear, change, margin, text } of changes) {
      expect(!isClear || Math.abs(change) >= margin - 0.1).toBe(true);
      expect(text.includes('no clear change')).toBe(!isClear);
    }
  });

  it('come as CSV', async () => {
    const { ask } = await organization();
    const { status, text } = await ask(`.csv?zips=${dallas.slice(0, 3).join()}&vertical=hvac`);
    expect(status).toBe(200);
    const [heads, ...lines] = text.trim().split('\r\n');
    expect(heads).toMatch(
      /^zipCode,areaChanged,scoreBefore,score,populationTotal change in percent,populationTotal margin,populationTotal clear,/,
    );
    expect(lines.map((line) => line.split(',')[0])).toEqual(dallas.slice(0, 3));
    expect(lines[0]!.split(',')).toHaveLength(heads!.split(',').length);
  });

  it('refuse what can’t be compared, with what can', async () => {
    const { ask } = await organization();
    expect(await ask('?brand=north&since=2012')).toMatchObject({
      status: 400,
      body: {
        error: 'since: no figures are kept whose last year is 2012. Choose one of these: 2017.',
      },
    });
    await db.query('insert into census_vintages values (2020, true, $1)', [['B25003']]);
    const overlapping = await ask('?brand=north&since=2020');
    await db.query('delete from census_vintages where year = 2020');
    expect(overlapping).toMatchObject({
      status: 400,
      body: {
        error:
          'since: 2016-2020 overlaps 2018-2022. The Census Bureau advises to compare only periods without a common year. Choose one of these: 2017.',
      },
    });
    await db.query(`update census_vintages set tables = '{}' where year = 2017`);
    const nothing = await ask('?brand=north');
    await db.query(
      'update census_vintages set tables = (select tables from census_vintages where year = 2022) where year = 2017',
    );
    expect(nothing).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(nothing.body.error).toContain('--keep-current');
  });

  it('name a brand only to those who see it, and need one subject', async () => {
    const { ask, limited } = await organization();
    expect(await ask('?brand=north', limited)).toMatchObject({ status: 404 });
    expect(await ask('?brand=south', limited)).toMatchObject({
      status: 200,
      body: { zipCount: 0, zips: [] },
    });
    expect(await ask('')).toMatchObject({
      status: 400,
      body: { error: 'Give one of: brand, metro, and zips.' },
    });
    expect(await ask('?metro=dallas-tx&brand=north')).toMatchObject({ status: 400 });
    expect(await ask('?zips=7520')).toMatchObject({ status: 400 });
  });

  it('across the censuses of 2010 and 2020 need the relationship file', async () => {
    const { ask } = await organization();
    const [zip, other] = dallas as [string, string];
    await db.query('update census_vintages set synthetic = false');
    try {
      const without = await ask(`?zips=${zip}`);
      expect(without).toMatchObject({ status: 409 });
      expect(without.body.error).toContain('territory-admin import zcta-relationship');
      // Half of the land of another area of 2010 is part of it now.
      await db.query(
        `insert into zcta_relations values ($1, $1, 100, 100, 150, null), ($2, $1, 50, 100, 150, null),
           ($2, $2, 50, 100, 50, null)`,
        [zip, other],
      );
      await db.transaction(recordVintages);
      const { body } = await ask(`?zips=${zip}`);
      const before = await db.query<{ zip: string; households: number }>(
        'select zip, estimates[4] as households from zip_vintages where year = 2017 and zip = any($1)',
        [[zip, other]],
      );
      const of = (code: string) => before.find((row) => row.zip === code)!.households;
      expect(body.areaChanged).toEqual([zip]);
      const changeOf = (figure: string) =>
        body.zips[0].changes.find((one: any) => one.figure === figure);
      expect(changeOf('householdsTotal').from).toBeCloseTo(of(zip) + of(other) / 2, 1);
      expect(changeOf('medianAge')).toMatchObject({
        change: null,
        text: 'its area changed, and medians can’t be divided',
      });
    } finally {
      await db.query('delete from zcta_relations');
      await db.query('update census_vintages set synthetic = true');
    }
  });
});
