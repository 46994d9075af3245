import { afterAll, describe, expect, it, vi } from 'vitest';
import { openMapPool } from '../../../src/maps/cartography/map-pool.ts';
import { mapsWith, type MapRenderer } from '../../../src/maps/cartography/map-renderer.ts';
import { drawScoreMap } from '../../../src/maps/cartography/score-map.ts';
import { importedData, OtherVersionError } from '../../../src/base/db/imported-data.ts';
import { MAP_DATASETS } from '../../../src/maps/cartography/zip-map.ts';
import { ServiceError, unavailable } from '../../../src/errors.ts';
import { render } from '../../../src/render/render.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const source = importedData(db, MAP_DATASETS);
const LIMITS = { workers: 1, queue: 8, deadlineMs: 60_000 };
const REQUEST = {
  style: 'light',
  width: 900,
  height: 600,
  pixelRatio: 1,
  market: { metro: 'dallas-tx' },
  vertical: 'roofing',
} as const;
const TILE = { style: 'light', ratio: 1, z: 8, x: 56, y: 100 } as const;

const drawIn = (maps: MapRenderer) => source.read((data) => drawScoreMap(data, maps, REQUEST));
const tilesIn = (maps: MapRenderer) => source.read((data) => maps.drawTiles(data, TILE));

const draw = vi.fn<typeof render>(render);
const pools = { canvas: openMapPool(LIMITS), other: openMapPool(LIMITS, { render: draw }) };
const here = mapsWith({ render });
afterAll(() => Promise.all([pools.canvas.close(), pools.other.close()]));

describe.each(['canvas', 'other'] as const)('workers that draw with the engine: %s', (name) => {
  const pool = pools[name];

  it('give the same maps and tiles as this thread', async () => {
    draw.mockClear();
    expect(await drawIn(pool)).toEqual(await drawIn(here));
    const tiles = await tilesIn(here);
    const theirs = await tilesIn(pool);
    expect(theirs).toHaveLength(16);
    expect(theirs.every((tile, i) => tiles[i] && Buffer.compare(tile!, tiles[i]) === 0)).toBe(true);
    expect(draw).toHaveBeenCalledTimes(name === 'other' ? 2 : 0);
  });

  it('pass on the failures of reads, of requests, and of an import meanwhile, and remain', async () => {
    const failing = (failure: Error) => ({
      async query(): Promise<never> {
        throw failure;
      },
    });
    const map = {
      ...REQUEST,
      zips: ['75201'],
      coloring: { by: 'plain' },
      heading: { title: 'A', subtitle: null },
    } as const;
    const gone = unavailable('The database can’t be reached right now. Try again in a moment.');
    await expect(pool.drawMap(failing(gone), map)).rejects.toEqual(gone);
    await expect(pool.drawMap(failing(new OtherVersionError()), map)).rejects.toBeInstanceOf(
      OtherVersionError,
    );
    const none = pool.drawMap(db, { ...map, zips: ['75221'] });
    await expect(none).rejects.toThrow('None of these ZIP codes has a boundary');
    await expect(none).rejects.toBeInstanceOf(ServiceError);
    expect(pool.stats).toMatchObject({ failed: 3, lost: 0 });
  });
});

it('an engine that is busy costs a picture, not a worker', async () => {
  draw.mockRejectedValueOnce(unavailable('Too many pictures are being drawn.'));
  await expect(drawIn(pools.other)).rejects.toMatchObject({ status: 503 });
  expect(pools.other.stats.lost).toBe(0);
});
