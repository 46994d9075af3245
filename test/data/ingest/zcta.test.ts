import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Position } from 'geojson';
import mapshaper from 'mapshaper';
import pg from 'pg';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { readDatasets, recordDataset } from '../../../src/base/db/datasets.ts';
import { ImportError } from '../../../src/errors.ts';
import { ensureStatesAndCounties } from '../../../src/data/ingest/atlas-install.ts';
import { silent } from '../../../src/data/ingest/progress.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import { importZcta, type ZctaOptions } from '../../../src/data/ingest/zcta.ts';
import { testDatabase, testFolder } from '../../support/database.ts';
import {
  collection,
  row,
  square,
  writeFile,
  writeShapefile,
  writeZip,
  zipFeature,
} from './files.ts';

const { db, env } = await testDatabase('empty');
beforeAll(() => ensureStatesAndCounties(db, silent));

/**
 * Imports without fitting the coast, which would take longer than all these imports. basemap.test.ts and
 * coast.test.ts test the fitting.
 */
const importFiles = (files: string[], options: Partial<ZctaOptions> = {}) =>
  importZcta(db, files, { coast: 'later', progress: silent, ...options });

const zips = async () =>
  (await db.query<{ zip: string }>('select zip from zips order by zip')).map((r) => r.zip);

describe('importing ZCTAs', () => {
  it('fills ZIP codes, boundaries at every detail level, and neighbors', async () => {
    const report = await importFiles([writeFile('zcta.geojson', collection(row(3)))]);
    expect(report).toMatchObject({
      kind: 'zcta',
      rowsRead: 3,
      kept: 3,
      rejected: [],
      vintage: 'Census 2020 ZCTAs',
    });
    const [zip] = await db.query(
      `select zip, city, state, county_fips, round(st_x(centroid)::numeric, 3) as lng,
         round((land_area_m2 / 1e6)::numeric, 1) as km2 from zips where zip = '75201'`,
    );
    expect(zip).toEqual({
      zip: '75201',
      city: 'Dallas',
      state: 'TX',
      county_fips: '48113',
      lng: -96.95,
      // 0.1 x 0.1 degrees at latitude 32.75, on the ellipsoid
      km2: 103.9,
    });
    expect(
      await db.query('select lod, count(*) as n from zip_boundaries group by lod order by lod'),
    ).toEqual([0, 1, 2, 3].map((lod) => ({ lod, n: 3 })));
    const neighbors = await db.query(
      'select zip, neighbor, round(shared_border_m) as border from zip_neighbors order by 1, 2',
    );
    expect(neighbors).toEqual([
      { zip: '75201', neighbor: '75202', border: 11120 },
      { zip: '75202', neighbor: '75201', border: 11120 },
      { zip: '75202', neighbor: '75203', border: 11120 },
      { zip: '75203', neighbor: '75202', border: 11120 },
    ]);
    expect((await readDatasets(db)).get('boundaries')).toMatchObject({
      vintage: 'Census 2020 ZCTAs',
      synthetic: false,
    });
  });

  it('brings the list of existing ZIP codes up to date', async () => {
    const list = () => db.query<{ zip: string }>('select * from zip_directory order by zip');
    const before = await list();
    expect(before.length).toBeGreaterThan(40_000);
    await db.query(`delete from zip_directory where zip = '75201'`);
    await db.query(`update zip_directory set city = null where zip = '75202'`);
    await db.query(`update zip_directory set point = null where zip = '75204'`);
    await db.query(`insert into zip_directory (zip) values ('00000')`);
    await importFiles([writeFile('zcta.geojson', collection(row(3)))]);
    expect(await list()).toEqual(before);
  });

  it('replaces everything', async () => {
    const report = await importFiles([writeFile('z.json', collection(row(6).slice(4)))]);
    expect(report.kept).toBe(2);
    expect(await zips()).toEqual(['75205', '75206']);
  });

  it('reads zipped shapefiles and uses the census’s land area', async () => {
    const features = row(4).map((f) => ({
      ...f,
      properties: { ZCTA5CE10: f.properties!['ZCTA5CE20'], ALAND10: 12345 },
    }));
    const report = await importFiles([await writeZip(features)]);
    expect(report).toMatchObject({ kept: 4, vintage: 'Census 2010 ZCTAs' });
    expect(await db.query('select distinct land_area_m2 from zips')).toEqual([
      { land_area_m2: 12345 },
    ]);
  });

  it('reads newline-delimited GeoJSON, with or without record separators', async () => {
    const text = row(3).map((f) => `\u001e${JSON.stringify(f)}\n`);
    expect(await importFiles([writeFile('z.geojsonl', text.join(''))])).toMatchObject({ kept: 3 });
  });

  it.each([
    ['a separator before each feature', (one: object) => `\u001e${JSON.stringify(one, null, 1)}\n`],
    ['a feature per line', (one: object) => `${JSON.stringify(one)}\n`],
    [
      'long features after a byte order mark',
      (one: object, i: number) =>
        `${i === 0 ? '\uFEFF' : ''}${JSON.stringify({ ...one, note: 'x'.repeat(10_000) })}\n`,
    ],
  ])('reads a sequence with the extension of GeoJSON: %s', async (_, write) => {
    const text = row(3).map(write).join('');
    expect(await importFiles([writeFile('z.geojson', text)])).toMatchObject({ kept: 3 });
  });

  it('merges the parts of a country, with neighbors across parts', async () => {
    const [a, b, c] = row(3);
    await importFiles([
      writeFile('west.geojson', collection([a])),
      writeFile('east.geojson', collection([b, c])),
    ]);
    expect(await zips()).toEqual(['75201', '75202', '75203']);
    expect(await db.query('select from zip_neighbors')).toHaveLength(4);
  });

  it('converts a projected shapefile to longitude and latitude', async () => {
    await importFiles([await writeShapefile(row(2), 'EPSG:32138')]);
    const [{ lng, lat }] = (await db.query(
      `select st_x(centroid) as lng, st_y(centroid) as lat from zips where zip = '75202'`,
    )) as [{ lng: number; lat: number }];
    expect(lng).toBeCloseTo(-96.85, 4);
    expect(lat).toBeCloseTo(32.75, 3);
  });
});

