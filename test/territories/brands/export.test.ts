/** Exports a territory to files and imports them into another brand. */
import { OPERATOR } from '../../../src/people/account/caller.ts';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import type { FeatureCollection, MultiPolygon, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import type { Subscription } from '../../../src/people/account/caller.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { readAmounts } from '../../../src/territories/own-data/data-sets.ts';
import { dataColumns, EXPORT_COLUMNS } from '../../../src/territories/brands/export/columns.ts';
import { territoryCsv } from '../../../src/territories/brands/export/csv.ts';
import {
  parseExportDetail,
  EXPORT_DETAILS,
  type DetailName,
} from '../../../src/territories/brands/export/detail.ts';
import { exportFile } from '../../../src/territories/brands/export/files.ts';
import { territoryGeoJson } from '../../../src/territories/brands/export/geojson.ts';
import { fieldNames } from '../../../src/territories/brands/export/field-names.ts';
import {
  refuseLargeShapefile,
  territoryShapefile,
} from '../../../src/territories/brands/export/shapefile.ts';
import { openTable, type Row } from '../../../src/base/files/shapefile/records.ts';
import { readShapes } from '../../../src/data/ingest/shapes.ts';
import { territoryKml } from '../../../src/territories/brands/export/kml.ts';
import { territoryXlsx } from '../../../src/territories/brands/export/xlsx.ts';
import { openExport } from '../../../src/territories/brands/export/zips.ts';
import { saveData } from '../own-data/saved.ts';
import { testDatabase } from '../../support/database.ts';
import { runs } from '../../support/thorough.ts';
import { xmlTree, type XmlElement } from '../../support/xml.ts';
import { DALLAS, organizationWith } from './organization.ts';
import { readImport } from './read-import.ts';
import { storeZips } from './holding.ts';

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star', 'Other', 'Empty');
const [star, other, empty] = brands;

// Honolulu and Juneau are isolated, and 99999 no longer has a boundary.
const HELD = [...DALLAS, '96813', '99801', '99999'].sort();
await storeZips(tenant, star, HELD, ['75202', '75204']);
await storeZips(tenant, other, ['75201']);

const subscription = { monthlyUnits: 1_000_000, monthlyZips: null } as Subscription;
const territory = (brand: Brand) =>
  openExport({ tenant, subscription, brandScope: 'all', actor: OPERATOR }, brand, 1_000_000);
const METRO = parseExportDetail('metro');

async function joinPieces(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const csvOf = async (brand: Brand) => joinPieces(territoryCsv(await territory(brand)));
const rowsOf = async (brand: Brand) =>
  parse(await csvOf(brand), { columns: true, bom: true }) as unknown as Record<string, string>[];
const collectionOf = async (brand: Brand, detail = METRO) =>
  JSON.parse(
    await joinPieces(territoryGeoJson(await territory(brand), detail)),
  ) as FeatureCollection;

describe('every format', () => {
  it('contains each held ZIP code once, in order, with the same columns', async () => {
    const rows = await rowsOf(star);
    const { features } = await collectionOf(star);
    const kml = xmlTree(await joinPieces(territoryKml(await territory(star), METRO)));
    expect(rows.map(({ zip }) => zip)).toEqual(HELD);
    expect(features.map(({ id }) => id)).toEqual(HELD);
    for (const [i, { properties }] of features.entries()) {
      const cells = Object.entries(properties!).map(([name, value]) => [name, String(value ?? '')]);
      expect(Object.fromEntries(cells)).toEqual(rows[i]);
    }
    const placemarks = kml.all('Placemark');
    expect(placemarks.map((mark) => mark.first('name').text).sort()).toEqual(HELD);
    for (const mark of placemarks) {
      const row = rows.find(({ zip }) => zip === mark.first('name').text)!;
      const flags = new Set(
        kml
          .all('SimpleField')
          .flatMap(({ attributes: { type, name } }) => (type === 'bool' ? name! : [])),
      );
      const data = mark
        .all('SimpleData')
        .map(({ attributes: { name }, text }) => [
          name,
          flags.has(name!) ? String(text === '1') : text,
        ]);
      expect(data).toEqual(Object.entries(row).filter(([, value]) => value !== ''));
    }
  });

  it('contains location, status, flags, figures, scores, and their vintages', async () => {
    const rows = await rowsOf(star);
    const of = (zip: string) => rows.find((row) => row.zip === zip)!;
    expect(of('75201')).toMatchObject({
      city: 'Dallas',
      state: 'TX',
      county: 'Dallas',
      countyFips: '48113',
      status: 'live',
      shared: 'true',
      sharedWith: 'other',
      isolated: 'false',
      scoresVintage: 'Sample data (synthetic; not ACS)',
      demographicsVintage: 'Sample data (synthetic; not ACS)',
    });
    expect(Number(of('75201').householdsTotal)).toBeGreaterThan(0);
    expect(of('75201').windowsSidingScore).toMatch(/^\d+$/);
    expect(of('75204')).toMatchObject({ status: 'pending', shared: 'false', sharedWith: '' });
    expect(of('96813')).toMatchObject({ isolated: 'true', state: 'HI' });
    expect(of('99999')).toMatchObject({ city: '', county: '', roofingScore: '' });
  });

  it('is valid and empty for a brand that holds nothing', async () => {
    expect(await rowsOf(empty)).toEqual([]);
    expect((await collectionOf(empty)).features).toEqual([]);
    const kml = xmlTree(await joinPieces(territoryKml(await territory(empty), METRO)));
    expect(kml.all('Folder')).toEqual([]);
  });

  it('is written in batches of at most 500 ZIP codes', async () => {
    const brand = await createBrand(tenant, { name: 'Texas' });
    await tenant.query(
      `insert into brand_zips (organization_id, brand_id, zip, state)
       select $1, $2, zip, 'live' from zips where state = 'TX'`,
      [brand.id],
    );
    const sizes: number[] = [];
    for await (const piece of territoryCsv(await territory(brand))) {
      sizes.push(piece.split('\r\n').length - 1);
    }
    const [heading, ...pieces] = sizes;
    expect(heading).toBe(1);
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(500);
    expect(pieces.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(1_500);
  });
});

describe('the shapefile', () => {
  it('has the columns and boundaries of the GeoJSON, under names that it lists', async () => {
    const files = unzipSync(await territoryShapefile(await territory(star), METRO));
    expect(Object.keys(files).sort()).toEqual(
      ['fields.csv', ...['cpg', 'dbf', 'prj', 'shp', 'shx'].map((end) => `star.${end}`)].sort(),
    );
    const [, ...fields] = parse(strFromU8(files['fields.csv']!)) as [string, string][];
    const { features } = await collectionOf(star);
    const columns = Object.keys(features[0]!.properties!);
    expect(fields.map(([, column]) => column)).toEqual(columns);
    for (const [field] of fields) expect(field).toMatch(/^[A-Za-z]\w{0,9}$/);
    expect(new Set(fields.map(([field]) => field.toLowerCase())).size).toBe(columns.length);
    const table = await openTable(Readable.from([Buffer.from(files['star.dbf']!)]));
    const rows: Row[] = [];
    for await (const row of table.rows) rows.push(row);
    const folder = await mkdtemp(join(tmpdir(), 'shapefile-'));
    const { 'fields.csv': _list, ...layer } = files;
    await writeFile(join(folder, 'star.zip'), zipSync(layer));
    const shapes = await readShapes([join(folder, 'star.zip')]);
    await rm(folder, { recursive: true });
    for (const [i, { properties, geometry }] of features.entries()) {
      for (const [field, column] of fields) {
        const value = properties![column] as string | number | boolean | null;
        const cell = typeof value === 'boolean' ? Number(value) : value;
        // dBASE has empty cells, but no nulls.
        expect([column, rows[i]![field.toLowerCase()] || null]).toEqual([column, cell || null]);
      }
      expect(shapes.levels[0]!.geometries[i] === null).toBe(geometry === null);
    }
  });

  it('is refused with too many ZIP codes for its detail, before it is charged', async () => {
    const large = await createBrand(tenant, { name: 'Large' });
    const zips = await db.query<{ zip: string }>('select zip from zips order by zip limit 3001');
    await storeZips(
      tenant,
      large,
      zips.map(({ zip }) => zip),
    );
    const charge = () => Promise.reject(new Error('The export was charged.'));
    const file = (detail: DetailName) => ({ format: 'shp', detail }) as const;
    const of = { tenant, brand: large };
    await expect(exportFile(of, charge, file('street'), new Date())).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/3,000 ZIP codes at the detail "street", and Large has 3,001/),
    });
    await expect(exportFile(of, charge, file('metro'), new Date())).rejects.toThrow('charged');
    await db.query('delete from brand_zips where brand_id = $1 and zip = $2', [
      large.id,
      zips[0]!.zip,
    ]);
    await refuseLargeShapefile(of, parseExportDetail('street'));
  });

  it('shortens long names of columns to different ones', () => {
    const names = ['territory 2027', 'territory 2028', 'Umsätze', '2027', 'zip', 'ZIP'];
    expect(fieldNames(names)).toEqual([
      'territory_',
      'territory2',
      'Ums_tze',
      'f_2027',
      'zip',
      'ZIP2',
    ]);
  });
});

