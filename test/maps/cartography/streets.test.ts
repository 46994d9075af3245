import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Feature, Point, Position } from 'geojson';
import { STREETS } from '../../../src/data/basemap/streets-style.ts';
import { mapData } from '../../../src/maps/cartography/map-data.ts';
import { openMapPool } from '../../../src/maps/cartography/map-pool.ts';
import { mapsWith, type MapRenderer } from '../../../src/maps/cartography/map-renderer.ts';
import { drawScoreMap, type ScoreMapRequest } from '../../../src/maps/cartography/score-map.ts';
import { openUnderlay } from '../../../src/maps/cartography/underlay.ts';
import { MAP_DATASETS } from '../../../src/maps/cartography/zip-map.ts';
import { OtherVersionError } from '../../../src/base/db/imported-data.ts';
import { drawPlan } from '../../../src/territories/plans/picture.ts';
import { render } from '../../../src/render/render.ts';
import { tileName } from '../../../src/render/vector-tiles.ts';
import { isTileSet, type Scene } from '../../../src/render/scene.ts';
import { tileBbox, type TileAddress } from '../../../src/base/spatial/tile.ts';
import { openStreets, type Streets } from '../../../src/data/streets/streets.ts';
import { pmtiles, PNG } from '../../render/tile-archives.ts';
import {
  archiveFolder,
  damageTile,
  keepLines,
  SAMPLE,
  writePartOfSample,
} from '../../data/streets/archives.ts';
import { testDatabase } from '../../support/database.ts';
import { pngOf } from '../../support/png-tiles.ts';

const { db } = await testDatabase('sample');
const inFolder = archiveFolder();
const CREDITS = 'Sample streets (made up)';

const LOOK = { style: 'light', width: 600, height: 400, pixelRatio: 1 } as const;
const DOWNTOWN: ScoreMapRequest = { ...LOOK, market: { zips: ['75201'] }, vertical: 'roofing' };
/** Where four tiles of zoom 13 meet: 1892 and 1893, 3303 and 3304 */
const CORNER = { center: [-96.8115, 32.8427] as [number, number], zoom: 13 };

let scenes: Scene[] = [];
beforeEach(() => {
  scenes = [];
});

/** Draws in this thread, and keeps the scenes. */
const mapsOver = (streets: Streets | null): MapRenderer =>
  mapsWith(
    {
      render: async (scene: Scene) => {
        scenes.push(scene);
        return Buffer.from('picture');
      },
    },
    streets,
  );

async function opened(file: string, options = {}) {
  const log = keepLines();
  const streets = await openStreets(file, log, { checkMs: 60_000, retryMs: 50, ...options });
  return { file, streets, lines: log.lines };
}

const sample = await opened(SAMPLE);
afterAll(() => sample.streets.close());

/** The streets of a part of the sample */
async function openPart(name: string, isKept?: (tile: TileAddress) => boolean) {
  await writePartOfSample(inFolder(name), name, isKept);
  const part = await opened(inFolder(name));
  onTestFinished(() => part.streets.close());
  return part;
}

const drawIn = (maps: MapRenderer, request: ScoreMapRequest) =>
  maps.data(db, MAP_DATASETS).read((data) => drawScoreMap(data, maps, request));

/** Returns the scene of a map. */
async function sceneOf(
  request: Partial<ScoreMapRequest>,
  streets = sample.streets,
): Promise<Scene> {
  await drawIn(mapsOver(streets), { ...DOWNTOWN, ...request });
  return scenes.at(-1)!;
}

const textsOf = ({ arranged }: Scene) =>
  arranged!.cards.flatMap(({ texts }) => texts.map(({ text }) => text)).join(' ');

/** The names of the tiles of streets in a scene and its panels */
function tilesOf({ sources, panels = [] }: Scene): string[] {
  const data = sources[STREETS];
  const tiles = data && isTileSet(data) ? data.tiles : [];
  return [...tiles.map(tileName), ...panels.flatMap(({ scene }) => tilesOf(scene))];
}

const positionsOf = (geometry: object): Position[] =>
  (geometry as { coordinates: unknown[] }).coordinates.flatMap((part) =>
    typeof (part as Position)[0] === 'number'
      ? [part as Position]
      : positionsOf({ coordinates: part }),
  );

