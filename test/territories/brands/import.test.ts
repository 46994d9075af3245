/** Imports from files: the report for a brand, and the requests. */
import { parse } from 'csv-parse/sync';
import type { Polygon } from 'geojson';
import { describe, expect, it } from 'vitest';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import type { Finding } from '../../../src/base/lists/finding.ts';
import { listChanges } from '../../../src/territories/brands/changes/read.ts';
import { importZips } from '../../../src/territories/brands/import/import.ts';
import { reportCsv } from '../../../src/territories/brands/import/report.ts';
import { listReviews } from '../../../src/territories/brands/review-list.ts';
import { readActivityLog } from '../../../src/territories/brands/activity-log.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../src/territories/brands/validate-zips.ts';
import { testDatabase } from '../../support/database.ts';
import { agent, organizationWith } from './organization.ts';
import { readImport } from './read-import.ts';

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star', 'Other');
const [star, other] = brands;

const heldZipsOf = async (brand: Brand) => [...(await heldZipStatuses(tenant, brand)).keys()];
const outcomesOf = ({ findings }: { findings: readonly Finding[] }) =>
  findings.map(({ at, zip, outcome }) => [at, zip, outcome]);
const geoJson = (geometry: object, properties: object | null = null) =>
  JSON.stringify({ type: 'Feature', properties, geometry });
const box = (west: number, south: number, east: number, north: number): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});

/** ZIP codes mostly inside a box */
async function zipsIn(west: number, south: number, east: number, north: number) {
  const rows = await db.query<{ zip: string; share: number }>(
    `select zip, st_area(st_intersection(geom, st_makeenvelope($1, $2, $3, $4, 4326))) / st_area(geom)
       as share
     from zip_boundaries where lod = 0 and geom && st_makeenvelope($1, $2, $3, $4, 4326) order by zip`,
    [west, south, east, north],
  );
  return rows.filter(({ share }) => share > 0.5).map(({ zip }) => zip);
}

describe('the report of a list', () => {
  it('explains every line', async () => {
    await importZips(tenant, agent, star, { zips: ['75201'] });
    await tenant.query(
      `update brand_zips set state = 'live'
       where organization_id = $1 and brand_id = $2 and zip = '75201'`,
      [star.id],
    );
    await importZips(tenant, agent, star, { zips: ['75202'] });
    await importZips(tenant, agent, other, { zips: ['75203'] });
    const report = await readImport(
      tenant,
      star,
      ['ZIP', '75201', '75202', '75203', '2134', '75204', '75204', '00001', '1', '333'].join('\n'),
    );
    expect(outcomesOf(report)).toEqual([
      [2, '75201', 'held'],
      [3, '75202', 'held'],
      [4, '75203', 'new'],
      [5, '02134', 'guessed'],
      [6, '75204', 'new'],
      [7, '75204', 'repeated'],
      [8, '00001', 'unknown'],
      [9, null, 'not_understood'],
      [10, '00333', 'not_understood'],
    ]);
    expect(report).toMatchObject({
      zips: ['75203', '75204'],
      guesses: ['02134'],
      shared: ['75203'],
    });
    const silent = report.findings.filter(({ reason }) => reason === null);
    expect(silent.map(({ outcome }) => outcome)).toEqual(['new', 'new']);
  });

  it('counts a ZIP code once, preferring a certain reading', async () => {
    const report = await readImport(tenant, star, 'zip\n2134\n02134\n2134');
    expect(outcomesOf(report)).toEqual([
      [2, '02134', 'repeated'],
      [3, '02134', 'new'],
      [4, '02134', 'repeated'],
    ]);
    expect(report).toMatchObject({ zips: ['02134'], guesses: [] });
  });

  it('exports as CSV without executable cells', async () => {
    const { place, findings } = await readImport(tenant, star, 'zip\n=1+1\n@x\n75205');
    const rows = parse(reportCsv(place, findings), { columns: true }) as unknown as object[];
    expect(rows).toMatchObject([
      { line: '2', given: "'=1+1", outcome: 'not understood' },
      { line: '3', given: "'@x", outcome: 'not understood' },
      { line: '4', given: '75205', zip: '75205', outcome: 'understood' },
    ]);
  });
});