describe('rejected features', () => {
  it('are counted with a reason and examples while the others are imported', async () => {
    const report = await importFiles([
      writeFile(
        'z.geojson',
        collection([
          ...row(2),
          zipFeature('7520', square(5)),
          zipFeature('1001', square(6)),
          zipFeature('75201', square(5)),
          zipFeature('75299', [
            [0, 0],
            [0, 0],
            [0, 0],
            [0, 0],
          ]),
          { type: 'Feature', properties: { ZCTA5CE20: '75298' }, geometry: null },
          zipFeature(null, square(8)),
        ]),
      ),
    ]);
    expect(report).toMatchObject({ rowsRead: 8, kept: 2 });
    expect(report.rejected).toEqual([
      {
        reason: 'the ZIP code doesn’t have five digits (was a leading zero lost?)',
        count: 2,
        examples: ['feature 3: "7520"', 'feature 4: "1001"'],
      },
      { reason: 'the polygon is missing or has no area', count: 2, examples: ['75299', '75298'] },
      { reason: 'the ZIP code doesn’t have five digits', count: 1, examples: ['feature 8: ""'] },
    ]);
  });
});

describe('the features of a file', () => {
  const importFeatures = (features: unknown[], name = 'z.geojson') =>
    importFiles([writeFile(name, collection(features))], { allowShrink: true });
  const shapeOf = async (zip: string) => {
    const [shape] = await db.query<{ km2: number; parts: number; valid: boolean }>(
      `select round(st_area(geom::geography) / 1e6)::int as km2, st_numgeometries(geom) as parts,
         st_isvalid(geom) as valid from zip_boundaries where zip = $1 and lod = 0`,
      [zip],
    );
    return shape;
  };
  const withGeometry = (zip: unknown, geometry: object) => ({
    type: 'Feature',
    properties: { ZCTA5CE20: zip },
    geometry,
  });
  const polygonOf = (ring: unknown[]) => ({ type: 'Polygon', coordinates: [ring] });
  const point = { type: 'Point', coordinates: [-96.9, 32.75] };

  it('with the same ZIP code are united, whether they are apart, adjacent, or overlap', async () => {
    const shifted = square(5).map(([lng, lat]) => [lng! + 0.05, lat!]);
    const report = await importFeatures([
      zipFeature('75201', square(0), { ALAND20: 5 }),
      zipFeature('75201', square(2), { ALAND20: 5 }),
      zipFeature('75202', square(3)),
      zipFeature('75202', square(4)),
      zipFeature('75203', square(5)),
      zipFeature('75203', shifted),
      zipFeature('75203', square(5)),
      zipFeature('75204', square(1)),
    ]);
    expect(report).toMatchObject({ rowsRead: 8, kept: 4, rejected: [] });
    expect(report.notes).toContain(
      '3 ZIP codes came in several features, which were united: 75201, 75202, 75203',
    );
    expect(await shapeOf('75201')).toEqual({ km2: 208, parts: 2, valid: true });
    expect(await shapeOf('75202')).toEqual({ km2: 208, parts: 1, valid: true });
    expect(await shapeOf('75203')).toEqual({ km2: 156, parts: 1, valid: true });
    const [land] = await db.query(
      `select round(land_area_m2 / 1e6)::int as km2 from zips where zip = '75201'`,
    );
    expect(land).toEqual({ km2: 208 });
    const neighbors = await db.query(
      `select neighbor from zip_neighbors where zip = '75201' order by 1`,
    );
    expect(neighbors).toEqual([{ neighbor: '75202' }, { neighbor: '75204' }]);
  });

  it('are used if they have an area, and the rest is reported', async () => {
    const line = { type: 'LineString', coordinates: square(0) };
    const nested = { type: 'GeometryCollection', geometries: [polygonOf(square(1))] };
    const report = await importFeatures([
      withGeometry('75201', {
        type: 'GeometryCollection',
        geometries: [point, polygonOf(square(0)), line, nested],
      }),
      withGeometry('75201', point),
      zipFeature('75203', square(2)),
    ]);
    expect(report).toMatchObject({ kept: 2, rejected: [] });
    expect(report.notes).toContain('z.geojson: 2 points and 1 line were ignored');
    expect(await shapeOf('75201')).toMatchObject({ km2: 208, parts: 1 });
  });

  it('have their rings closed, in every format', async () => {
    const open = [
      zipFeature('75201', square(0).slice(0, 4)),
      zipFeature('75202', square(1).slice(0, 3)),
    ];
    const topology = {
      type: 'Topology',
      arcs: open.map(({ geometry }) => geometry.coordinates[0]),
      objects: {
        zips: {
          type: 'GeometryCollection',
          geometries: open.map(({ properties }, i) => ({
            type: 'Polygon',
            arcs: [[i]],
            properties,
          })),
        },
      },
    };
    const check = async (report: Promise<unknown>) => {
      expect(await report).toMatchObject({ kept: 2, rejected: [] });
      expect(await shapeOf('75201')).toEqual({ km2: 104, parts: 1, valid: true });
      expect(await shapeOf('75202')).toEqual({ km2: 52, parts: 1, valid: true });
    };
    await check(importFeatures(open));
    await check(importFeatures([...open, withGeometry('75203', point)]));
    await check(importFiles([writeFile('z.topojson', topology)], { allowShrink: true }));
    await check(importFiles([writeFile('z.json', topology)], { allowShrink: true }));
    const lines = open.map((feature) => `${JSON.stringify(feature)}\n`).join('');
    await check(importFiles([writeFile('z.ndjson', lines)], { allowShrink: true }));
  });

  it('name ZIP codes in all forms of the census and as numbers', async () => {
    const forms = [
      ' 75201 ',
      2108,
      '75202-1234',
      '860Z200US75203',
      '8600000US75204',
      'ZCTA5 75205',
    ];
    await importFeatures(forms.map((form, i) => zipFeature(form, square(i))));
    expect(await zips()).toEqual(['02108', '75201', '75202', '75203', '75204', '75205']);
  });

  it.each(['GEOIDFQ20', 'GEOID20', 'zcta5ce20', 'AFFGEOID10', 'Zip', 'POSTCODE', 'zip_code'])(
    'name them in a column %s',
    async (column) => {
      const feature = { ...zipFeature(null, square(0)), properties: { [column]: '75201' } };
      expect(await importFeatures([feature])).toMatchObject({ kept: 1 });
    },
  );

  it('lie in the country: others are rejected', async () => {
    const far = square(1).map(([lng, lat]) => [lng! + 100, lat!]);
    const report = await importFeatures([zipFeature('75201', square(0)), zipFeature('75202', far)]);
    expect(report).toMatchObject({ kept: 1 });
    expect(report.rejected).toEqual([
      {
        reason: 'it lies outside the United States and its islands',
        count: 1,
        examples: ['75202'],
      },
    ]);
  });

  it('may lie on all its islands', async () => {
    const centers = [
      [-66.1, 18.4],
      [-64.9, 18.34],
      [144.8, 13.45],
      [145.75, 15.2],
      [-170.7, -14.3],
      [-157.8, 21.3],
      [-149.9, 61.2],
      [173, 52.9],
      [-166.5, 53.9],
      [-81.8, 24.56],
      [-67, 44.9],
    ] as [number, number][];
    const report = await importFeatures(
      centers.map(([lng, lat], i) =>
        zipFeature(
          String(75201 + i),
          [
            [0, 0],
            [0, 0.01],
            [0.01, 0.01],
            [0, 0],
          ].map(([x, y]) => [lng + x!, lat + y!]),
        ),
      ),
    );
    expect(report).toMatchObject({ kept: centers.length, rejected: [] });
  });
});