const featuresOf = ({ sources }: Scene, id: string) => (sources[id] ?? []) as readonly Feature[];
const layersOf = ({ style }: Scene) => style.layers.map(({ id }) => id);

describe('a picture with streets', () => {
  it('shows them up close, instead of plain roads and water, and credits them', async () => {
    const scene = await sceneOf({});
    expect(tilesOf(scene)).not.toEqual([]);
    expect(layersOf(scene)).toContain('roads_minor');
    expect(featuresOf(scene, 'roads')).toEqual([]);
    expect(featuresOf(scene, 'water')).toEqual([]);
    expect(featuresOf(scene, 'zips')).toHaveLength(1);
    expect(textsOf(scene)).toContain(CREDITS);
    expect(scenes).toHaveLength(1);
  });

  it.each<[string, Partial<ScoreMapRequest>]>([
    ['a metro', { market: { metro: 'dallas-tx' } }],
    ['a state', { market: { state: 'TX' } }],
    ['a city beyond the archive', { market: { zips: ['85003'] } }],
    ['someone who wants a plain map', { basemap: 'plain' }],
    ['a transparent picture', { transparent: true }],
  ])('isn’t one of %s', async (_what, request) => {
    const scene = await sceneOf(request);
    expect(tilesOf(scene)).toEqual([]);
    expect(layersOf(scene)).not.toContain('roads_minor');
    expect(textsOf(scene)).not.toContain(CREDITS);
    const [plain] = [scene, await drawIn(mapsOver(null), { ...DOWNTOWN, ...request })];
    expect(scenes.at(-1)).toEqual(plain);
  });

  it('isn’t one over imagery', async () => {
    const file = inFolder('imagery');
    const bytes = await pngOf(256, 256, () => [50, 100, 50, 255]);
    writeFileSync(file, pmtiles([{ z: 0, x: 0, y: 0, bytes }], { type: PNG }));
    const underlay = await openUnderlay(file);
    const scene = await sceneOf({ underlay });
    await underlay.close();
    expect(tilesOf(scene)).toEqual([]);
    expect(textsOf(scene)).not.toContain(CREDITS);
  });

  it('credits them in every shape', async () => {
    for (const composition of ['thumbnail', 'social', 'story', 'print'] as const) {
      const scene = await sceneOf({ composition, camera: CORNER });
      expect(tilesOf(scene)).not.toEqual([]);
      expect(textsOf(scene)).toContain(CREDITS);
    }
  });

  it('shows them in panels that are close enough', async () => {
    const scene = await sceneOf({
      width: 1200,
      height: 800,
      market: { zips: ['75201', '75202', '78701', '78702', '77002', '77003'] },
    });
    const maps = scene.panels!.map((panel) => panel.scene);
    expect(maps.map((map) => tilesOf(map).length > 0)).toEqual(
      maps.map((map) =>
        (featuresOf(map, 'zips') as Feature[]).some(
          ({ properties }) => properties!['zip'] === '75201',
        ),
      ),
    );
    expect(maps.filter((map) => tilesOf(map).length > 0)).toHaveLength(1);
    expect(textsOf(scene)).toContain(CREDITS);
  });

  it('has tiles once for the same view', async () => {
    const { streets } = await openPart('once');
    await sceneOf({}, streets);
    const { read } = streets.stats;
    await sceneOf({ labels: false }, streets);
    expect(streets.stats).toMatchObject({ read, remembered: 0 });
  });
});