describe('the report of GeoJSON', () => {
  it('selects ZIP codes that lie mostly inside the areas', async () => {
    const edges = [-96.9, 32.7, -96.7, 32.9] as const;
    const expected = await zipsIn(...edges);
    expect(expected.length).toBeGreaterThan(10);
    const { findings } = await readImport(tenant, other, geoJson(box(...edges)));
    expect(findings.flatMap(({ zip }) => zip ?? []).sort()).toEqual(expected);
    // Two halves select the same ZIP codes: one on the dividing line is inside both together.
    const halves = {
      type: 'GeometryCollection',
      geometries: [box(-96.9, 32.7, -96.8, 32.9), box(-96.8, 32.7, -96.7, 32.9)],
    };
    for (const text of [
      geoJson(halves),
      JSON.stringify({
        type: 'FeatureCollection',
        features: halves.geometries.map((geometry) => ({ type: 'Feature', geometry })),
      }),
    ]) {
      const again = await readImport(tenant, other, text);
      expect(again.findings.flatMap(({ zip }) => zip ?? []).sort()).toEqual(expected);
    }
  });

  it('excludes ZIP codes in a hole', async () => {
    const { coordinates } = box(-97.2, 32.5, -96.5, 33.1);
    const [hole] = box(-96.9, 32.7, -96.7, 32.9).coordinates;
    const ring: Polygon = { type: 'Polygon', coordinates: [coordinates[0]!, hole!] };
    const { zips } = await readImport(tenant, other, geoJson(ring));
    const inside = await zipsIn(-96.9, 32.7, -96.7, 32.9);
    expect(zips.length).toBeGreaterThan(20);
    expect(zips.filter((zip) => inside.includes(zip))).toEqual([]);
  });

  it('only guesses the ZIP codes of an outline that crosses itself, and names the crossing', async () => {
    const bow: Polygon = {
      type: 'Polygon',
      coordinates: [
        [
          [-97, 32.6],
          [-96.6, 33],
          [-96.6, 32.6],
          [-97, 33],
          [-97, 32.6],
        ],
      ],
    };
    const { zips, guesses, findings } = await readImport(tenant, other, geoJson(bow));
    expect(zips).toEqual([]);
    expect(guesses.length).toBeGreaterThan(10);
    const reasons = findings
      .filter(({ outcome }) => outcome === 'guessed')
      .map((one) => one.reason);
    for (const reason of reasons)
      expect(reason).toContain('crosses itself near -96.8000, 32.8000 and was repaired');
  });

  it('reads a code as a ZIP code only at that ZIP code’s location', async () => {
    const [dallas] = await db.query<{ shape: string }>(
      `select st_asgeojson(geom) as shape from zip_boundaries where zip = '75206' and lod = 0`,
    );
    const named = await readImport(
      tenant,
      other,
      geoJson(JSON.parse(dallas!.shape), { GEOID20: '75206' }),
    );
    expect(named.findings).toMatchObject([
      { zip: '75206', reason: expect.stringContaining('code') },
    ]);
    const around = await readImport(
      tenant,
      other,
      geoJson(box(-97.3, 32.5, -96.5, 33.1), { GEOID: '75206' }),
    );
    expect(around.zips.length).toBeGreaterThan(50);
    // A county in Texas has the same code as a ZIP code in Michigan.
    const county = await readImport(
      tenant,
      other,
      geoJson(box(-96.9, 32.7, -96.7, 32.9), { GEOID: '48113' }),
    );
    expect(county.zips).not.toContain('48113');
    expect(county.zips.length).toBeGreaterThan(10);
  });

  it('reports an area without ZIP codes, and suggests that its coordinates are swapped', async () => {
    const sea = await readImport(tenant, other, geoJson(box(-50, 30, -49, 31), { name: 'Sea' }));
    expect(sea.findings).toMatchObject([{ at: 1, given: 'Sea', outcome: 'not_understood' }]);
    expect(sea.findings[0]!.reason).toBe('It lies outside the United States and its islands.');
    const turned = await readImport(tenant, other, geoJson(box(40.6, -74.1, 40.9, -73.8)));
    expect(turned.findings[0]!.reason).toContain('seem to be swapped');
    const positive = await readImport(tenant, other, geoJson(box(73.8, 40.6, 74.1, 40.9)));
    expect(positive.findings[0]!.reason).toContain('the minus of its longitude seems');
    const west = await readImport(tenant, other, geoJson(box(-146, 14, -145, 15)));
    expect(west.findings[0]!.reason).not.toContain('minus');
  });

  it.each([
    ['one per line', (one: string) => `${one}\n`],
    ['as a sequence', (one: string) => `\u001e${one}\n`],
  ])('has features that follow one another: %s', async (_, write) => {
    const area = geoJson(box(-96.9, 32.7, -96.7, 32.9), { name: 'Dallas' });
    const text = [geoJson(box(0, 0, 1, 1), { zip: '10001' }), area].map(write).join('');
    const { summary, zips } = await readImport(tenant, other, text);
    expect(summary).toContain(
      'GeoJSON with 2 features: 1 matched by ZIP code property, 1 by area.',
    );
    expect(zips.length).toBeGreaterThan(10);
  });

  it('selects the ZIP codes of an area with a label’s point, and says that the point was ignored', async () => {
    const ring = '-96.9,32.7,0 -96.7,32.7,0 -96.7,32.9,0 -96.9,32.9,0';
    const kml =
      '<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><MultiGeometry>' +
      '<Point><coordinates>-96.8,32.8,0</coordinates></Point><Polygon><outerBoundaryIs><LinearRing>' +
      `<coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry>` +
      '</Placemark></kml>';
    const { summary, zips } = await readImport(tenant, other, kml);
    expect(summary).toContain('1 by area. 1 point was ignored.');
    expect(zips.length).toBeGreaterThan(10);
  });

  it('selects every ZIP code of the country for an outline around it', async () => {
    const { zips } = await readImport(tenant, star, geoJson(box(-125, 24, -66, 50)));
    expect(zips.length).toBeGreaterThan(30_000);
  });
});