describe('a shapefile', () => {
  const import3 = async (change: (stem: string) => void) => {
    const shp = await writeShapefile(row(3));
    const stem = shp.slice(0, -4);
    change(stem);
    const [name] = readdirSync(dirname(shp)).filter((file) => /shp$/i.test(file));
    return importFiles([join(dirname(shp), name!)], { allowShrink: true });
  };
  const changeTable = (change: (table: Buffer) => void) => (stem: string) => {
    const table = readFileSync(`${stem}.dbf`);
    change(table);
    writeFileSync(`${stem}.dbf`, table);
  };

  it('may have its parts in capitals', async () => {
    const report = await import3((stem) => {
      for (const file of readdirSync(dirname(stem))) {
        renameSync(join(dirname(stem), file), join(dirname(stem), file.toUpperCase()));
      }
    });
    expect(report).toMatchObject({ kept: 3, vintage: 'Census 2020 ZCTAs' });
  });

  it('loses records marked as deleted with their shapes, and says so', async () => {
    const report = await import3(
      changeTable((table) => table.write('*', table.readUInt16LE(8) + table.readUInt16LE(10))),
    );
    expect(report).toMatchObject({ rowsRead: 2, kept: 2 });
    expect(report.notes).toContain('zips.shp: 1 record marked as deleted was left out');
    expect(await zips()).toEqual(['75201', '75203']);
  });

  it('loses shapes without a record, and says so', async () => {
    const report = await import3(changeTable((table) => table.writeUInt32LE(1, 4)));
    expect(report).toMatchObject({ rowsRead: 1, kept: 1 });
    expect(report.notes).toContain('zips.shp: 2 shapes without a record were left out');
  });

  it('loses records without a shape, and says so', async () => {
    const [long, short] = await Promise.all([writeShapefile(row(3)), writeShapefile(row(2))]);
    copyFileSync(long.replace('.shp', '.dbf'), short.replace('.shp', '.dbf'));
    const report = await importFiles([short], { allowShrink: true });
    expect(report).toMatchObject({ rowsRead: 2, kept: 2 });
    expect(report.notes).toContain('zips.shp: 1 record without a shape was left out');
  });

  it.each(['88591', 'ISO 8859-1', 'ANSI 1252', 'OEM 437', 'LDID/87', 'UTF8', '65001', ''])(
    'may name its encoding “%s”',
    async (name) => {
      const report = await import3((stem) => writeFileSync(`${stem}.cpg`, name));
      expect(report).toMatchObject({ kept: 3 });
      expect(report.notes.join()).not.toMatch(/encoding/);
    },
  );

  it('with an unknown encoding is read with a note', async () => {
    const report = await import3((stem) => writeFileSync(`${stem}.cpg`, 'KLINGON'));
    expect(report).toMatchObject({ kept: 3 });
    expect(report.notes.join()).toMatch(
      /zips.shp: the encoding “KLINGON” of the .cpg file is unknown/,
    );
  });
});

