import { describe, expect, it } from 'vitest';
import { readDatasets } from '../../../src/base/db/datasets.ts';
import { ImportError } from '../../../src/errors.ts';
import { ensureStatesAndCounties } from '../../../src/data/ingest/atlas-install.ts';
import { hasCoast } from '../../../src/data/ingest/coast/has-coast.ts';
import { importBasemap, type BasemapOptions } from '../../../src/data/ingest/basemap.ts';
import { silent } from '../../../src/data/ingest/progress.ts';
import { importZcta } from '../../../src/data/ingest/zcta.ts';
import { testDatabase } from '../../support/database.ts';
import { collection, row, square, writeFile } from './files.ts';

const { db } = await testDatabase('empty');

const importFiles = (files: string[], options: Partial<BasemapOptions> = {}) =>
  importBasemap(db, files, { progress: silent, ...options });

const features = (layer: string) =>
  db.query(
    `select kind, name, fips, min_zoom::float, st_geometrytype(geom) as type
     from basemap_features f join basemap_shapes s on s.feature_id = f.id and s.lod = 0
     where layer = $1 order by kind, name`,
    [layer],
  );

const polygon = (properties: object, column = 0) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Polygon', coordinates: [square(column)] },
});
const line = (properties: object) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates: [square(0)[0], square(3)[2]] },
});
const point = (properties: object) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [-96.8, 32.78] },
});

describe('importing the basemap', () => {
  it('reads kinds of water and zooms from Natural Earth files', async () => {
    const report = await importFiles([
      writeFile(
        'ne_10m_lakes.geojson',
        collection([
          polygon({ featurecla: 'Lake', name: 'Lake Texoma', scalerank: 3, min_zoom: 4 }),
        ]),
      ),
      writeFile(
        'ne_10m_rivers_north_america.geojson',
        collection([line({ featurecla: 'River', name: 'Trinity', scalerank: 6, min_zoom: 6.5 })]),
      ),
      writeFile(
        'ne_10m_ocean.geojson',
        collection([polygon({ featurecla: 'Ocean', min_zoom: 0, scalerank: 0 }, 5)]),
      ),
    ]);
    expect(report).toMatchObject({
      kind: 'basemap',
      rowsRead: 3,
      kept: 3,
      vintage: 'Natural Earth 1:10m',
    });
    // Natural Earth's zooms are for 256-pixel tiles: one less here.
    expect(await features('water')).toEqual([
      { kind: 'lake', name: 'Lake Texoma', fips: null, min_zoom: 3, type: 'ST_MultiPolygon' },
      { kind: 'ocean', name: null, fips: null, min_zoom: 0, type: 'ST_MultiPolygon' },
      { kind: 'river', name: 'Trinity', fips: null, min_zoom: 5.5, type: 'ST_MultiLineString' },
    ]);
    expect((await readDatasets(db)).get('water')).toMatchObject({ vintage: 'Natural Earth 1:10m' });
  });

  it('reads a line through a lake as a river, since maps would fill its bends', async () => {
    const properties = { featurecla: 'Lake Centerline', name: 'Trinity', min_zoom: 6.5 };
    await importFiles([writeFile('ne_10m_rivers.geojson', collection([line(properties)]))]);
    expect(await features('water')).toMatchObject([{ kind: 'river', name: 'Trinity' }]);
  });

  it('distinguishes interstates from highways, and capitals from cities', async () => {
    await importFiles([
      writeFile('us_interstates.geojson', collection([line({ kind: 'interstate' })])),
      writeFile('us_highways.geojson', collection([line({ kind: 'us_highway' })])),
      writeFile(
        'ne_10m_populated_places_simple.geojson',
        collection([
          point({
            name: 'Dallas',
            featurecla: 'Populated place',
            scalerank: 2,
            pop_max: 5e6,
            min_zoom: 4,
          }),
          point({
            name: 'Austin',
            featurecla: 'Admin-1 capital',
            scalerank: 3,
            pop_max: 1e6,
            min_zoom: 5,
          }),
        ]),
      ),
    ]);
    expect((await features('roads')).map((f) => f['kind'])).toEqual(['highway', 'interstate']);
    expect(await features('places')).toMatchObject([
      { kind: 'capital', name: 'Austin', min_zoom: 4 },
      { kind: 'city', name: 'Dallas', min_zoom: 3 },
    ]);
  });

  it('reads areas and lines of one file, and reports the points among them', async () => {
    const lake = polygon({ featurecla: 'Lake', name: 'Texoma', min_zoom: 4 });
    const river = line({ featurecla: 'River', name: 'Trinity', min_zoom: 6.5 });
    const file = writeFile('water.geojson', collection([river, point({}), lake]));
    const report = await importFiles([file]);
    expect(report).toMatchObject({ rowsRead: 2, kept: 2, rejected: [] });
    expect(report.notes).toContain('water.geojson: 1 point was ignored');
    expect((await features('water')).map(({ name }) => name)).toEqual(['Texoma', 'Trinity']);
  });

  it('unites the parts of a county', async () => {
    const part = (column: number) => polygon({ GEOID: '48113', NAME: 'Dallas' }, column);
    const file = writeFile('counties.geojson', collection([part(0), part(1), part(3)]));
    const report = await importFiles([file], { dryRun: true });
    expect(report).toMatchObject({ rowsRead: 3, kept: 1, rejected: [] });
    expect(report.notes).toContain(
      'counties.geojson: 1 area came in several features, which were united: 48113',
    );
  });

  it('reads files that reach beyond the country', async () => {
    const city = (name: string, coordinates: number[]) => ({
      ...point({ name, featurecla: 'Populated place' }),
      geometry: { type: 'Point', coordinates },
    });
    const cities = [city('Paris', [2.35, 48.86]), city('Dallas', [-96.8, 32.78])];
    const file = writeFile('ne_10m_populated_places.geojson', collection(cities));
    expect(await importFiles([file], { dryRun: true })).toMatchObject({ kept: 2 });
  });

  it('replaces only the layers of the files', async () => {
    await importFiles([writeFile('lakes.geojson', collection([polygon({ name: 'A pond' })]))]);
    expect((await features('water')).map((f) => f['name'])).toEqual(['A pond']);
    expect(await features('roads')).toHaveLength(2);
  });

  it('uses the layer given with --layer', async () => {
    await importFiles([writeFile('wet.geojson', collection([polygon({ name: 'A puddle' })]))], {
      layer: 'water',
      source: 'After the rain',
    });
    expect((await features('water')).map((f) => f['name'])).toEqual(['A puddle']);
    expect((await readDatasets(db)).get('water')).toMatchObject({ vintage: 'After the rain' });
  });

  it('reassigns ZIP codes after an import of counties', async () => {
    // An import of states and counties doesn't need the included ones first.
    await ensureStatesAndCounties(db, silent, ['states', 'counties']);
    expect((await readDatasets(db)).has('states')).toBe(false);
    await ensureStatesAndCounties(db, silent);
    expect(await hasCoast(db)).toBe(false);
    // The package's rounding made nine counties touch themselves.
    expect(
      await db.query(
        `select name, lod from basemap_features join basemap_shapes on feature_id = id
         where layer in ('states', 'counties') and not st_isvalid(geom)`,
      ),
    ).toEqual([]);
    await importZcta(db, [writeFile('z.geojson', collection(row(2)))], { progress: silent });
    const counties = async () =>
      (await db.query('select county_fips as fips from zips order by zip')).map((z) => z['fips']);
    expect(await counties()).toEqual(['48113', '48113']);
    expect(await hasCoast(db)).toBe(true);
    const file = writeFile(
      'cb_2023_us_county_500k.geojson',
      collection([
        polygon({ GEOID: '48997', NAME: 'West' }, 0),
        polygon({ GEOID: '48998', NAME: 'East' }, 1),
      ]),
    );
    await importFiles([file], { coast: 'later' });
    expect(await counties()).toEqual(['48997', '48998']);
    expect((await readDatasets(db)).get('counties')).toMatchObject({
      vintage: 'US Census Bureau cartographic boundaries 2023',
    });
  });

  it('counts rejected features', async () => {
    const report = await importFiles([
      writeFile(
        'cities.geojson',
        collection([
          point({ name: 'Here' }),
          point({ name: '' }),
          { type: 'Feature', properties: { name: 'Nowhere' }, geometry: null },
        ]),
      ),
    ]);
    expect(report).toMatchObject({ rowsRead: 3, kept: 1 });
    expect(report.rejected.map((r) => r.reason)).toEqual([
      'a place needs a name',
      'the geometry is missing or empty',
    ]);
  });

  it('changes nothing in a dry run', async () => {
    const report = await importFiles(
      [writeFile('cities.geojson', collection([point({ name: 'There' })]))],
      { dryRun: true },
    );
    expect(report).toMatchObject({ dryRun: true, kept: 1 });
    expect((await features('places')).map((f) => f['name'])).toEqual(['Here']);
  });
});

