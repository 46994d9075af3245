import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setPlan } from '../../src/account/plans.ts';
import { readMeasureFile } from '../../src/plans/measure-file.ts';
import { createBrand } from '../../src/territory/brands.ts';
import { newClient } from '../support/clients.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, newKey, serveKeyed } from '../support/keyed-app.ts';
import { hold } from '../territory/holding.ts';
import { DALLAS } from '../territory/organization.ts';
import { callPlans, requestPlans } from './calls.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const { key, caller } = await newKey(db);
await hold(caller.tenant, await createBrand(caller.tenant, { name: 'North Roofing' }), [
  DALLAS[0]!,
]);

const request = requestPlans(app, key);
const call = callPlans(app, key);

let count = 0;
const create = (more: object = {}) => call('', { name: `Plan ${++count}`, zips: DALLAS, ...more });
const csvOf = (amounts: Readonly<Record<string, number | string>>, heading = 'jobs') =>
  [`zip,${heading}`, ...Object.entries(amounts).map((entry) => entry.join(','))].join('\n');
/** Every ZIP code of the market, with 1, 2, 3 … jobs */
const JOBS = Object.fromEntries(DALLAS.map((zip, i) => [zip, i + 1]));

describe('an uploaded measure', () => {
  it('appears in totals, comparisons, and exports, and can be balanced, also by the solver', async () => {
    const { id } = await create();
    const uploaded = await call(`/${id}/measures`, { name: 'Jobs', csv: csvOf(JOBS) });
    expect(uploaded).toMatchObject({
      ...{ status: 200, name: 'Jobs', zipCount: 8, total: 36, rejected: 0, withoutAmount: [] },
      summary: 'Read from the columns “zip” and “jobs”.',
    });
    const edited = await call(`/${id}`, {
      ...{ version: 1, balance: 'jobs' },
      territories: [{ number: 1, brand: 'north-roofing' }, { number: 2 }],
      moves: [
        { zips: DALLAS.slice(0, 2), to: 1 },
        { zips: DALLAS.slice(2, 4), to: 2 },
      ],
    });
    expect(edited).toMatchObject({ balance: 'Jobs', measures: ['Jobs'] });
    expect(
      edited['territories'].map((one: any) => [one.totals.measures, one.deviationPct]),
    ).toEqual([
      [{ Jobs: 3 }, -40],
      [{ Jobs: 7 }, 40],
    ]);
    const { territories } = await call(`/${id}/comparison`);
    expect(territories[0]).toMatchObject({
      totalsBefore: { measures: { Jobs: 1 } },
      totalsAfter: { measures: { Jobs: 3 } },
    });
    const rows = (await (await request(`/${id}/zips.csv`)).text()).trim().split('\r\n');
    expect(rows[0]).toMatch(/,brand,Jobs$/);
    expect(rows.slice(1).map((row) => Number(row.split(',').at(-1)))).toEqual(Object.values(JOBS));

    // Half of the amount is in one ZIP code, unlike in any census measure.
    const lopsided = Object.fromEntries(DALLAS.map((zip, i) => [zip, i === 3 ? 700 : 100]));
    const csv = csvOf(lopsided);
    const replaced = await call(`/${id}/measures`, { name: 'JOBS', csv, replace: true });
    expect(replaced).toMatchObject({ status: 200, name: 'Jobs', total: 1400 });
    const solved = await call(`/${id}/solve`, {
      ...{ version: 2, task: 'divide', count: 2, seconds: 2, seed: 1 },
    });
    expect(solved['status']).toBe(200);
    const totals = solved['plan'].territories.map((one: any) => one.totals.measures.Jobs);
    expect(totals.reduce((sum: number, one: number) => sum + one, 0)).toBe(1400);
    // The solver reports the deviation of this measure, not that of households.
    const worst = Math.max(...totals.map((one: number) => 100 * Math.abs(one / 700 - 1)));
    expect(solved['worstDeviationPct']).toBe(Number(worst.toFixed(2)));
    const deviations = solved['plan'].territories.map((one: any) => Math.abs(one.deviationPct));
    expect(Math.max(...deviations)).toBe(Number(worst.toFixed(1)));
    const households = solved['plan'].territories.map((one: any) => one.totals.households);
    const mean = households.reduce((sum: number, one: number) => sum + one, 0) / 2;
    expect(100 * Math.abs(households[0] / mean - 1)).not.toBeCloseTo(worst, 1);
  });

  it('is copied with its plan, and solved in drafts of it', async () => {
    const { id } = await create();
    await call(`/${id}/measures`, { csv: csvOf(JOBS, 'Open leads') });
    await call(`/${id}`, { version: 1, balance: 'open leads' });
    const copy = await call('', { name: `Copy of ${id}`, copyOf: id });
    expect(copy).toMatchObject({ balance: 'Open leads', measures: ['Open leads'] });
    const other = await call('', { name: `Other ${id}`, copyOf: id, balance: 'population' });
    expect(other).toMatchObject({ balance: 'population', measures: ['Open leads'] });
    const response = await fetch(`${app.api}/agent/design`, {
      method: 'POST',
      headers: { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ plan: copy['id'], task: 'divide', count: 2, seconds: 1 }),
    });
    expect((await response.text()).trim().split('\n').at(-1)).toContain('"kind":"result"');
  });

  it('reports invalid rows, and counts the others', async () => {
    const [a, b, c, d, e] = DALLAS as [string, string, string, string, string];
    const csv = [
      ...['Store,ZIP code,Jobs', `1,${a},"1,200.50"`, `2,${b},-3`, `3,${c},`, `4,${a},7`],
      ...[`5,${b},many`, `6,99999,5`, `7,n/a,5`, `8,${d} TX,9`, `9,75001,4`, `10,${e},0`],
    ].join('\r\n');
    const { id } = await create();
    expect(await call(`/${id}/measures`, { csv })).toMatchObject({
      status: 400,
      error: 'The file has several columns of numbers: "Store", "Jobs". Name one in `column`.',
    });
    const uploaded = await call(`/${id}/measures`, { csv, column: 'jobs' });
    expect(uploaded).toMatchObject({
      ...{ status: 200, name: 'Jobs', zipCount: 3, total: 1209.5, outsideMarket: 1, rejected: 6 },
      withoutAmount: DALLAS.filter((zip) => ![a, d, e].includes(zip)),
    });
    expect(uploaded['findings'].map((one: any) => [one.line, one.outcome, one.reason])).toEqual([
      [3, 'no_amount', 'Amounts can’t be negative.'],
      [4, 'no_amount', 'The amount is missing.'],
      [5, 'repeated', 'The same ZIP code is in line 2, which is used.'],
      [6, 'no_amount', '“many” isn’t a number.'],
      [7, 'unknown', 'Not a known ZIP code.'],
      [8, 'not_understood', 'No ZIP code found.'],
      [9, 'guessed', 'The only ZIP code in this text.'],
    ]);
    const later = await create();
    const guessed = [`zip,jobs`, `${a},many`, `${a} TX,40`, `${a},2`, `${b},1`].join('\n');
    const counted = await call(`/${later.id}/measures`, { csv: guessed });
    expect(counted).toMatchObject({ status: 200, total: 3 });
    const unsure = [`zip,jobs`, `${a},many`, `${a} TX,40`, `${b},1`].join('\n');
    const read = await call(`/${later.id}/measures`, { csv: unsure, name: 'Unsure' });
    expect(read).toMatchObject({ status: 200, total: 41 });
    expect(read['findings'].map((one: any) => [one.line, one.outcome])).toEqual([
      [2, 'no_amount'],
      [3, 'guessed'],
    ]);
    for (const unusable of ['zip,jobs\n99999,3', csvOf({ [a]: 0 }), 'jobs\n3', `zip\n${a}`]) {
      const refused = await call(`/${id}/measures`, { csv: unusable, name: 'Other' });
      expect([unusable, refused['status']]).toEqual([unusable, 400]);
    }
    expect((await call(`/${id}/measures`))['measures']).toHaveLength(1);
  });

  it('has a unique name, and can’t be deleted while its plan balances it', async () => {
    const { id } = await create();
    const csv = csvOf(JOBS);
    for (const name of ['Households', 'ZIP', ' ', 'owner households']) {
      const { status } = await call(`/${id}/measures`, { name, csv });
      expect([name, status]).toEqual([name, 400]);
    }
    expect(await call(`/${id}`, { version: 1, balance: 'Jobs' })).toMatchObject({
      status: 400,
      error: expect.stringContaining('has no measure "Jobs"'),
    });
    await call(`/${id}/measures`, { name: 'Jobs', csv });
    expect(await call(`/${id}/measures`, { name: 'jobs', csv })).toMatchObject({ status: 409 });
    await call(`/${id}`, { version: 1, balance: 'Jobs' });
    expect(await call(`/${id}/measures/jobs/delete`, {})).toMatchObject({ status: 409 });
    await call(`/${id}`, { version: 2, balance: 'households' });
    expect(await call(`/${id}/measures/jobs/delete`, {})).toMatchObject({ deleted: 'Jobs' });
    expect(await call(`/${id}/measures/jobs/delete`, {})).toMatchObject({ status: 404 });
    for (let i = 0; i < 10; i++) await call(`/${id}/measures`, { name: `Measure ${i}`, csv });
    expect(await call(`/${id}/measures`, { name: 'One more', csv })).toMatchObject({ status: 409 });
    await call(`/${id}/delete`, {});
    expect(
      await caller.tenant.query(
        'select from plan_measures where organization_id = $1 and plan_id = $2',
        [id],
      ),
    ).toEqual([]);
  });

  it('is accessible only to its organization', async () => {
    const { id } = await create();
    await call(`/${id}/measures`, { csv: csvOf(JOBS) });
    const other = await newKey(db);
    await setPlan(other.caller.tenant, { status: 'active' });
    expect(await call(`/${id}/measures`, undefined, other.key)).toMatchObject({ status: 404 });
    expect(await call(`/${id}/measures`, { csv: csvOf(JOBS) }, other.key)).toMatchObject({
      status: 404,
    });
    expect(
      await other.caller.tenant.query('select from plan_measures where organization_id <> $1'),
    ).toEqual([]);
  });
});