describe('a bow-tie', () => {
  it('becomes the two triangles that it encloses, with a note in the report', async () => {
    const bowTie = [
      [-97, 32.7],
      [-96.9, 32.8],
      [-96.9, 32.7],
      [-97, 32.76],
      [-97, 32.7],
    ];
    const report = await importFiles([
      writeFile(
        'z.geojson',
        collection([zipFeature('75201', bowTie), zipFeature('75202', square(1))]),
      ),
    ]);
    expect(report).toMatchObject({ kept: 2, rejected: [] });
    expect(report.notes.join()).toMatch(/1 polygons that cross themselves were repaired: 75201/);
    const shapes = await db.query(
      `select st_isvalid(geom) as valid, st_numgeometries(geom) as parts
       from zip_boundaries where zip = '75201' and lod = 0`,
    );
    expect(shapes).toEqual([{ valid: true, parts: 2 }]);
  });
});

describe('a ZCTA file is refused', () => {
  const before = async () => {
    await importFiles([writeFile('z.geojson', collection(row(4)))]);
  };
  beforeAll(before);

  const refuses = async (files: string[], why: RegExp, options: Partial<ZctaOptions> = {}) => {
    const failure: unknown = await importFiles(files, options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ImportError);
    expect((failure as Error).message).toMatch(why);
    expect(await zips()).toEqual(['75201', '75202', '75203', '75204']);
    const schemas = await db.query(`select from pg_namespace where nspname like 'staging%'`);
    expect(schemas).toEqual([]);
  };

  it('if it does not exist', () =>
    refuses(['/nowhere/zcta.zip'], /zcta\.zip can’t be read: there is no such file/));

  it('if it has only other columns, listing them', () => {
    const feature = { ...zipFeature('75201', square(0)), properties: { postal: '75201', x: 1 } };
    return refuses(
      [writeFile('z.geojson', collection([feature]))],
      /no ZIP code column. Expected one of ZCTA5CE20.*It has: postal, x.*--zip-column/,
    );
  });

  it('if the given column is missing, listing the others', () =>
    refuses([writeFile('z.geojson', collection(row(1)))], /Expected plz.*It has: ZCTA5CE20/, {
      zipColumn: 'plz',
    }));

  it('if the .zip file is incomplete', async () => {
    const zip = await writeZip(row(40));
    truncateSync(zip, readFileSync(zip).length - 300);
    await refuses([zip], /the .zip file is damaged or incomplete/);
  });

  it('if the shapefile is incomplete', async () => {
    const shp = await writeShapefile(row(4));
    truncateSync(shp, 300);
    await refuses([shp], /the shapefile is damaged or incomplete/);
  });

  it('if the JSON is incomplete', () =>
    refuses(
      [writeFile('z.geojson', JSON.stringify(collection(row(4))).slice(0, -40))],
      /the JSON is damaged or incomplete/,
    ));

  it('if a line is not JSON, with its number', () =>
    refuses(
      [writeFile('z.ndjson', `${JSON.stringify(row(1)[0])}\n{"type":"Feat`)],
      /ends too early, in feature 2/,
    ));

  it.each([
    ['a GeoPackage', 'zcta.gpkg', 'SQLite format 3\0', /is a GeoPackage.*shapefile.*GeoJSON/],
    ['a GeoPackage named .zip', 'zcta.zip', 'SQLite format 3\0', /is a GeoPackage/],
    ['a KML file', 'zcta.kml', '<?xml version="1.0"?>\n<kml xmlns="x"/>', /is a KML file/],
    ['a web page', 'z.geojson', '<!doctype html><title>404</title>', /is a web page/],
    ['one part of a shapefile', 'zcta.dbf', '\u0003', /one part of a shapefile.*\.shp/],
    ['a table', 'zcta.csv', 'zip,lat,lng\n', /is a \.csv file, so its format is unclear/],
    ['empty', 'zcta.geojson', '', /is empty/],
  ])('if it is %s', (_what, name, content, why) => refuses([writeFile(name, content)], why));

  it('if it is a folder without files to import', () =>
    refuses([testFolder()], /folder .* has no shapefile/));

  it('if it is a .zip file without shapes', async () => {
    const files = await mapshaper.applyCommands(
      ['-i', 'in.json', '-o', 'z.zip', 'format=csv', 'zip'],
      { 'in.json': [{ zip: '75201' }] },
    );
    await refuses([writeFile('z.zip', Buffer.from(files['z.zip'] as Buffer))], /None of the 1/);
  });

  it('if its coordinates are in meters without a .prj file', async () => {
    const shp = await writeShapefile(row(2), 'EPSG:32138');
    rmSync(shp.replace('.shp', '.prj'));
    await refuses([shp], /coordinates aren’t longitude and latitude.*\.prj/);
  });

  it.each([
    ['in Boston', (square: Position[]) => square.map(([lng, lat]) => [lng! + 25, lat! + 10])],
    ['in Los Angeles', (square: Position[]) => square.map(([lng, lat]) => [lng! - 21, lat! + 1])],
  ])('if longitude and latitude are swapped %s', (_where, move) =>
    refuses(
      [
        writeFile(
          'z.geojson',
          collection([
            zipFeature(
              '75201',
              move(square(0)).map(([lng, lat]) => [lat!, lng!]),
            ),
          ]),
        ),
      ],
      /seem to be swapped/,
    ),
  );

  it('if it lies in another country', () =>
    refuses(
      [
        writeFile(
          'z.geojson',
          collection([
            zipFeature(
              '75201',
              square(0).map(([, lat]) => [7, lat! + 18]),
            ),
          ]),
        ),
      ],
      /None of the 1/,
    ));

  it('if its GeoJSON is in meters, with an example', () =>
    refuses(
      [
        writeFile(
          'z.geojson',
          collection([
            zipFeature('75201', [
              [-10779000, 3857000],
              [-10779000, 3858000],
              [-10778000, 3858000],
              [-10779000, 3857000],
            ]),
          ]),
        ),
      ],
      /aren’t longitude and latitude \(for example -10779000, 3857000\)/,
    ));

  it('if its .prj file is invalid', async () => {
    const shp = await writeShapefile(row(2), 'EPSG:32138');
    writeFileSync(shp.replace('.shp', '.prj'), 'PROJCS["Nonsense",GEOGCS["x"]]');
    await refuses([shp], /\.prj file names an unknown projection/);
  });

  it('if its GeoJSON names another reference system', () =>
    refuses(
      [
        writeFile(
          'z.geojson',
          collection(row(2), {
            crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } },
          }),
        ),
      ],
      /is in urn:ogc:def:crs:EPSG::3857.*WGS 84/,
    ));

  it('if none of its features is usable', () =>
    refuses([writeFile('z.geojson', collection([zipFeature('1', square(0))]))], /None of the 1/));

  it('if it would remove most ZIP codes, unless that is allowed', async () => {
    const file = writeFile('z.geojson', collection(row(1)));
    await refuses([file], /have 1 ZIP code and the database has 4.*--allow-shrink/);
    expect((await importFiles([file], { allowShrink: true })).kept).toBe(1);
    await before();
  });
});