describe('where an archive ends in a picture', () => {
  it('the part with streets has no plain roads, names, or rivers, and the rest has', async () => {
    const { streets } = await openPart('West', ({ z, x }) => x < 947 * 2 ** (z - 12));
    const request = {
      market: { zips: ['75201'] },
      camera: { center: [-96.8, 32.79] as [number, number], zoom: 12 },
    };
    const scene = await sceneOf(request, streets);
    const shown = tilesOf(scene);
    expect(shown.length).toBeGreaterThan(1);
    const [west, south, east, north] = tileBbox({ z: 12, x: 946, y: 1652 });
    // The next tile is in the picture, too.
    const plain = await sceneOf({ ...request, basemap: 'plain' }, streets);
    const lines = (scene: Scene) =>
      [...featuresOf(scene, 'roads'), ...featuresOf(scene, 'water')]
        .filter(({ geometry }) => /Line/.test(geometry.type))
        .flatMap(({ geometry }) => positionsOf(geometry));
    const isInside = ([lng, lat]: Position) =>
      lng! > west + 1e-6 && lng! < east - 1e-6 && lat! > south + 1e-6 && lat! < north - 1e-6;
    const isEast = ([lng]: Position) => lng! > east + 1e-6;
    expect(lines(plain).filter(isInside)).not.toEqual([]);
    expect(lines(scene).filter(isInside)).toEqual([]);
    expect(lines(scene).filter(isEast)).not.toEqual([]);
    expect(lines(scene).filter(isEast)).toEqual(lines(plain).filter(isEast));
    const isWest = ({ geometry }: Feature) => (geometry as Point).coordinates[0]! < east;
    expect(featuresOf(plain, 'places').filter(isWest)).not.toEqual([]);
    expect(featuresOf(scene, 'places').filter(isWest)).toEqual([]);
    expect(textsOf(scene)).toContain('Streets of West');
  });

  it('the picture is plain if less than half has streets', async () => {
    const { streets } = await openPart('East', ({ z, x }) => x >= 947 * 2 ** (z - 12));
    const scene = await sceneOf({ camera: { ...CORNER, zoom: 12 } }, streets);
    expect(tilesOf(scene)).toEqual([]);
    expect(featuresOf(scene, 'roads')).not.toEqual([]);
    expect(textsOf(scene)).not.toContain('Streets of East');
  });
});

describe('when the archive fails', () => {
  it('only maps of a damaged tile are plain', async () => {
    const file = inFolder('damaged');
    await writePartOfSample(file, 'Damaged');
    for (const x of [1892, 1893])
      for (const y of [3303, 3304]) await damageTile(file, { z: 13, x, y });
    const { streets, lines } = await opened(file);
    onTestFinished(() => streets.close());
    expect(tilesOf(await sceneOf({ camera: CORNER }, streets))).toEqual([]);
    expect(textsOf(scenes.at(-1)!)).not.toContain('Streets of Damaged');
    expect(tilesOf(await sceneOf({ camera: { ...CORNER, zoom: 14 } }, streets))).not.toEqual([]);
    expect(streets.stats.damaged).toBe(4);
    expect(lines).toHaveLength(2);
  });

  it('between the start and the tiles of a picture, it is drawn again, plain, under that stamp', async () => {
    const { file, streets } = await openPart('lost');
    const whole = readFileSync(file);
    const maps = mapsOver(streets);
    const data = maps.data(db, MAP_DATASETS);
    const stamps: string[] = [];
    const draw = () =>
      data.read((reads) => {
        stamps.push(reads.stamp);
        if (stamps.length === 1) truncateSync(file, 100);
        return drawScoreMap(reads, maps, DOWNTOWN);
      });
    await draw();
    expect(scenes.map(tilesOf)).toEqual([[]]);
    expect(stamps.map((stamp) => stamp.split(' streets=')[1])).toEqual([
      expect.stringMatching(/^[\w-]{10}$/),
      '',
    ]);
    // Maps of the lost version can't begin, even if they need no reads.
    expect(() => data.at(stamps[0]!)).toThrow(OtherVersionError);
    expect(data.at(stamps[1]!)).not.toHaveProperty('streets');
    writeFileSync(file, whole);
    await expect.poll(() => streets.current()).not.toBeNull();
    await draw();
    expect(stamps[2]).toBe(stamps[0]);
    expect(tilesOf(scenes.at(-1)!)).not.toEqual([]);
  });

  it('while it is replaced, each picture has the streets of one version', async () => {
    const { file, streets } = await openPart('before');
    await writePartOfSample(inFolder('after'), 'after');
    const maps = mapsOver(streets);
    let attempts = 0;
    await maps.data(db, MAP_DATASETS).read((reads) => {
      if (++attempts === 1) {
        renameSync(inFolder('after'), `${file}.next`);
        writeFileSync(file, readFileSync(`${file}.next`));
      }
      return drawScoreMap(reads, maps, DOWNTOWN);
    });
    expect(attempts).toBe(2);
    expect(tilesOf(scenes.at(-1)!)).toEqual([]);
    await expect.poll(() => streets.current()?.name).toBe('after');
    expect(textsOf(await sceneOf({}, streets))).toContain('Streets of after');
  });
});

