import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inArchiveOrder, writePmtiles } from '../../../src/data/basemap/write-pmtiles.ts';
import { openArchive } from '../../../src/render/document/open-archive.ts';
import type { TileAddress } from '../../../src/base/spatial/tile.ts';

const folder = mkdtempSync(join(tmpdir(), 'territory-test-pmtiles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FACTS = {
  bounds: [-125, 24, -66, 50] as [number, number, number, number],
  minZoom: 0,
  maxZoom: 8,
  metadata: { attribution: 'Census Bureau', vector_layers: [] },
};
/** All tiles of a zoom */
const zoom = (z: number): TileAddress[] =>
  Array.from({ length: 4 ** z }, (_, i) => ({ z, x: i % 2 ** z, y: Math.floor(i / 2 ** z) }));

/** Every eighth column is ocean: the same bytes in all of its tiles. */
const contentOf = ({ z, x, y }: TileAddress) => (x % 8 === 0 ? 'ocean' : `${z}/${x}/${y}`);

async function* generateTiles(tiles: readonly TileAddress[]) {
  for (const address of tiles) yield { address, bytes: Buffer.from(contentOf(address)) };
}

describe('a PMTiles archive', () => {
  it('contains every tile, in leaf directories if there are many, and equal ones once', async () => {
    const file = join(folder, 'world.pmtiles');
    const tiles = inArchiveOrder([0, 1, 5, 8].flatMap(zoom));
    const written = await writePmtiles(file, generateTiles(tiles), FACTS);
    expect(written).toMatchObject({
      tiles: tiles.length,
      contents: new Set(tiles.map(contentOf)).size,
    });
    const archive = await openArchive(file);
    expect(archive).toMatchObject({ format: 'mvt', minzoom: 0, maxzoom: 8, bounds: FACTS.bounds });
    expect(await archive.readAttribution()).toBe('Census Bureau');
    for (const address of tiles.filter((_, i) => i % 97 === 0).concat(tiles.slice(-3))) {
      const bytes = await archive.readTile(address);
      expect(Buffer.from(bytes!).toString()).toBe(contentOf(address));
    }
    expect(await archive.readTile({ z: 6, x: 0, y: 0 })).toBeNull();
    await archive.close();
  });

  it('isn’t written if a tile fails', async () => {
    async function* failing() {
      yield* generateTiles([{ z: 0, x: 0, y: 0 }]);
      throw new Error('the database stopped');
    }
    const file = join(folder, 'failed.pmtiles');
    await expect(writePmtiles(file, failing(), FACTS)).rejects.toThrow('the database stopped');
    expect(readdirSync(folder)).toEqual(['world.pmtiles']);
  });
});