describe('a file with a measure', () => {
  it('keeps each amount with any separator of cells', () => {
    const amounts = fc.uniqueArray(
      fc.tuple(
        fc.integer({ min: 10_000, max: 99_999 }),
        fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e11, noNaN: true })),
      ),
      { minLength: 1, selector: ([zip]) => zip },
    );
    fc.assert(
      fc.property(amounts, fc.constantFrom(',', ';', '\t', '|'), (entries, delimiter) => {
        const lines = [['ZIP', 'Jobs'], ...entries].map((cells) => cells.join(delimiter));
        const { rows } = readMeasureFile(lines.join('\n'));
        expect(rows.map(({ zip, amount }) => [Number(zip.zip), amount.value])).toEqual(
          entries.map(([zip, value]) => [zip, value || 0]),
        );
      }),
    );
  });

  it('may have amounts with five digits, and a title above its headings', () => {
    for (const above of ['', '"From the CRM"\n\n', 'sep=,\n']) {
      const { heading, rows } = readMeasureFile(`${above}Zip,Revenue\n75001,60614\n75002,12500`);
      expect(heading).toBe('Revenue');
      expect(rows.map(({ zip, amount }) => [zip.zip, amount.value])).toEqual([
        ['75001', 60614],
        ['75002', 12500],
      ]);
    }
    const { rows } = readMeasureFile('75001,60614\n75002,12500');
    expect(rows.map(({ zip, amount }) => [zip.zip, amount.value])).toEqual([
      ['75001', 60614],
      ['75002', 12500],
    ]);
  });

  it('gives no amount to several ZIP codes of one row', () => {
    const { rows } = readMeasureFile('zip,jobs\n"75001, 75002",3\n75003-75005,4\n75006,5');
    expect(rows.map(({ zip }) => [zip.zip, zip.outcome])).toEqual([
      [null, 'not_understood'],
      [null, 'not_understood'],
      ['75006', 'new'],
    ]);
  });

  it('needs no headings if one column has ZIP codes and one other numbers', () => {
    const { heading, rows } = readMeasureFile('Dallas,75201,3\nDallas,75202,$4.50');
    expect(heading).toBeNull();
    expect(rows.map(({ zip, amount }) => [zip.zip, amount.value])).toEqual([
      ['75201', 3],
      ['75202', 4.5],
    ]);
  });
});