describe('any other text', () => {
  it.each([
    ['', 'The list is empty'],
    ['<kml></kml>', 'no placemarks'],
    ['<kml><Document>', 'isn’t valid XML'],
  ])('is refused with an explanation: %s', async (text, message) => {
    await expect(readImport(tenant, star, text)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });
});

describe('importZips', () => {
  it('requests any number of ZIP codes as one change, with the note', async () => {
    const brand = await createBrand(tenant, { name: 'Large' });
    const rows = await db.query<{ zip: string }>(
      `select zip from zips order by zip limit ${MAX_ZIPS_PER_CHANGE + 201}`,
    );
    const zips = rows.map(({ zip }) => zip);
    expect(await importZips(tenant, agent, brand, { zips, note: 'From the CRM' })).toEqual({
      queued: MAX_ZIPS_PER_CHANGE + 201,
      live: 0,
    });
    expect(await heldZipsOf(brand)).toEqual(zips);
    expect((await listChanges(tenant, 'all', { brandId: brand.id })).rows).toMatchObject([
      { source: 'import', status: 'waiting', parts: [{ added: zips, removed: [] }] },
    ]);
    const { rows: entries } = await readActivityLog(tenant, 'all', { brandId: brand.id });
    expect(entries.map((entry) => entry.zips.length)).toEqual([201, MAX_ZIPS_PER_CHANGE]);
    const { rows: reviews } = await listReviews(tenant, 'all', { brandId: brand.id }, { limit: 5 });
    expect(reviews.map(({ note, status }) => [note, status])).toEqual(
      reviews.map(() => ['From the CRM', 'pending']),
    );
    expect(await importZips(tenant, agent, brand, { zips })).toEqual({ queued: 0, live: 0 });
  });

  it('requests all ZIP codes or none', async () => {
    const brand = await createBrand(tenant, { name: 'Nothing' });
    const rows = await db.query<{ zip: string }>(
      `select zip from zips order by zip limit ${MAX_ZIPS_PER_CHANGE}`,
    );
    const zips = [...rows.map(({ zip }) => zip), '99999'];
    await expect(importZips(tenant, agent, brand, { zips })).rejects.toMatchObject({ status: 404 });
    expect(await heldZipsOf(brand)).toEqual([]);
  });
});
