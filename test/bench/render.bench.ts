/**
 * Draws warm pictures of a metro: all ZIP codes of Dallas over the full basemap, in two sizes, as PNG,
 * with new values and a new camera each time. Compares with maplibre-gl in headless Chromium, which
 * keeps its map and basemap and gets the new values and camera.
 */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import { glyphRange } from '../../src/data/basemap/glyphs.ts';
import { loadSprite } from '../../src/data/basemap/sprite.ts';
import { drawScoreMap } from '../../src/maps/cartography/score-map.ts';
import { openSharedAnswers } from '../../src/doors/http/answers/shared-answers.ts';
import { packScene } from '../../src/render/packed-scene.ts';
import { render } from '../../src/render/render.ts';
import { withSceneAddresses } from '../../src/render/native/resources.ts';
import { cameraOf, type Scene } from '../../src/render/scene.ts';
import { VERTICALS } from '../../src/data/scoring/verticals.ts';
import { testDatabase } from '../support/database.ts';
import { testLog } from '../support/log.ts';
import { hasChromium, openMapPage } from '../support/maplibre.ts';
import { hasRedis, testRedis } from '../support/servers/redis.ts';
import { median } from './quantile.ts';

const PICTURES = 60;
const CHROMIUM_PICTURES = 12;

const { db } = await testDatabase('sample');
const report = (line: string) => process.stdout.write(`${line}\n`);

interface Size {
  width: number;
  height: number;
}
const SMALL: Size = { width: 600, height: 400 };
const LARGE: Size = { width: 1200, height: 800 };

let scenes: Scene[];
let smallScenes: Scene[];
beforeAll(async () => {
  const ofSize = (size: Size) =>
    Promise.all(VERTICALS.map(({ slug }, i) => sceneOf(slug, i, size)));
  [scenes, smallScenes] = [await ofSize(LARGE), await ofSize(SMALL)];
});

/** The scene of a score map, with the camera moved a little. */
async function sceneOf(vertical: string, moves: number, size: Size): Promise<Scene> {
  const drawn: Scene[] = [];
  const recorder = mapsWith({
    render: async (scene: Scene) => (drawn.push(scene), Buffer.alloc(0)),
  });
  await drawScoreMap(db, recorder, {
    market: { metro: 'dallas-tx' },
    vertical,
    style: 'light',
    ...size,
    pixelRatio: 1,
    insets: false,
  });
  const [scene] = drawn as [Scene];
  const { center, zoom } = cameraOf(scene);
  const [lng, lat] = center;
  return { ...scene, view: { center: [lng + 0.003 * moves, lat], zoom: zoom - 0.01 * moves } };
}

interface Measured {
  rssMb: number;
}

/** Runs a task in a new process. */
async function measurePictures<T>(
  task: string,
  options: { pictures: number; workers?: number; drawn?: Scene[] },
): Promise<T & Measured> {
  const { drawn = scenes, ...rest } = options;
  const child = fork(fileURLToPath(new URL('render-pool.mjs', import.meta.url)), [], {
    execArgv: [],
    serialization: 'advanced',
  });
  child.send({ task, packed: drawn.map(packScene), ...rest });
  const [answer] = (await once(child, 'message')) as [T & Measured];
  return answer;
}

const sizeOf = ([{ width, height }]: readonly Scene[]) => `${width} x ${height}`;

it('what a picture costs', async () => {
  for (const drawn of [smallScenes, scenes]) {
    const { times } = await measurePictures<{ times: Record<string, number[]> }>('parts', {
      pictures: PICTURES,
      drawn,
    });
    const parts = Object.entries(times).map(([part, ms]) => `${part} ${median(ms).toFixed(1)} ms`);
    report(`one picture of ${sizeOf(drawn)}: ${parts.join(', ')}`);
    expect(Object.keys(times)).toHaveLength(3);
  }
});

it('two workers compared with one', async () => {
  const rates: Record<number, number[]> = { 1: [], 2: [] };
  const memory: number[] = [];
  for (const workers of [1, 2, 2, 1, 1, 2]) {
    const options = { pictures: PICTURES, workers };
    const { perSecond, rssMb } = await measurePictures<{ perSecond: number }>(
      'throughput',
      options,
    );
    rates[workers]!.push(perSecond);
    if (workers === 2) memory.push(rssMb);
  }
  const [one, two] = [median(rates[1]!), median(rates[2]!)];
  report(
    `pictures per second: one worker ${one.toFixed(1)}, two ${two.toFixed(1)}: ` +
      `${(two / one).toFixed(2)} times; memory of two ${median(memory).toFixed()} MB`,
  );
  expect(two).toBeGreaterThan(0);
});

