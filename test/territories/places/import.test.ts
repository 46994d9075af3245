/** Files of places: how their columns and rows are read, and which places they add or change. */
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import {
  importPlaces,
  type PlaceFileRequest,
} from '../../../src/territories/places/import-places.ts';
import { addPlace, listPlaces } from '../../../src/territories/places/places.ts';
import { testDatabase } from '../../support/database.ts';
import { placeOrganization, standInGeocoder } from './organization.ts';

const { db } = await testDatabase('sample');
const organization = (subscription = {}) => placeOrganization(db, subscription);
type PlaceCaller = Awaited<ReturnType<typeof organization>>['all'];

async function* chunksOf(file: string | Uint8Array) {
  yield typeof file === 'string' ? Buffer.from(file) : file;
}

const importing = (
  caller: PlaceCaller,
  file: string | Uint8Array | readonly string[],
  request: Partial<PlaceFileRequest> = {},
  geocoder?: Parameters<typeof importPlaces>[3],
) =>
  importPlaces(
    caller,
    chunksOf(typeof file === 'string' || file instanceof Uint8Array ? file : file.join('\n')),
    { options: {}, columns: {}, isPreview: false, ...request },
    geocoder,
  );

const named = async ({ tenant }: PlaceCaller) =>
  Object.fromEntries((await listPlaces(tenant)).map((place) => [place.name, place]));

const MESSY = [
  'Locations of the group;;;;;;;;;',
  'Location Name;Type;Brand;Street Address;City;ST;Zip Code;Phone Number;E-Mail;Web Site;Opening hours',
  'Dallas HQ;Headquarters;;1500 Marilla St;Dallas;TX;75201;(214) 555-0100;hq@example.com;example.com;Mo-Fr 8-18',
  'North store;Shops;north;12 Elm St;Dallas;TX;75202;call us;store@;ftp://example.com;n/a',
  'North store;store;NORTH;99 Oak St;Dallas;TX;75208;;;;',
  'Rapid Roofing;competitor;;;;;75203-1234;none;;;',
  'Nobody;;;;;;75201;;;;',
  'Somewhere;store;West;;;;75201;;;;',
  'Mystery;shack;;;;;75201;;;;',
  'Mailbox;other;;PO Box 1;Dallas;TX;99999;;;;',
  ';store;;;;;75201;;;;',
  'Dallas HQ;office;;1500 MARILLA ST.;Dallas;TX;75201;;;;',
];