describe('CSV', () => {
  it('starts with a byte order mark, so that spreadsheets recognize UTF-8', async () => {
    expect(await csvOf(star)).toMatch(/^\u{FEFF}zip,city,state,/u);
  });

  it('contains no cell that a spreadsheet would execute', async () => {
    await db.query(
      `update zips set city = '=HYPERLINK("http://evil.example","x")' where zip = '96813'`,
    );
    const [line] = (await csvOf(star)).split('\r\n').filter((one) => one.startsWith('96813'));
    expect(line).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
    await db.query(`update zips set city = 'Honolulu' where zip = '96813'`);
  });
});

/** As `xmlTree` expects it */
const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

describe('Excel', () => {
  it('has text as text, numbers as numbers, a frozen heading, and a sheet with the sources', async () => {
    await db.query(`update zips set city = '=1+1' where zip = '96813'`);
    const files = unzipSync(
      await territoryXlsx(await territory(star), new Date('2026-01-02T03:04Z')),
    );
    await db.query(`update zips set city = 'Honolulu' where zip = '96813'`);
    const part = (name: string) =>
      xmlTree(strFromU8(files[`xl/${name}.xml`]!).replace(/^<\?xml.*?\?>/, XML_HEAD));
    expect(
      part('workbook')
        .all('sheet')
        .map(({ attributes }) => attributes.name),
    ).toEqual(['ZIP codes', 'Sources']);
    const texts = part('sharedStrings')
      .all('t')
      .map(({ text }) => text);
    const [heading, ...rows] = part('worksheets/sheet1')
      .all('row')
      .map((row) =>
        row.all('c').map((cell) => {
          const value = cell.first('v').text;
          const column = cell.attributes.r!.replace(/\d+/, '');
          return [
            column,
            cell.attributes.t === 's' ? texts[Number(value)]! : Number(value),
          ] as const;
        }),
      );
    expect(part('worksheets/sheet1').first('pane').attributes).toMatchObject({
      state: 'frozen',
      ySplit: '1',
    });
    expect(part('worksheets/sheet1').all('f')).toEqual([]);
    const columnOf = new Map(heading!.map(([column, name]) => [name, column]));
    const valueOf = (row: (typeof rows)[number], name: string) =>
      new Map(row).get(columnOf.get(name)!);
    expect(rows.map((row) => valueOf(row, 'zip'))).toEqual(HELD);
    expect(valueOf(rows[HELD.indexOf('96813')]!, 'city')).toBe('=1+1');
    const [first] = await rowsOf(star);
    for (const name of ['householdsTotal', 'medianAge', 'roofingScore']) {
      expect(valueOf(rows[0]!, name)).toBe(Number(first![name]));
    }
    expect(texts).toContain('2026-01-02 03:04 UTC');
    expect(texts).toContain('Sample data (synthetic; not ACS)');
  });
});

