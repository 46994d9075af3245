import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';
import { describe, expect, it } from 'vitest';
import { SAMPLE_STREETS } from '../../../../src/base/geodata/project-files.ts';
import { writeSampleStreets } from '../../../../src/data/ingest/sample/streets/archive.ts';
import { mercatorX, mercatorY } from '../../../../src/base/spatial/mercator.ts';
import { comparesGenerated } from '../../../support/thorough.ts';

const stored = open(SAMPLE_STREETS);

describe('the sample streets', () => {
  it('are a small archive in version 4 of Protomaps’ basemap, which says that they are made up', async () => {
    const metadata = (await stored.getMetadata()) as Record<string, string>;
    expect(metadata).toMatchObject({ type: 'baselayer', version: expect.stringMatching(/^4\./) });
    expect(metadata['name']).toContain('made up');
    expect(metadata['description']).toContain('made up');
    expect(metadata['attribution']).toBe('Sample streets (made up)');
    expect((await stat(SAMPLE_STREETS)).size).toBeLessThanOrEqual(400_000);
  });

  it('have every tile inside their bounds, with land', async () => {
    const tiles = await tilesOf(stored);
    const counts = [6, 7, 8, 9, 10, 11, 12, 13, 14].map(
      (zoom) => tiles.filter(({ z }) => z === zoom).length,
    );
    expect(counts).toEqual([1, 1, 1, 1, 2, 4, 9, 36, 144]);
    const without = tiles.filter(({ bytes }) => !bytes || !layersOf(bytes)['earth']);
    expect(without).toEqual([]);
  });

  it('show more with each zoom, as Protomaps does', async () => {
    const first: Record<string, number> = {};
    for (const { z, bytes } of await tilesOf(stored)) {
      for (const [id, layer] of Object.entries(layersOf(bytes!))) {
        for (const { kind, kind_detail: detail } of propertiesOf(layer)) {
          first[[id, kind, detail].filter(Boolean).join(' ')] ??= z;
        }
      }
    }
    expect(first).toMatchObject({
      'earth earth': 6,
      'places locality city': 6,
      'roads highway motorway': 6,
      'roads major_road primary': 7,
      'water water river': 8,
      'roads major_road secondary': 9,
      'roads major_road tertiary': 11,
      'roads rail rail': 11,
      'roads minor_road residential': 12,
      'places neighbourhood neighbourhood': 12,
      'roads path footway': 13,
      'buildings building': 13,
      'pois park': 13,
    });
  });

  it('have shields of the interstates, and names of streets', async () => {
    const roads = (await tilesOf(stored))
      .filter(({ z }) => z === 14)
      .flatMap(({ bytes }) => propertiesOf(layersOf(bytes!)['roads']));
    const shields = new Set(
      roads.map(({ network, shield_text: text }) => network && `${network} ${text}`),
    );
    const some = ['US:I 30', 'US:I 35E', 'US:I 45', 'US:I 635', 'US 75', 'US 77'];
    for (const shield of some) expect(shields).toContain(shield);
    const unnamed = roads.filter(
      ({ kind_detail: detail, name }) => detail === 'residential' && !name,
    );
    expect(unnamed).toEqual([]);
  });

  it.runIf(comparesGenerated)('are stored as the code draws them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'streets-'));
    try {
      await writeSampleStreets(join(folder, 'streets.pmtiles'));
      const fresh = open(join(folder, 'streets.pmtiles'));
      // Tiles are compared unpacked, because versions of zlib pack differently.
      const isSame =
        JSON.stringify(await tilesOf(stored)) === JSON.stringify(await tilesOf(fresh)) &&
        JSON.stringify(await stored.getMetadata()) === JSON.stringify(await fresh.getMetadata());
      expect(isSame, 'Run `npm run sample`.').toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function open(file: string): PMTiles {
  const { buffer } = new Uint8Array(readFileSync(file));
  const getBytes = (offset: number, length: number) =>
    Promise.resolve({ data: buffer.slice(offset, offset + length) });
  return new PMTiles({ getKey: () => file, getBytes });
}

/** Reads all tiles that meet the archive's bounds. */
async function tilesOf(archive: PMTiles) {
  const { minLon, minLat, maxLon, maxLat, minZoom, maxZoom } = await archive.getHeader();
  const tiles: { z: number; x: number; y: number; bytes: Buffer | null }[] = [];
  for (let z = minZoom; z <= maxZoom; z++) {
    for (let x = Math.floor(mercatorX(minLon) * 2 ** z); x < mercatorX(maxLon) * 2 ** z; x++) {
      for (let y = Math.floor(mercatorY(maxLat) * 2 ** z); y < mercatorY(minLat) * 2 ** z; y++) {
        const tile = await archive.getZxy(z, x, y);
        tiles.push({ z, x, y, bytes: tile ? Buffer.from(tile.data) : null });
      }
    }
  }
  return tiles;
}

const layersOf = (bytes: Buffer) => new VectorTile(new PbfReader(bytes)).layers;

const propertiesOf = (layer: VectorTile['layers'][string] | undefined) =>
  Array.from({ length: layer?.length ?? 0 }, (_, i) => layer!.feature(i).properties);