describe('a file of places', () => {
  it('is read as people write it, and says which rows need attention, and why', async () => {
    const { all } = await organization();
    const result = await importing(all, MESSY);
    expect(result).toMatchObject({
      stored: true,
      format: 'csv',
      rows: 10,
      counts: { added: 4, changed: 0, unchanged: 0, left_out: 6 },
    });
    expect(result.summary).toMatch(
      /name in “Location Name”, kind in “Type”, brand in “Brand”, phone in “Phone Number”, email in “E-Mail”, url in “Web Site”, and hours in “Opening hours”. Places are located by addresses, else by ZIP codes\./,
    );
    const reasons = Object.fromEntries(
      result.findings.map(({ line, outcome, reason }) => [line, [outcome, reason]]),
    );
    expect(reasons).toMatchObject({
      4: ['added', expect.stringMatching(/"call us".*store@.*"ftp/)],
      7: ['left_out', expect.stringContaining('The kind is missing')],
      8: ['left_out', expect.stringContaining('no brand "West"')],
      9: ['left_out', expect.stringContaining('"shack" is not a kind of place')],
      10: ['left_out', expect.stringContaining('ZIP code 99999 isn’t known')],
      11: ['left_out', expect.stringContaining('needs a name')],
      12: ['left_out', 'The place is also in line 3, which counts. ' + AT_MIDDLE],
    });
    const places = (await listPlaces(all.tenant)).toSorted(
      (a, b) => a.name.localeCompare(b.name) || a.zip!.localeCompare(b.zip!),
    );
    expect(places.map(({ name, kind, brand, zip }) => [name, kind, brand?.slug, zip])).toEqual([
      ['Dallas HQ', 'office', undefined, '75201'],
      ['North store', 'store', 'north', '75202'],
      ['North store', 'store', 'north', '75208'],
      ['Rapid Roofing', 'competitor', undefined, '75203'],
    ]);
    expect(places[0]).toMatchObject({
      address: '1500 Marilla St, Dallas, TX',
      locatedBy: 'zip',
      phone: '(214) 555-0100',
      email: 'hq@example.com',
      url: 'https://example.com/',
      hours: 'Mo-Fr 8-18',
    });
    expect(places[1]).toMatchObject({ phone: null, email: null, url: null, hours: null });
    const { rows } = await listActivity(all.tenant, 'all', {}, { limit: 1 });
    expect(rows[0]!.summary).toBe('Imported places: added 4 places, and changed 0.');
  });

  const AT_MIDDLE =
    'The address couldn’t be looked up, so the place is in the middle of its ZIP code.';

  it('is only read in a preview', async () => {
    const { all } = await organization();
    const result = await importing(all, MESSY, { isPreview: true });
    expect(result).toMatchObject({ stored: false, counts: { added: 4, left_out: 6 } });
    expect(result.firstRows[3]).toEqual({
      line: 6,
      given: 'Rapid Roofing',
      kind: 'competitor',
      brand: null,
      zip: '75203',
      locatedBy: 'zip',
      outcome: 'added',
      reason: '',
    });
    expect(await listPlaces(all.tenant)).toEqual([]);
  });

  it('is located by coordinates, else by address for units, else by ZIP code', async () => {
    const { all } = await organization();
    const geocoder = standInGeocoder({ '1 Main St, Dallas, 75202': { lng: -96.8, lat: 32.78 } });
    await importing(
      all,
      [
        'name,kind,lng,lat,address,city,zip',
        'A,store,-96.79,32.79,1 Main St,Dallas,75202',
        'B,store,,,1 Main St,Dallas,75202',
        'C,store,,,9 Main St,Dallas,75202',
        'D,store,abc,32,1 Main St,Dallas,75202',
      ],
      {},
      geocoder,
    );
    const by = Object.values(await named(all)).map(({ name, locatedBy }) => [name, locatedBy]);
    expect(by).toEqual([
      ['A', 'coordinates'],
      ['B', 'address'],
      ['C', 'zip'],
      ['D', 'address'],
    ]);
    expect(geocoder.asked).toHaveLength(2);
    const days = await all.tenant.query(
      'select tool, units from usage_days where organization_id = $1',
    );
    expect(days).toEqual([{ tool: 'look_up_addresses', units: 1 }]);
  });

  it.each([
    [
      'GeoJSON',
      JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            properties: { name: 'Depot 1', kind: 'depot', phone: '2145550100', zip: null },
            geometry: { type: 'Point', coordinates: [-96.8, 32.78] },
          },
        ],
      }),
    ],
    [
      'KML',
      `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Depot 1</name>
        <ExtendedData><Data name="kind"><value>depot</value></Data><Data name="phone"><value>2145550100</value></Data></ExtendedData>
        <Point><coordinates>-96.8,32.78</coordinates></Point></Placemark></kml>`,
    ],
    ['a workbook', workbook()],
  ])('can be %s', async (_, file) => {
    const { all } = await organization();
    await importing(all, file);
    expect(await named(all)).toMatchObject({
      'Depot 1': { kind: 'depot', lng: -96.8, lat: 32.78, phone: '2145550100' },
    });
  });

  it('can have its kind, brand, and columns chosen', async () => {
    const { all } = await organization();
    const file = ['site,what,postal', 'Rapid,Roofer,75201'];
    await expect(importing(all, file)).rejects.toThrow(/no column of kinds. Choose the kind/);
    await importing(all, file, { kind: 'competitor', brand: 'South', columns: { name: 'what' } });
    expect(await named(all)).toMatchObject({
      Roofer: { kind: 'competitor', brand: { slug: 'south' }, zip: '75201' },
    });
  });

  it.each([
    ['name,kind\nA,store', /no column of coordinates, addresses, or ZIP codes/],
    ['zip,kind\n75201,store', /"Store" is not|no column of names/],
    ['name,kind,zip\n', /headings, but no rows/],
    ['', /empty/],
  ])('is refused as a whole: %j', async (file, message) => {
    const { all } = await organization();
    await expect(
      importing(all, file, { columns: file.startsWith('zip') ? { kind: 'kind' } : {} }),
    ).rejects.toThrow(message);
  });
});