describe('GeoJSON', () => {
  const rings = ({ coordinates }: MultiPolygon) =>
    coordinates.flatMap(([outer, ...holes]) => [
      { ring: outer!, isOuter: true },
      ...holes.map((ring) => ({ ring, isOuter: false })),
    ]);
  /** Twice the signed area; positive for a counterclockwise ring */
  const signedArea = (ring: readonly Position[]) =>
    ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0]! * y! - x! * ring[i]![1]!, 0);

  it.each(EXPORT_DETAILS)(
    'winds its rings by the right-hand rule, to $toleranceM m',
    async (detail) => {
      const collection = await collectionOf(star, detail);
      expect(collection).toMatchObject({
        type: 'FeatureCollection',
        detail: detail.name,
        toleranceM: detail.toleranceM,
      });
      const without = collection.features.filter(({ geometry }) => geometry === null);
      expect(without.map((feature) => feature.id)).toEqual(['99999']);
      const shapes = collection.features.flatMap(({ geometry }) => (geometry ? [geometry] : []));
      for (const { ring, isOuter } of shapes.flatMap((shape) => rings(shape as MultiPolygon))) {
        expect(ring.at(-1)).toEqual(ring[0]);
        expect(signedArea(ring) > 0).toBe(isOuter);
      }
    },
  );

  it('has fewer positions at a coarser detail level', async () => {
    const sizes = [];
    for (const detail of EXPORT_DETAILS) {
      sizes.push(JSON.stringify((await collectionOf(star, detail)).features).length);
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(new Set(sizes).size).toBe(sizes.length);
  });

  it('refuses an unknown detail level and lists the known ones', () => {
    expect(() => parseExportDetail('fine')).toThrow('must be one of street, metro, state, country');
  });
});