describe('stamps of maps', () => {
  it('contain the version of the streets only if the service has any', async () => {
    const without = await mapData(db, null, MAP_DATASETS).stamp();
    expect(await mapData(db, sample.streets, MAP_DATASETS).stamp()).toBe(
      `${without} streets=${sample.streets.current()!.version}`,
    );
    const { streets } = await opened(inFolder('missing'));
    onTestFinished(() => streets.close());
    const data = mapData(db, streets, MAP_DATASETS);
    expect(await data.stamp()).toBe(`${without} streets=`);
    expect(data.at(await data.stamp())).not.toHaveProperty('streets');
  });
});

describe('workers', () => {
  it('draw streets as this thread does, also in raster tiles', async () => {
    const limits = { workers: 1, queue: 8, deadlineMs: 60_000 };
    const pool = openMapPool(limits, undefined, sample.streets);
    onTestFinished(() => pool.close());
    const here = mapsWith({ render }, sample.streets);
    const [mine, theirs] = [await drawIn(here, DOWNTOWN), await drawIn(pool, DOWNTOWN)];
    const plain = await drawIn(pool, { ...DOWNTOWN, basemap: 'plain' });
    expect(theirs).toEqual(mine);
    expect(plain.picture.equals(theirs.picture)).toBe(false);
    const TILE = { style: 'light', ratio: 1, z: 13, x: 1892, y: 3304 } as const;
    const tilesIn = (maps: MapRenderer, tile = {}) =>
      maps.data(db, MAP_DATASETS).read((data) => maps.drawTiles(data, { ...TILE, ...tile }));
    const bytes = (tiles: readonly (Uint8Array | undefined)[]) =>
      Buffer.concat(tiles.map((one) => one!));
    const tiles = bytes(await tilesIn(pool));
    expect(tiles.equals(bytes(await tilesIn(here)))).toBe(true);
    expect(tiles.equals(bytes(await tilesIn(pool, { basemap: 'plain' })))).toBe(false);
  });

  it('report damaged tiles, and that the archive is lost', async () => {
    const file = inFolder('workers');
    await writePartOfSample(file, 'Workers');
    await damageTile(file, { z: 13, x: 1893, y: 3304 });
    const { streets } = await opened(file);
    const pool = openMapPool({ workers: 1, queue: 8, deadlineMs: 60_000 }, undefined, streets);
    onTestFinished(async () => {
      await pool.close();
      await streets.close();
    });
    await drawIn(pool, { ...DOWNTOWN, camera: CORNER });
    expect(streets.stats.damaged).toBeGreaterThan(0);
    truncateSync(file, 100);
    const camera = { ...CORNER, zoom: 14 };
    const map = await drawIn(pool, { ...DOWNTOWN, camera });
    expect(streets.stats.lost).toBe(1);
    const plain = await drawIn(mapsWith({ render }), { ...DOWNTOWN, camera });
    expect(map.picture.equals(plain.picture)).toBe(true);
    expect(pool.stats.lost).toBe(0);
  });
});

describe('plans with streets', () => {
  it('hide cities and neighborhoods with the name of a territory', async () => {
    const zips = ['75201', '75202', '75204'];
    const maps = mapsOver(sample.streets);
    const territories = [{ number: 1, name: 'Dallas', brand: null, zips }];
    await maps
      .data(db, MAP_DATASETS)
      .read((data) =>
        drawPlan(data, maps, { name: 'Plan', market: '3 ZIP codes', zips, territories }, LOOK),
      );
    const scene = scenes.at(-1)!;
    expect(tilesOf(scene)).not.toEqual([]);
    const filterOf = (id: string) =>
      (scene.style.layers.find((layer) => layer.id === id) as { filter?: unknown }).filter;
    expect(filterOf('places_locality')).toEqual([
      'all',
      ['==', 'kind', 'locality'],
      ['!in', 'name', 'Dallas'],
    ]);
    expect(JSON.stringify(filterOf('places_subplace'))).toContain('["!in","name","Dallas"]');
    expect(JSON.stringify(filterOf('roads_labels_major'))).not.toContain('Dallas');
    await expect(render(scene)).resolves.toBeInstanceOf(Uint8Array);
  });
});