describe('a second import', () => {
  it('changes places of the same name and brand, and keeps what its cells leave empty', async () => {
    const { all } = await organization();
    await importing(all, [
      'name,kind,brand,zip,phone,email',
      'A,store,north,75201,2145550100,a@example.com',
      'B,store,,75201,,',
    ]);
    const before = await named(all);
    const result = await importing(all, [
      'name,kind,brand,zip,phone,email',
      'a,store,North,75208,2145550199,',
      'B,store,,75201,,',
      'A,store,South,75201,,',
    ]);
    expect(result.counts).toEqual({ added: 1, changed: 1, unchanged: 1, left_out: 0 });
    const places = await listPlaces(all.tenant);
    expect(places).toHaveLength(3);
    expect(places.find(({ id }) => id === before['A']!.id)).toMatchObject({
      zip: '75208',
      phone: '2145550199',
      email: 'a@example.com',
    });
  });

  it('tells places of one name apart by where they are', async () => {
    const { all } = await organization();
    const chain = (phone: string, ...rows: string[]) => [
      'name,kind,lng,lat,phone',
      ...rows.map((at) => `Rapid,competitor,${at},${phone}`),
    ];
    await importing(all, chain('2145550100', '-96.80,32.78', '-96.70,32.78'));
    const result = await importing(all, chain('2145550199', '-96.8001,32.7801', '-96.60,32.78'));
    expect(result.counts).toMatchObject({ added: 1, changed: 1 });
    const places = await listPlaces(all.tenant);
    expect(places.map(({ lng, phone }) => [lng, phone]).toSorted()).toEqual([
      [-96.6, '2145550199'],
      [-96.7, '2145550100'],
      [-96.8001, '2145550199'],
    ]);
  });

  it('doesn’t replace an exact location by the middle of its ZIP code', async () => {
    const { all } = await organization();
    const at = { lng: -96.797, lat: 32.781 };
    const { zip } = await addPlace(all, { name: 'A', kind: 'store', ...at });
    const { counts } = await importing(all, ['name,kind,zip', `A,store,${zip}`]);
    expect(counts).toMatchObject({ unchanged: 1 });
    await importing(all, ['name,kind,zip', 'A,store,75208']);
    expect(await named(all)).toMatchObject({ A: { zip: '75208', locatedBy: 'zip' } });
  });
});

describe('limits of an import', () => {
  it('are the places and the rows of the subscription, and hold in a preview, too', async () => {
    const { all } = await organization({ status: 'trial' });
    const rows = Array.from({ length: 600 }, (_, i) => `Store ${i},store,75201`);
    const more = rows.map((row) => row.replace('Store', 'Other'));
    await importing(all, ['name,kind,zip', ...rows]);
    for (const isPreview of [true, false]) {
      await expect(importing(all, ['name,kind,zip', ...more], { isPreview })).rejects.toThrow(
        /includes 1,000 places. It has 600, so 600 more don’t fit/,
      );
    }
    await expect(importing(all, ['name,kind,zip', ...rows, ...more])).rejects.toThrow(
      /more than 1,000 rows/,
    );
    const [used] = await all.tenant.query(
      'select rows from data_set_rows where organization_id = $1',
    );
    expect(used).toEqual({ rows: 600 });
    expect(await listPlaces(all.tenant)).toHaveLength(600);
  });

  it('let a person with some brands add and change places of theirs only', async () => {
    const { all, ofNorth } = await organization();
    await addPlace(all, { name: 'Shared', kind: 'office', zip: '75201' });
    await addPlace(all, { name: 'A', kind: 'office', zip: '75201', brand: 'South' });
    const result = await importing(ofNorth, [
      'name,kind,brand,zip',
      'Shared,office,,75202',
      'A,office,south,75202',
      'A,office,north,75202',
    ]);
    expect(result.findings.map(({ line, reason }) => [line, reason])).toEqual([
      [2, expect.stringContaining('The brand is missing. Name one of yours')],
      [3, expect.stringContaining('no brand "south"')],
    ]);
    const places = await listPlaces(all.tenant);
    expect(places.map(({ name, brand, zip }) => [name, brand?.slug, zip])).toEqual(
      expect.arrayContaining([
        ['Shared', undefined, '75201'],
        ['A', 'south', '75201'],
        ['A', 'north', '75202'],
      ]),
    );
    await importing(ofNorth, ['name,kind,zip', 'B,office,75202'], { brand: 'north' });
    expect(await named(all)).toMatchObject({ B: { brand: { slug: 'north' } } });
  });
});

/** A workbook with the depot of the other formats, whose cells are texts and numbers */
function workbook(): Uint8Array {
  const cell = (value: string | number) =>
    typeof value === 'number'
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = [
    ['Name', 'Kind', 'Longitude', 'Latitude', 'Phone'],
    ['Depot 1', 'Depot', -96.8, 32.78, 2145550100],
  ].map((cells) => `<row>${cells.map(cell).join('')}</row>`);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Places" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
    ),
  });
}
