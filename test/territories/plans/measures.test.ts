import { describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { deleteDataSet, findDataSet } from '../../../src/territories/own-data/data-sets.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { hold } from '../brands/holding.ts';
import { saveData } from '../own-data/saved.ts';
import { DALLAS } from '../brands/organization.ts';
import { callPlans, requestPlans } from './calls.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const { key, caller } = await newKey(db);
await hold(caller.tenant, await createBrand(caller.tenant, { name: 'North Roofing' }), [
  DALLAS[0]!,
]);

// A trial has fewer data sets than these tests.
await changeSubscription(caller.tenant, { status: 'active' });

const request = requestPlans(app, key);
const call = callPlans(app, key);

let count = 0;
const create = (more: object = {}) => call('', { name: `Plan ${++count}`, zips: DALLAS, ...more });
const csvOf = (amounts: Readonly<Record<string, number | string>>, heading = 'jobs') =>
  [`zip,${heading}`, ...Object.entries(amounts).map((entry) => entry.join(','))].join('\n');
/** Every ZIP code of the market, with 1, 2, 3 … jobs */
const JOBS = Object.fromEntries(DALLAS.map((zip, i) => [zip, i + 1]));

describe('a data set of a plan', () => {
  it('may have decimal commas in its column of amounts', async () => {
    const { id } = await create();
    const csv = `zip;revenue\n${DALLAS[0]};1.234,50\n${DALLAS[1]};850,00\n`;
    const send = { name: 'Euros', csv, decimalComma: true };
    expect(await call(`/${id}/measures`, send)).toMatchObject({
      status: 400,
      error: expect.stringContaining('name the column of the amounts'),
    });
    expect(await call(`/${id}/measures`, { ...send, column: 'revenue' })).toMatchObject({
      status: 200,
      zipCount: 2,
      total: 2084.5,
    });
  });

  it('may be uploaded as a workbook, whose sheet is chosen', async () => {
    const { id } = await create();
    const sheet = (name: string, ...rows: (string | number)[][]) => ({
      sheet: name,
      data: rows.map((row) =>
        row.map((value) => ({ value, type: typeof value === 'number' ? Number : String })),
      ),
    });
    const book = await writeXlsxFile([
      sheet('Calls', ['zip', 'calls'], [DALLAS[0]!, 3]),
      sheet('Leads', ['zip', 'leads'], [DALLAS[0]!, 5], [DALLAS[1]!, 7]),
    ]).toBuffer();
    const file = book.toString('base64');
    expect(await call(`/${id}/measures`, { file })).toMatchObject({ name: 'calls', total: 3 });
    expect(await call(`/${id}/measures`, { file, sheet: 'Leads' })).toMatchObject({
      name: 'leads',
      total: 12,
      summary: expect.stringContaining('Read from the sheet “Leads”.'),
    });
    for (const refused of [{ file: 'no base64!' }, { file, csv: 'zip\n75201' }]) {
      expect(await call(`/${id}/measures`, refused)).toMatchObject({ status: 400 });
    }
  });

  it('appears in totals, comparisons, and exports, and can be balanced, also by the solver', async () => {
    const { id } = await create();
    const uploaded = await call(`/${id}/measures`, { name: 'Jobs', csv: csvOf(JOBS) });
    expect(uploaded).toMatchObject({
      status: 200,
      name: 'Jobs',
      zipCount: 8,
      total: 36,
      rejected: 0,
      withoutAmount: [],
      summary: expect.stringContaining('ZIP codes are in “zip”. Amounts: the sum of “jobs”.'),
    });
    const edited = await call(`/${id}`, {
      version: 1,
      balance: 'jobs',
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
      version: 2,
      task: 'divide',
      count: 2,
      seconds: 2,
      seed: 1,
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

  it('reports rows that can’t be used, and adds up the others', async () => {
    const [a, b, c, d, e] = DALLAS as [string, string, string, string, string];
    const csv = [
      'Store,ZIP code,Jobs',
      `1,${a},"1,200.50"`,
      `2,${b},(3)`,
      `3,${c},`,
      `4,${a},7`,
      `5,${b},many`,
      `6,99999,5`,
      `7,n/a,5`,
      `8,${d} TX,9`,
      `9,75001,4`,
      `10,${e},0`,
    ].join('\r\n');
    const { id } = await create();
    const uploaded = await call(`/${id}/measures`, { csv, column: 'jobs', name: 'Messy' });
    expect(uploaded).toMatchObject({
      status: 200,
      name: 'Messy',
      zipCount: 4,
      total: 1213.5,
      outsideMarket: 1,
      rejected: 4,
      withoutAmount: DALLAS.filter((zip) => ![a, b, d, e].includes(zip)),
    });
    expect(uploaded['findings'].map((one: any) => [one.line, one.outcome])).toEqual([
      [4, 'no_amount'],
      [6, 'no_amount'],
      [7, 'unknown'],
      [8, 'not_understood'],
      [9, 'guessed'],
    ]);
    for (const unusable of ['zip,jobs\n99999,3', 'jobs\n3', 'zip,jobs\n']) {
      const refused = await call(`/${id}/measures`, { csv: unusable, name: 'Other' });
      expect([unusable, refused['status']]).toEqual([unusable, 400]);
    }
    expect((await call(`/${id}/measures`))['measures']).toHaveLength(1);
  });

  it('belongs to the organization, so that other plans can use it, too', async () => {
    const { id } = await create();
    await call(`/${id}/measures`, {
      name: 'Leads 2025',
      csv: csvOf({ ...JOBS, 90210: 50 }, 'leads'),
    });
    const other = await create({ balance: 'leads-2025' });
    expect(other).toMatchObject({ balance: 'Leads 2025', measures: ['Leads 2025'] });
    const third = await create();
    const added = await call(`/${third.id}/measures`, { dataSet: 'leads 2025' });
    expect(added).toMatchObject({ status: 200, total: 36, outsideMarket: 1, findings: [] });
    const both = { dataSet: 'leads-2025', csv: csvOf(JOBS) };
    for (const refused of [both, {}, { dataSet: '' }]) {
      expect((await call(`/${third.id}/measures`, refused))['status']).toBe(400);
    }
    expect(await call(`/${third.id}/measures`, { dataSet: 'visits' })).toMatchObject({
      status: 404,
      error: expect.stringContaining('leads-2025 (Leads 2025)'),
    });
  });

  it('can’t be removed from its plan or deleted while the territories share it', async () => {
    const { id } = await create();
    const csv = csvOf(JOBS);
    expect(await call(`/${id}`, { version: 1, balance: 'Repairs' })).toMatchObject({
      status: 400,
      error: expect.stringContaining('there is no measure or data set "Repairs"'),
    });
    await call(`/${id}/measures`, { name: 'Repairs', csv });
    expect(await call(`/${id}/measures`, { name: 'repairs', csv })).toMatchObject({ status: 409 });
    await call(`/${id}`, { version: 1, balance: 'Repairs' });
    expect(await call(`/${id}/measures/repairs/delete`, {})).toMatchObject({ status: 409 });
    await expect(
      caller.tenant.transaction((tx) => deleteDataSet(tx, caller.actor, 'repairs', 'all')),
    ).rejects.toThrow(/share "Repairs" evenly/);
    await call(`/${id}`, { version: 2, balance: 'households' });
    expect(await call(`/${id}/measures/repairs/delete`, {})).toMatchObject({ deleted: 'Repairs' });
    expect(await call(`/${id}/measures/repairs/delete`, {})).toMatchObject({ status: 404 });
    expect((await findDataSet(caller.tenant, 'repairs')).total).toBe(36);
  });

  it('is one of ten', async () => {
    const { id } = await create();
    for (let i = 0; i < 10; i++) {
      const csv = csvOf(JOBS);
      expect((await call(`/${id}/measures`, { name: `Data ${i}`, csv }))['status']).toBe(200);
    }
    expect(await call(`/${id}/measures`, { dataSet: 'repairs' })).toMatchObject({ status: 409 });
    expect(await call(`/${id}/measures`, { dataSet: 'data-3' })).toMatchObject({ status: 200 });
    const copy = { name: `Copy of ${id}`, copyOf: id, balance: 'repairs' };
    expect(await call('', copy)).toMatchObject({ status: 409 });
  });

  it('with means can’t be shared evenly', async () => {
    const { id } = await create();
    await saveData(caller, 'Mean ticket', { [DALLAS[0]!]: 900 }, { addsUp: 'mean' });
    expect(await call(`/${id}`, { version: 1, balance: 'mean-ticket' })).toMatchObject({
      status: 400,
      error: expect.stringContaining('means, which don’t add up'),
    });
    expect(await call(`/${id}/measures`, { dataSet: 'mean-ticket' })).toMatchObject({
      status: 400,
      error: expect.stringContaining('means, which don’t add up'),
    });
  });

  it('is accessible only to its organization', async () => {
    const { id } = await create();
    await call(`/${id}/measures`, { csv: csvOf(JOBS), replace: true });
    const other = await newKey(db);
    await changeSubscription(other.caller.tenant, { status: 'active' });
    expect(await call(`/${id}/measures`, undefined, other.key)).toMatchObject({ status: 404 });
    expect(await call(`/${id}/measures`, { csv: csvOf(JOBS) }, other.key)).toMatchObject({
      status: 404,
    });
    for (const table of ['data_sets', 'data_set_uploads', 'plan_data_sets']) {
      expect(
        await other.caller.tenant.query(`select from ${table} where organization_id <> $1`),
      ).toEqual([]);
    }
  });
});
