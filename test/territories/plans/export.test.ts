import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { openTable, type Row } from '../../../src/base/files/shapefile/records.ts';
import { exportDetail } from '../../../src/territories/plans/export-detail.ts';
import { planShapefile } from '../../../src/territories/plans/export.ts';
import { findPlan } from '../../../src/territories/plans/plans.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { DALLAS } from '../brands/organization.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const { key, caller } = await newKey(db);
const headers = { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' };
const send = async (path: string, body: object) =>
  (await (
    await fetch(`${app.api}/agent/plans${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  ).json()) as Record<string, any>;
const get = (path: string) => fetch(`${app.api}/agent/plans/${path}`, { headers });

const { id } = await send('', { name: 'Exported', zips: DALLAS });
await send(`/${id}`, {
  version: 1,
  territories: [
    { number: 1, name: '=North & "Co"' },
    { number: 3, name: 'South' },
  ],
  moves: [
    { zips: DALLAS.slice(0, 3), to: 1 },
    { zips: DALLAS.slice(3, 5), to: 3 },
  ],
});

describe('an exported plan', () => {
  it('has a row per ZIP code, safe for spreadsheets', async () => {
    const response = await get(`${id}/zips.csv`);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows: Record<string, string>[] = parse(await response.text(), {
      columns: true,
      bom: true,
    });
    expect(rows.map(({ zip }) => zip)).toEqual(DALLAS);
    expect(rows[0]).toMatchObject({
      city: 'Dallas',
      state: 'TX',
      county: 'Dallas',
      number: '1',
      brand: '',
    });
    expect(rows[0]!['territory']).toBe(`'=North & "Co"`);
    expect(rows[4]).toMatchObject({ number: '3', territory: 'South' });
    expect(rows[7]).toMatchObject({ number: '', territory: '' });
  });

  it('is a workbook', async () => {
    const response = await get(`${id}/zips.xlsx`);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    expect(bytes.length).toBeGreaterThan(2_000);
  });

  it('is a zipped shapefile, whose rows are those of the CSV', async () => {
    const response = await get(`${id}/shapefile.zip`);
    expect(response.headers.get('content-type')).toBe('application/zip');
    const bytes = new Uint8Array(await response.arrayBuffer());
    // The time of the first entry is midnight: the same rows give the same bytes all day.
    expect([...bytes.subarray(10, 12)]).toEqual([0, 0]);
    const files = unzipSync(bytes);
    const table = await openTable(Readable.from([Buffer.from(files['plan.dbf']!)]));
    const rows: Row[] = [];
    for await (const row of table.rows) rows.push(row);
    expect(rows.map((row) => row!['zip'])).toEqual(DALLAS);
    expect(rows[0]).toMatchObject({ county: 'Dallas', number: 1, territory: '=North & "Co"' });
    expect(rows[7]!['number']).toBeNull();
    expect(parse(strFromU8(files['fields.csv']!)).slice(1)).toEqual(
      ['zip', 'city', 'state', 'county', 'number', 'territory', 'brand'].map((n) => [n, n]),
    );
  });

  it('has boundaries whose detail fits its extent, in every format', async () => {
    const detailOf = async (zips: readonly string[]) => (await exportDetail(db, zips)).lod;
    const all = (await db.query<{ zip: string }>('select zip from zips')).map(({ zip }) => zip);
    expect(await detailOf(DALLAS)).toBe(0);
    expect(await detailOf(all)).toBeGreaterThan(0);
    expect(await detailOf([])).toBe(3);
    // A dense part of the country, at most as large as a metro on a screen
    expect(await detailOf(Array.from({ length: 4_000 }, () => DALLAS[0]!))).toBe(1);
    const plan = await findPlan(caller.tenant, id);
    const files = unzipSync(await planShapefile(db, { ...plan, zips: all }, []));
    const fine = await db.query<{ points: number }>(
      'select sum(st_npoints(geom))::int as points from zip_boundaries where lod = 0',
    );
    // A point takes 16 bytes.
    expect(files['plan.shp']!.length).toBeLessThan(0.8 * 16 * fine[0]!.points);
  });

  it('has a folder per territory in KML, each in its own color', async () => {
    const kml = await (await get(`${id}/boundaries.kml`)).text();
    expect(Array.from(kml.matchAll(/<Folder>\n<name>(.*?)<\/name>/g), ([, name]) => name)).toEqual([
      '=North &amp; &quot;Co&quot;',
      'South',
      'Unassigned',
    ]);
    const placed = Array.from(kml.matchAll(/<Placemark id="zip-(\d+)"/g), ([, zip]) => zip!);
    expect(placed.sort()).toEqual(DALLAS);
    const colors = Array.from(kml.matchAll(/<PolyStyle><color>(\w{8})</g), ([, color]) => color);
    expect(new Set(colors).size).toBe(2);
    expect(kml.match(/<coordinates>/g)!.length).toBeGreaterThanOrEqual(DALLAS.length);
  });

  it('is unknown to other organizations', async () => {
    const other = await newKey(db);
    for (const file of ['zips.csv', 'zips.xlsx', 'boundaries.kml', 'shapefile.zip']) {
      const response = await fetch(`${app.api}/agent/plans/${id}/${file}`, {
        headers: { ...bearer(other.key), ...newClient() },
      });
      expect([file, response.status]).toEqual([file, 404]);
    }
  });
});
