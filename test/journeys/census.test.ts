/**
 * A new vintage of census figures, from the command line of the operator to a brand's page: kept beside the earlier one,
 * compared with it, announced to the people of the brand, and refused where nothing can be compared.
 */
import { describe, expect, it } from 'vitest';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { listEvents } from '../../src/people/events/events.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { dispatchEvents } from '../../src/territories/notify/dispatch.ts';
import { collection, row, writeFile } from '../data/ingest/files.ts';
import { storeZips } from '../territories/brands/holding.ts';
import { testDatabase } from '../support/database.ts';
import { serveKeyed } from '../support/keyed-app.ts';
import { runAdmin } from '../support/processes.ts';
import { Visitor } from '../support/visitor.ts';

const { db, env } = await testDatabase('empty', { own: true });
const admin = (...args: string[]) => runAdmin(args, { ...env, SAMPLE_DATA: 'never' });
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;

const GEO = 'zip code tabulation area';
const tenure = (year: number, rows: [zip: string, households: number, owners: number][]) =>
  writeFile(`acs5_${year}_B25003.json`, [
    ['B25003_001E', 'B25003_001M', 'B25003_002E', 'B25003_002M', GEO],
    ...rows.map(([zip, households, owners]) => [
      String(households),
      '90',
      String(owners),
      '80',
      zip,
    ]),
  ]);

const relations = writeFile(
  'tab20_zcta510_zcta520_natl.txt',
  [
    'OID_ZCTA5_10|GEOID_ZCTA5_10|AREALAND_ZCTA5_10|GEOID_ZCTA5_20|AREALAND_ZCTA5_20|AREALAND_PART',
    '1|75201|1000|75201|1000|1000',
    // A quarter of 75202 went to 75203.
    '2|75202|1000|75202|750|750',
    '2|75202|1000|75203|250|250',
    // Land that no ZIP code area of 2010 had
    '||0|75203|250|0',
  ].join('\n'),
);

describe('a new vintage of census figures', () => {
  it('is imported, compared, announced, and read on a brand’s page', async () => {
    const boundaries = writeFile('zcta.geojson', collection(row(3)));
    expect((await admin('import', 'zcta', boundaries)).code).toBe(0);
    const pat = await new Visitor(SITE).signUp();
    const [{ id }] = (await db.query<{ id: string }>(
      'select organization_id as id from memberships join people on people.id = person_id where email = $1',
      [pat.email],
    )) as [{ id: string }];
    const tenant = tenantOf(db, id);
    const brand = await createBrand(tenant, { name: 'Star' });
    await storeZips(tenant, brand, ['75201', '75202']);
    const page = () => pat.get('/account/brands/star');
    const analysis = () => pat.get('/account/brands/star/analysis');

    // One vintage: nothing to compare
    const first = await admin(
      'import',
      'acs',
      tenure(2018, [
        ['75201', 2_000, 1_000],
        ['75202', 4_000, 2_000],
      ]),
    );
    expect(first).toMatchObject({ code: 0 });
    expect((await page()).html).not.toContain('census-line');
    expect((await analysis()).html).toContain(
      'Only the figures of 2014-2018 are kept, so there is nothing to compare.',
    );

    // The next one overlaps, so it isn't compared either.
    const overlapping = await admin('import', 'acs', tenure(2021, [['75201', 2_100, 1_000]]));
    expect(overlapping.stdout).toContain(
      'These periods overlap, so they aren’t compared: 2014-2018 and 2017-2021 (both have 2017 and 2018).',
    );
    expect((await analysis()).html).toContain('have years or no tables in common');

    // A comparable one, whose areas are those of another census
    const second = await admin(
      'import',
      'acs',
      tenure(2023, [
        ['75201', 2_400, 1_150],
        ['75202', 3_000, 1_500],
        ['75203', 1_100, 500],
      ]),
    );
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toContain('territory-admin import zcta-relationship');
    expect((await analysis()).html).toContain('territory-admin import zcta-relationship');
    expect((await listEvents(tenant, 0, 10, { types: ['census.changed'] })).events).toEqual([]);
    const dry = await admin('import', 'zcta-relationship', relations, '--dry-run');
    expect(dry.stdout).toMatch(/Dry run[^]*would keep +3/);
    expect((await admin('import', 'zcta-relationship', relations)).stdout).toMatch(/kept +3/);

    // 2,000 and 3 of 4,000 / 4 before, 2,400 and 3,000 now
    const { html } = await page();
    expect(html).toMatch(/Since 2014–2018: households \+8\.0% \(±/);
    const changed = (await analysis()).html;
    expect(changed).toMatch(
      /Households<\/th>\s*<td class="number">5,000<\/td>\s*<td class="number">5,400/,
    );
    expect(changed).toMatch(/The area of 1 ZIP code changed between the censuses of\s+2010/);
    expect(changed).toContain('75202');

    // Importing the current vintage again announces what can be compared now, once.
    const again = tenure(2023, [
      ['75201', 2_400, 1_150],
      ['75202', 3_000, 1_500],
      ['75203', 1_100, 500],
    ]);
    const announced = await admin('import', 'acs', again);
    expect(announced.stdout).toContain('The people of 1 brand are told what changed.');
    const twice = await admin('import', 'acs', again);
    expect(twice.stdout).not.toContain('are told what changed');
    const { events } = await listEvents(tenant, 0, 10, { types: ['census.changed'] });
    expect(events).toMatchObject([
      {
        brandId: brand.id,
        data: {
          periods: '2014-2018 and 2019-2023',
          zipCount: 2,
          figures: [{ figure: 'householdsTotal', changePercent: 8 }],
        },
      },
    ]);
    await dispatchEvents(db);
    const notified = await pat.get('/account/notifications');
    expect(notified.html).toMatch(/New census figures changed Star: households \+8\.0% \(±\d/);
  });

  it('is listed, and removed unless it is current', async () => {
    const listed = JSON.parse((await admin('vintage', 'list', '--json')).stdout) as {
      vintages: unknown;
    };
    expect(listed).toMatchObject({
      hasRelations: true,
      vintages: [
        { year: 2018, isCurrent: false, tables: ['B25003'] },
        { year: 2021, isCurrent: false },
        { year: 2023, isCurrent: true },
      ],
    });
    expect((await admin('vintage', 'list')).stdout).toMatch(/2019-2023 +yes[^]*can be compared/);
    expect(await admin('vintage', 'remove', '2023')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Current figures come from 2019-2023.'),
    });
    expect(await admin('vintage', 'remove', '2019')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Kept: 2018, 2021, 2023.'),
    });
    expect(await admin('vintage', 'remove', '2021')).toMatchObject({
      code: 0,
      stdout: 'Removed the figures of 2017-2021.\n',
    });
  });

  it('refuses a relationship file without its columns', async () => {
    const file = writeFile('rel.txt', 'ZCTA5|GEOID|COPOP\n75201|48113|1\n');
    expect(await admin('import', 'zcta-relationship', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no column GEOID_ZCTA5_10'),
    });
    expect((await db.query('select from zcta_relations')).length).toBe(3);
  });
});