it.skipIf(!hasRedis)('a picture from Redis compared with drawing it', async () => {
  const redis = await testRedis();
  await redis.start();
  const options = { timeoutMs: 5_000, namespace: async () => 'bench' };
  const shared = await openSharedAnswers(redis.url, options, testLog());
  const pictures = await Promise.all(scenes.map((scene) => render(scene)));
  const keyOf = (i: number) => ['pictures', 'stamp', String(i)];
  for (const [i, picture] of pictures.entries()) await shared.find(keyOf(i), async () => picture);
  const costs: Record<'drawn' | 'shared', number[]> = { drawn: [], shared: [] };
  for (let round = 0; round < PICTURES; round++) {
    const i = round % scenes.length;
    costs.drawn.push(await cpuMs(() => render(scenes[i]!)));
    costs.shared.push(await cpuMs(() => shared.find(keyOf(i), () => Promise.reject(new Error()))));
  }
  await shared.close();
  await redis.stop();
  const [drawn, found] = [median(costs.drawn), median(costs.shared)];
  report(
    `CPU of a picture: drawn ${drawn.toFixed(1)} ms, from Redis ${found.toFixed(2)} ms: ` +
      `${(drawn / found).toFixed(0)} times`,
  );
  expect(drawn).toBeGreaterThan(found);
});

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

it.skipIf(!hasChromium)('one worker compared with maplibre-gl in Chromium', async () => {
  for (const drawn of [smallScenes, scenes]) {
    const chromium = await openChromium(drawn[0]!);
    await chromium.draw(drawn[0]!);
    const times: { ours: number[]; chromium: number[] } = { ours: [], chromium: [] };
    // In turns, so that noise on the machine affects both.
    for (let i = 0; i < CHROMIUM_PICTURES; i += 4) {
      for (let k = i; k < i + 4; k++) {
        times.chromium.push(await chromium.draw(drawn[k % drawn.length]!));
      }
      const options = { pictures: PICTURES / 2, drawn };
      const ours = await measurePictures<{ times: number[] }>('latency', options);
      times.ours.push(...ours.times);
    }
    await chromium.close();
    const [ours, theirs] = [median(times.ours), median(times.chromium)];
    report(
      `one warm picture of ${sizeOf(drawn)}: ${ours.toFixed(1)} ms, maplibre-gl in Chromium ` +
        `${theirs.toFixed()} ms: ${(theirs / ours).toFixed(1)} times`,
    );
    expect(ours).toBeGreaterThan(0);
  }
});

/** Opens a page that keeps its map. `draw` returns milliseconds from the new data to the PNG. */
async function openChromium(first: Scene) {
  const files = await filesOf(first.style);
  const { page, close } = await openMapPage((path) => files.get(path) ?? null);
  const style: StyleSpecification = {
    ...withSceneAddresses(first),
    glyphs: 'local://{fontstack}/{range}',
    sprite: 'local://sprite',
  };
  await page.evaluate(
    async ({ json, width, height }) => {
      // These functions run in the page, with the page's globals.
      const window = globalThis as any;
      const container = window.document.getElementById('map');
      container.style.cssText = `width: ${width}px; height: ${height}px`;
      window.map = new window.maplibregl.Map({
        container,
        style: JSON.parse(json),
        interactive: false,
        attributionControl: false,
        fadeDuration: 0,
        canvasContextAttributes: { preserveDrawingBuffer: true, antialias: false },
        transformRequest: (url: string) => ({
          url: url.replace(/^local:\/\//, `${window.location.origin}/local/`),
        }),
      });
      await window.map.once('idle');
    },
    { json: JSON.stringify(style), width: first.width, height: first.height },
  );
  const draw = (scene: Scene): Promise<number> =>
    page.evaluate(
      async ({ values, camera }) => {
        const { map } = globalThis as any;
        const features = JSON.parse(values);
        const startedAt = performance.now();
        for (const [id, data] of Object.entries(features)) map.getSource(id).setData(data);
        map.jumpTo(camera);
        await map.once('idle');
        await new Promise((resolve) => map.getCanvas().toBlob(resolve, 'image/png'));
        return performance.now() - startedAt;
      },
      { values: JSON.stringify(zipData(scene)), camera: cameraOf(scene) },
    );
  return { draw, close };
}

/** The sources that hold the values. */
function zipData({ sources }: Scene) {
  return Object.fromEntries(
    Object.entries(sources)
      .filter(([id]) => id.startsWith('zip'))
      .map(([id, features]) => [id, { type: 'FeatureCollection', features }]),
  );
}

/** Glyphs of Latin letters and punctuation, in the style's fonts, and the sprite. */
async function filesOf({ layers }: StyleSpecification): Promise<Map<string, Buffer>> {
  const stacks = layers.flatMap(({ layout }) => {
    const font = (layout as Record<string, unknown> | undefined)?.['text-font'];
    return Array.isArray(font) && font.every((face) => typeof face === 'string') ? [font] : [];
  });
  const { index, sheet } = await loadSprite('light', 1);
  const files = new Map([
    ['sprite.json', Buffer.from(JSON.stringify(index))],
    ['sprite.png', sheet],
  ]);
  for (const stack of stacks as string[][]) {
    for (const first of [0, 256, 8192]) {
      const bytes = Buffer.from(await glyphRange(stack, first));
      files.set(`${stack.join(',')}/${first}-${first + 255}`, bytes);
    }
  }
  return files;
}