describe('KML', () => {
  const kml = async (brand: Brand) =>
    xmlTree(await joinPieces(territoryKml(await territory(brand), METRO)));

  it('has a folder and a style for each status', async () => {
    const document = (await kml(star)).first('Document');
    const [live, pending, ...more] = document.all('Folder');
    expect(more).toEqual([]);
    const styles = document.all('Style').map(({ attributes }) => `#${attributes.id}`);
    for (const [folder, url, zips] of [
      [live!, '#live', HELD.filter((zip) => !['75202', '75204'].includes(zip))],
      [pending!, '#pending', ['75202', '75204']],
    ] as const) {
      const marks = folder.all('Placemark');
      expect(marks.map((mark) => mark.first('name').text)).toEqual(zips);
      expect(new Set(marks.map((mark) => mark.first('styleUrl').text))).toEqual(new Set([url]));
      expect(styles).toContain(url);
    }
    for (const color of document.all('color')) expect(color.text).toMatch(/^[0-9a-f]{8}$/);
  });

  it('uses only elements that Google Earth supports, in schema order', async () => {
    const order: Readonly<Record<string, string>> = {
      kml: 'Document',
      Document: 'name description Style Schema Folder',
      Schema: 'SimpleField',
      Folder: 'name Placemark',
      Placemark: 'name styleUrl ExtendedData MultiGeometry',
      Style: 'LineStyle PolyStyle',
      LineStyle: 'color width',
      PolyStyle: 'color',
      ExtendedData: 'SchemaData',
      SchemaData: 'SimpleData',
      MultiGeometry: 'Polygon',
      Polygon: 'tessellate outerBoundaryIs innerBoundaryIs',
      outerBoundaryIs: 'LinearRing',
      innerBoundaryIs: 'LinearRing',
      LinearRing: 'coordinates',
    };
    const check = ({ name, children }: XmlElement): void => {
      const known = (order[name] ?? '').split(' ').filter(Boolean);
      const places = children.map((child) => known.indexOf(child.name));
      expect([name, places.includes(-1)]).toEqual([name, false]);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      children.forEach(check);
    };
    const root = await kml(star);
    expect(root).toMatchObject({
      name: 'kml',
      attributes: { xmlns: 'http://www.opengis.net/kml/2.2' },
    });
    check(root);
    for (const { text } of root.all('coordinates')) {
      expect(text).toMatch(/^-?[\d.]+,-?[\d.]+( -?[\d.]+,-?[\d.]+){3,}$/);
    }
  });

  it('is well-formed for any brand name', async () => {
    const name = `A & B <Sons> "'`;
    const named = { ...star, name: `${name}\u{0}\u{B}` };
    const opened = { ...(await territory(star)), brand: named };
    const document = xmlTree(await joinPieces(territoryKml(opened, METRO))).first('Document');
    expect(document.first('name').text).toBe(name);
  });
});

