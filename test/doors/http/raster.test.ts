import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { render } from '../../../src/render/render.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { newClient } from '../../support/clients.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const scenes: Scene[] = [];
const app = await serveKeyed(db, {
  renderer: mapsWith({
    render: (scene: Scene) => {
      scenes.push(scene);
      return render(scene);
    },
  }),
});
const ask = (path: string, headers = {}) =>
  fetch(app.api + path, { headers: { ...newClient(), ...headers } });

async function pixelsOf(path: string) {
  const response = await ask(path);
  expect(response.status).toBe(200);
  const image = sharp(await response.arrayBuffer()).removeAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, data, etag: response.headers.get('etag')! };
}

describe('raster tiles', () => {
  it('are drawn sixteen at a time, with a margin, in both ratios', async () => {
    scenes.length = 0;
    const tiles = await Promise.all(
      ['236/412', '237/412', '239/415'].map((at) => pixelsOf(`/raster/light/10/${at}.png`)),
    );
    expect(tiles.map(({ width }) => width)).toEqual([256, 256, 256]);
    expect(scenes.map(({ width, height }) => [width, height])).toEqual([[1344, 1344]]);
    expect(new Set(tiles.map(({ etag }) => etag)).size).toBe(3);
    expect((await pixelsOf('/raster/light/10/236/412@2x.png')).width).toBe(512);
    const again = await ask('/raster/light/10/236/412.png', { 'If-None-Match': tiles[0]!.etag });
    expect(again.status).toBe(304);
    expect(scenes).toHaveLength(2);
  });

  /** A quarter of the larger picture, in the place of each tile */
  it('show the right part of the world, up to its edges', async () => {
    const [[west, south], [east, north]] = [
      [0, 0],
      [1, 1],
    ] as const;
    const world = await pixelsOf('/raster/dark/0/0/0@2x.png');
    expect(world.width).toBe(512);
    const tile = (x: number, y: number) => pixelsOf(`/raster/dark/1/${x}/${y}.png`);
    const northwest = await tile(west, south);
    const southeast = await tile(east, north);
    const colorAt = ({ width, data }: typeof world, x: number, y: number) =>
      data.subarray(3 * (width * y + x), 3 * (width * y + x + 1)).join();
    const [canada, pacific] = [colorAt(northwest, 114, 154), colorAt(northwest, 43, 211)];
    const [australia, indianOcean] = [colorAt(southeast, 190, 37), colorAt(southeast, 114, 37)];
    expect([australia, indianOcean]).toEqual([canada, pacific]);
    expect(canada).not.toBe(pacific);
    expect([colorAt(world, 114, 154), colorAt(world, 43, 211)]).toEqual([canada, pacific]);
    expect(colorAt(world, 256 + 190, 256 + 37)).toBe(australia);
    // Only the northwest has the borders of states.
    expect(new Set(northwest.data).size).toBeGreaterThan(50);
    expect(new Set(southeast.data).size).toBeLessThan(40);
  });

  it.each([
    ['/raster/neon/1/0/0.png', /^style: must be one of light, dark, muted/],
    ['/raster/light/19/0/0.png', /^z: must be a whole number from 0 to 18/],
    ['/raster/light/1/2/0.png', /^x: must be a whole number from 0 to 1 at zoom 1/],
    ['/raster/light/1/0/2@2x.png', /^y: must be a whole number from 0 to 1 at zoom 1/],
    ['/raster/light/1/0/0@3x.png', /^row: must be a whole number, with @2x after it/],
  ])('say what works instead of %s', async (path, message) => {
    const response = await ask(path);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(message) });
  });

  it('are described by TileJSON, whose addresses work', async () => {
    const response = await ask('/raster/muted.json');
    const { tiles, ...tileJson } = (await response.json()) as { tiles: string[] };
    expect(tileJson).toMatchObject({ tilejson: '3.0.0', tileSize: 256, minzoom: 0, maxzoom: 18 });
    const [url] = tiles.map((template) => template.replace('{z}/{x}/{y}', '5/7/12'));
    const tile = await fetch(url!, { headers: newClient() });
    expect(tile.status).toBe(200);
    expect(tile.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });
});