describe('a basemap file is refused', () => {
  const refuses = async (files: string[], why: RegExp, options: Partial<BasemapOptions> = {}) => {
    const before = await features('water');
    const failure: unknown = await importFiles(files, options).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(ImportError);
    expect((failure as Error).message).toMatch(why);
    expect(await features('water')).toEqual(before);
  };

  it('if its layer is unclear, listing the layers', () =>
    refuses(
      [writeFile('ne_50m_urban_areas.geojson', collection([polygon({})]))],
      /doesn’t identify the layer.*--layer states\|counties\|water\|landuse\|roads\|places/,
    ));

  it('if its shapes do not belong in the layer', () =>
    refuses(
      [writeFile('lakes.geojson', collection([point({ name: 'A buoy' })]))],
      /contains nothing for the layer water: a Point doesn’t belong/,
    ));

  it.each([
    [
      'in another country',
      (lng: number, lat: number) => [lng + 100, lat],
      /lies outside the United/,
    ],
    [
      'with swapped coordinates',
      (lng: number, lat: number) => [lat, lng + 30],
      /seem to be swapped/,
    ],
  ])('if all of it lies %s', (_where, move, why) => {
    const feature = polygon({ featurecla: 'Lake', min_zoom: 4 });
    for (const ring of feature.geometry.coordinates) {
      for (const [i, [lng, lat]] of ring.entries()) ring[i] = move(lng!, lat!);
    }
    return refuses([writeFile('ne_10m_lakes.geojson', collection([feature]))], why);
  });

  it('if another file of the import is damaged', () =>
    refuses(
      [
        writeFile('lakes.geojson', collection([polygon({ name: 'Fine' })])),
        writeFile('rivers.geojson', '{"type":"FeatureColl'),
      ],
      /rivers.geojson can’t be read: the JSON is damaged/,
    ));

  it('if its counties have no codes', () =>
    refuses([writeFile('counties.geojson', collection([polygon({ NAME: 'X' })]))], /GEOID/));
});