describe('an exported territory that is imported again', () => {
  const some = fc.uniqueArray(fc.constantFrom(...DALLAS, '76102', '85003', '96813', '02134'), {
    minLength: 1,
    maxLength: 8,
  });

  const STREET = parseExportDetail('street');
  const FORMATS: Record<string, (from: Brand) => Promise<string | Uint8Array>> = {
    CSV: csvOf,
    'an Excel workbook': async (from) => territoryXlsx(await territory(from), new Date()),
    GeoJSON: async (from) => joinPieces(territoryGeoJson(await territory(from), STREET)),
    KML: async (from) => joinPieces(territoryKml(await territory(from), STREET)),
    KMZ: async (from) =>
      zipSync({ 'doc.kml': Buffer.from((await FORMATS['KML']!(from)) as string) }),
    'a shapefile': async (from) => territoryShapefile(await territory(from), STREET),
    'GeoJSON of shapes alone': async (from) =>
      withoutProperties((await FORMATS['GeoJSON']!(from)) as string),
    'KML of shapes alone': async (from) =>
      withoutProperties((await FORMATS['KML']!(from)) as string),
    'a shapefile of shapes alone': async (from) => {
      const files = Object.entries(unzipSync((await FORMATS['a shapefile']!(from)) as Uint8Array));
      return zipSync(Object.fromEntries(files.filter(([name]) => !name.endsWith('.dbf'))));
    },
  };

  it.each(Object.keys(FORMATS))('selects the same ZIP codes as %s', async (format) => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(some, async (zips) => {
        const from = await createBrand(tenant, { name: `From ${format} ${n++}` });
        await storeZips(tenant, from, zips);
        const report = await readImport(tenant, empty, await FORMATS[format]!(from));
        expect(report.zips).toEqual(zips.toSorted());
        expect(report.guesses).toEqual([]);
      }),
      { numRuns: runs(8) },
    );
  });

  const withoutProperties = (text: string) => {
    if (text.startsWith('<')) {
      return text.replaceAll(
        /<ExtendedData>.*?<\/ExtendedData>|<name>\d*<\/name>| id="zip-\d+"/gs,
        '',
      );
    }
    const { features } = JSON.parse(text) as FeatureCollection;
    return JSON.stringify({
      type: 'FeatureCollection',
      features: features.map(({ geometry }) => ({ type: 'Feature', properties: null, geometry })),
    });
  };
});

describe('data sets of the organization', () => {
  async function fullData(name: string, amounts: Readonly<Record<string, number>>) {
    const set = await saveData({ tenant }, name, amounts);
    return { ...set, ...(await readAmounts(tenant, set)) };
  }

  it('are columns of every format if chosen, also with the name of another column', async () => {
    const data = [
      await fullData('Jobs 2025', { [DALLAS[0]!]: 7, [DALLAS[1]!]: 2.5 }),
      await fullData('City', { [DALLAS[0]!]: 1 }),
    ];
    const columns = [...EXPORT_COLUMNS, ...dataColumns(data)];
    const names = ['Jobs 2025', 'City (own data)'];
    const opened = await territory(star);
    const rows = parse(await joinPieces(territoryCsv(opened, columns)), {
      columns: true,
      bom: true,
    }) as unknown as Record<string, string>[];
    expect(rows.filter((row) => row[names[0]!] !== '').map((row) => row[names[0]!])).toEqual([
      '7',
      '2.5',
    ]);
    expect(rows.find(({ zip }) => zip === DALLAS[0])).toMatchObject({
      city: 'Dallas',
      [names[1]!]: '1',
    });
    const geo = JSON.parse(
      await joinPieces(territoryGeoJson(opened, METRO, columns)),
    ) as FeatureCollection;
    expect(geo.features.find(({ id }) => id === DALLAS[0])!.properties).toMatchObject({
      [names[0]!]: 7,
      [names[1]!]: 1,
    });
    const kml = xmlTree(await joinPieces(territoryKml(opened, METRO, columns)));
    const fields = kml.all('SimpleField').map((field) => field.attributes['name']);
    expect(fields.slice(-2)).toEqual(names);
    const sheets = unzipSync(await territoryXlsx(opened, new Date(), columns));
    expect(strFromU8(sheets['xl/worksheets/sheet1.xml']!)).toContain('<v>2.5</v>');
    const files = unzipSync(await territoryShapefile(opened, METRO, columns));
    const table = Object.keys(files).find((name) => name.endsWith('fields.csv'))!;
    expect(strFromU8(files[table]!)).toContain('Jobs 2025');
  });
});