describe('a dry run', () => {
  it('returns the same report and changes nothing', async () => {
    const report = await importFiles([writeFile('z.geojson', collection(row(6)))], {
      dryRun: true,
    });
    expect(report).toMatchObject({ dryRun: true, kept: 6 });
    expect(await zips()).toHaveLength(4);
  });
});

describe('readers during an import', () => {
  it('see only old rows or only new ones', async () => {
    const seen = new Set<number>();
    let importing = true;
    const reader = (async () => {
      while (importing) seen.add((await zips()).length);
    })();
    await importFiles([writeFile('z.geojson', collection(row(9)))]);
    importing = false;
    await reader;
    expect([...seen].sort()).toEqual([4, 9]);
  });
});

// The embedded database runs one transaction at a time, so nothing can hold the import there.
describe.skipIf(!inject('testServer'))('an import that is killed', () => {
  it('changes nothing, even while it replaces the tables', async () => {
    const vintage = async () => (await readDatasets(db)).get('boundaries')!.vintage;
    const before = { zips: await zips(), vintage: await vintage() };
    const file = writeFile('z.geojson', collection(row(20)));
    const reader = new pg.Client(env.DATABASE_URL!);
    await reader.connect();
    await reader.query('begin; lock table zips in access share mode');
    const args = ['import', 'zcta', file, '--vintage', 'Never finished'];
    const child = spawn(process.execPath, [compiledModule('run/admin.ts'), ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    // Replacing a table waits for its readers.
    const waiting = () =>
      db.query<{ pid: number }>(
        `select pid from pg_locks where relation = 'zips'::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
    await expect.poll(waiting).toHaveLength(1);
    const [{ pid }] = (await waiting()) as [{ pid: number }];
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    await reader.end();
    await expect
      .poll(() => db.query('select from pg_stat_activity where pid = $1', [pid]))
      .toEqual([]);
    expect({ zips: await zips(), vintage: await vintage() }).toEqual(before);
  });
});

describe('files of other programs', () => {
  // Written by GDAL 3.6 (reprojected to EPSG:3857) and by mapshaper 0.7.70
  const fixture = (name: string) => projectFile(`fixtures/boundaries/${name}`);

  it.each(['zips-web-mercator.fgb', 'zips.parquet'])('are read: %s', async (name) => {
    const { kept } = await importFiles([fixture(name)], { allowShrink: true });
    expect(kept).toBe(3);
    expect(
      await db.query(
        `select zip, land_area_m2 as land, round(st_x(centroid)::numeric, 2) as lng from zips order by zip`,
      ),
    ).toEqual([
      { zip: '02138', land: 1e6, lng: -96.75 },
      { zip: '75201', land: 1e6, lng: -96.95 },
      { zip: '75202', land: 1e6, lng: -96.85 },
    ]);
  });

  it('are refused with a remedy', async () => {
    const refuses = (file: string, why: RegExp) => expect(importFiles([file])).rejects.toThrow(why);
    await refuses(
      fixture('zips-web-mercator.parquet'),
      /is in WGS 84 \/ Pseudo-Mercator\. Reproject/,
    );
    await refuses(writeFile('z.parquet', 'PAR1 and more'), /can’t be read: it’s damaged/);
    const geoPackage = writeFile('z.gpkg', 'SQLite format 3\0');
    await refuses(geoPackage, /is a GeoPackage.*FlatGeobuf.*ogr2ogr .* zips\.fgb FILE/);
  });
});

describe('figures of another vintage', () => {
  it('keep the ZIP codes that have no boundary, and the report says what to import', async () => {
    await db.query(
      `insert into zip_demographics (zip, population_total, source_vintage)
       values ('75201', 17491, ''), ('75072', 54446, '')`,
    );
    await recordDataset(db, 'demographics', { vintage: 'ACS 5-Year 2017-2021', synthetic: false });
    const features = row(2).map(({ properties, ...feature }) => ({
      ...feature,
      properties: { ZCTA5CE10: properties!.ZCTA5CE20 },
    }));
    const file = writeFile('z.geojson', collection(features));
    const notes = [
      expect.stringMatching(
        /^1 ZIP code has figures but no boundary: 75072 \(54,446 residents\)\. .*In launched metros: Dallas, TX 1\. .*Import the boundaries of 2020, such as cb_2020_us_zcta520_500k\.zip/,
      ),
      expect.stringMatching(/^1 ZIP code has a boundary but no figures, so no scores: 75202\. /),
      expect.stringMatching(/^19 launched metros without ZIP codes: Atlanta/),
    ];
    expect((await importFiles([file], { allowShrink: true })).notes.slice(-3)).toEqual(notes);
    expect(
      await db.query(`select county_fips, bbox, city, state from zips where zip = '75072'`),
    ).toEqual([{ county_fips: '48085', bbox: null, city: null, state: 'TX' }]);
    // Another import replaces it. Boundaries of the right year include it.
    await importFiles([
      writeFile('z.geojson', collection([...row(2), zipFeature('75072', square(3))])),
    ]);
    expect(await zips()).toEqual(['75072', '75201', '75202']);
  });
});
