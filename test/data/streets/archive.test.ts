import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { openStreetsArchive, WrongArchiveError } from '../../../src/data/streets/archive.ts';
import { mbtiles } from '../../render/tile-archives.ts';
import { archiveFolder, DOWNTOWN, LAYERS, SAMPLE, writeStreets } from './archives.ts';

const inFolder = archiveFolder();
const SAN_FRANCISCO = projectFile('../shared/geo/tiles/sf.pmtiles');

/** Writes a file. */
function fileOf(name: string, bytes: Uint8Array | string): string {
  writeFileSync(inFolder(name), bytes);
  return inFolder(name);
}

/** Places in the header: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */
const [INTERNAL_COMPRESSION, TILE_COMPRESSION, TILE_TYPE] = [97, 98, 99] as const;

function sampleWith(name: string, at: number, value: number): string {
  const bytes = readFileSync(SAMPLE);
  bytes[at] = value;
  return fileOf(name, bytes);
}

describe('an archive of streets', () => {
  it('says what maps and operators need to know', async () => {
    const archive = await openStreetsArchive(SAMPLE);
    expect(archive).toMatchObject({
      version: expect.stringMatching(/^[\w-]{10}$/),
      name: expect.stringContaining('made up'),
      schema: expect.stringMatching(/^4\./),
      attribution: 'Sample streets (made up)',
      compression: 'gzip',
      minZoom: 6,
      maxZoom: 14,
      bytes: readFileSync(SAMPLE).length,
    });
    const [west, south, east, north] = archive.bounds;
    expect([west, south, east, north].map((degrees) => Math.round(10 * degrees))).toEqual([
      -969, 327, -967, 329,
    ]);
    expect(archive.layers.map(({ id }) => id)).toEqual(expect.arrayContaining(LAYERS));
    await archive.close();
  });

  it.skipIf(!existsSync(SAN_FRANCISCO))(
    'may be an extract of OpenStreetMap (skipped without ../shared/geo/tiles)',
    async () => {
      const archive = await openStreetsArchive(SAN_FRANCISCO);
      expect(archive).toMatchObject({
        name: 'Protomaps Basemap',
        schema: expect.stringMatching(/^4\./),
        dataDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        attribution: '© OpenStreetMap contributors',
        compression: 'gzip',
      });
      const tile = await archive.readTile({ z: 14, x: 2620, y: 6332 });
      const { layers } = new VectorTile(new PbfReader(gunzipSync(tile!)));
      expect(Object.keys(layers)).toEqual(expect.arrayContaining(['earth', 'roads', 'pois']));
      await archive.close();
    },
  );

  it('returns tiles as it stores them, and null for those that it lacks', async () => {
    const archive = await openStreetsArchive(SAMPLE);
    const tile = Buffer.from((await archive.readTile(DOWNTOWN))!);
    expect(readFileSync(SAMPLE).includes(tile)).toBe(true);
    expect([...tile.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    for (const missing of [
      { z: 13, x: 0, y: 0 },
      { z: 5, x: 7, y: 12 },
      { z: 15, x: 7573, y: 13217 },
    ]) {
      expect(await archive.readTile(missing)).toBeNull();
    }
    await archive.close();
  });

  it('has another version if its name or the size of a tile differs', async () => {
    const versions = [];
    const tile = (content: string) => ({
      address: { z: 0, x: 0, y: 0 },
      bytes: Buffer.from(content) as Uint8Array,
    });
    const rest = (content: string) => ({
      address: { z: 1, x: 0, y: 0 },
      bytes: Buffer.from(content) as Uint8Array,
    });
    for (const [name, ...tiles] of [
      ['A', tile('abcd'), rest('efghij')],
      ['A', tile('abcd'), rest('efghij')],
      ['B', tile('abcd'), rest('efghij')],
      ['A', tile('efghij'), rest('abcd')],
    ] as const) {
      await writeStreets(inFolder('versions'), { name, tiles: [...tiles] });
      const archive = await openStreetsArchive(inFolder('versions'));
      versions.push(archive.version);
      await archive.close();
    }
    expect(versions[1]).toBe(versions[0]);
    expect(new Set(versions).size).toBe(3);
  });

  it.each([
    [
      '<a href="https://protomaps.com">Protomaps</a> © <a href="x">OpenStreetMap</a>',
      '© OpenStreetMap contributors',
    ],
    [undefined, '© OpenStreetMap contributors'],
    ['', '© OpenStreetMap contributors'],
    ['<b>City</b> of <i>Austin</i>', 'City of Austin'],
  ])('credits %s as “%s”', async (attribution, credits) => {
    await writeStreets(inFolder('credits'), { metadata: { attribution } });
    const archive = await openStreetsArchive(inFolder('credits'));
    expect(archive.attribution).toBe(credits);
    await archive.close();
  });

  it('may be anywhere if it doesn’t state its bounds', async () => {
    await writeStreets(inFolder('bounds'), { facts: { bounds: [0, 0, 0, 0] } });
    const archive = await openStreetsArchive(inFolder('bounds'));
    expect(archive.bounds).toEqual([-180, -85, 180, 85]);
    await archive.close();
  });

  it.each([
    [
      ['transportation', 'water', 'place'],
      '4.1.0',
      'has the schema OpenMapTiles, “Other”, with the layers',
    ],
    [
      ['streets', 'street_labels', 'ocean'],
      '4.1.0',
      'has the schema Shortbread, “Other”, with the layers',
    ],
    [
      ['road', 'water', 'landuse'],
      '4.1.0',
      'has the schema Mapbox Streets, “Other”, with the layers',
    ],
    [['segment', 'connector'], '4.1.0', 'has the schema Overture Maps, “Other”, with the layers'],
    [['zips', 'counties'], '4.1.0', 'has the schema this service’s own, “Other”, with the layers'],
    [
      ['parcels'],
      '4.1.0',
      'has another schema, “Other”, without the layers earth, water, landuse, roads, places',
    ],
    [LAYERS, '3.7.0', 'has version "3.7.0" of Protomaps’ basemap schema'],
    [LAYERS, '40.0.0', 'has version "40.0.0" of Protomaps’ basemap schema'],
    [LAYERS, undefined, 'has version null of Protomaps’ basemap schema'],
    [LAYERS, 4, 'has version 4 of Protomaps’ basemap schema'],
  ])('is refused with the layers %s in version %s', async (layers, version, message) => {
    await writeStreets(inFolder('other'), { name: 'Other', layers, metadata: { version } });
    const opening = openStreetsArchive(inFolder('other'));
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toThrow('Maps need Protomaps’ basemap schema, version 4');
    await expect(opening).rejects.toBeInstanceOf(WrongArchiveError);
  });

  it.each<[string, () => string | Promise<string>, string]>([
    [
      'raster tiles',
      () => sampleWith('raster', TILE_TYPE, 2),
      'doesn’t contain Mapbox Vector Tiles',
    ],
    [
      'MapLibre tiles',
      () => sampleWith('mlt', TILE_TYPE, 6),
      'doesn’t contain Mapbox Vector Tiles',
    ],
    [
      'brotli tiles',
      () => sampleWith('brotli', TILE_COMPRESSION, 3),
      'has tiles with a compression that',
    ],
    [
      'Zstandard tiles',
      () => sampleWith('zstd', TILE_COMPRESSION, 4),
      'has tiles with a compression that',
    ],
    [
      'PMTiles of version 2',
      () => fileOf('v2', Buffer.concat([Buffer.from('PM\u0002\0'), Buffer.alloc(512_000)])),
      'is a PMTiles archive of version 2. Maps need version 3: convert it with `pmtiles convert OLD NEW`',
    ],
    [
      'PMTiles of a later version',
      () => sampleWith('v4', 7, 4),
      'is a PMTiles archive of version 4. Maps need version 3: download one',
    ],
    ['MBTiles', async () => fileOf('mb', await mbtiles([])), 'is not a PMTiles archive'],
    ['text', () => fileOf('text', 'PMTile archives are nice'), 'is not a PMTiles archive'],
    ['nothing', () => fileOf('empty', ''), 'is not a PMTiles archive'],
  ])('is refused if it contains %s', async (_what, file, message) => {
    const opening = openStreetsArchive(await file());
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toBeInstanceOf(WrongArchiveError);
  });

  it('is refused if it is cut off or damaged', async () => {
    const whole = readFileSync(SAMPLE);
    const cut = openStreetsArchive(fileOf('cut', whole.subarray(0, -1)));
    await expect(cut).rejects.toThrow(
      `it is cut off: it has ${whole.length - 1} of ${whole.length} bytes`,
    );
    const header = openStreetsArchive(fileOf('cut', whole.subarray(0, 60)));
    await expect(header).rejects.toThrow(/^it is damaged: /);
    const compressed = openStreetsArchive(sampleWith('packed', INTERNAL_COMPRESSION, 4));
    await expect(compressed).rejects.toThrow(/^it is damaged: its compression is not supported/);
    const directory = Buffer.from(whole);
    directory.fill(0xff, 160, 168);
    await expect(openStreetsArchive(fileOf('directory', directory))).rejects.toThrow(
      /^it is damaged: /,
    );
    await expect(openStreetsArchive(inFolder('none'))).rejects.toThrow('ENOENT');
    await expect(openStreetsArchive(inFolder(''))).rejects.toThrow('EISDIR');
  });

  it('fails with a sentence, whatever is damaged', async () => {
    const whole = readFileSync(SAMPLE);
    const flip = fc.tuple(fc.nat(2_500), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 4 }), async (flips) => {
        const bytes = Buffer.from(whole);
        for (const [at, mask] of flips) bytes[at]! ^= mask;
        expect(await problemOf(fileOf('flipped', bytes))).toMatch(
          /^(none|WrongArchiveError: (is|has|doesn’t) .+|Error: it is damaged: .+|UnreadableError: it is .+)$/,
        );
      }),
      { numRuns: 200 },
    );
  });
});

/** What is wrong with a file, according to reads of it */
async function problemOf(file: string): Promise<string> {
  try {
    const archive = await openStreetsArchive(file);
    await archive.readTile(DOWNTOWN).catch(() => {});
    await archive.close();
    return 'none';
  } catch (error) {
    return String(error);
  }
}
