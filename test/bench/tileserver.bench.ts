/**
 * Compares pictures of a style with tileserver-gl's raster rendering: the same tiles, style, fonts, and
 * views, 800 x 600 as PNG. Install tileserver-gl elsewhere and name its command, with Xvfb where it needs
 * one: TILESERVER_GL='xvfb-run -a tileserver-gl' npm run bench -- tileserver
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { glyphRange } from '../../src/data/basemap/glyphs.ts';
import { servedStyle } from '../../src/data/basemap/served-style.ts';
import { loadSprite } from '../../src/data/basemap/sprite.ts';
import { loadStyle } from '../../src/data/basemap/styles.ts';
import { TILESETS } from '../../src/doors/http/basemap/tilesets.ts';
import { SHIPPED_FACES } from '../../src/render/canvas/fonts.ts';
import { createRenderer } from '../../src/render/create-renderer.ts';
import { View3 } from '../../src/base/spatial/view.ts';
import { tileName, tilesInView, wrapTile } from '../../src/render/vector-tiles.ts';
import { mbtiles, type ArchivedTile } from '../render/tile-archives.ts';
import { testDatabase, testFolder } from '../support/database.ts';
import { freePort } from '../support/servers/free-port.ts';

const COMMAND = process.env['TILESERVER_GL'];
const SIZE = { width: 800, height: 600 };
/** Around Dallas, from the metro to a few ZIP codes */
const VIEWS = [8.2, 9.1, 10.3, 11.4].flatMap((zoom) =>
  [-97.1, -96.8, -96.6].map((lng) => ({ center: [lng, 32.85] as [number, number], zoom })),
);
const ROUNDS = 4;

const { db } = await testDatabase('sample');
const folder = testFolder();
const put = (name: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};

/** Writes the style, its fonts and sprite, and an archive of each tileset. */
async function writeFiles(): Promise<Record<string, string>> {
  const archives: Record<string, string> = {};
  for (const { name, tile, minZoom, maxZoom, layers } of TILESETS) {
    const needed = VIEWS.flatMap((view) => {
      const viewport = new View3({ ...view, bearing: 0, pitch: 0, roll: 0 }, ...sides());
      return tilesInView(viewport, { minzoom: minZoom, maxzoom: maxZoom }).map(wrapTile);
    });
    const tiles: ArchivedTile[] = [];
    for (const address of new Map(needed.map((each) => [tileName(each), each])).values()) {
      tiles.push({ ...address, bytes: await tile(db, address) });
    }
    const facts = { vector_layers: layers.map(({ id, fields }) => ({ id, fields })) };
    const metadata = { name, format: 'pbf', json: JSON.stringify(facts) };
    put(`${name}.mbtiles`, await mbtiles(tiles, metadata));
    archives[name] = join(folder, `${name}.mbtiles`);
  }
  for (const face of SHIPPED_FACES) {
    for (const first of [0, 256, 8192]) {
      put(`fonts/${face}/${first}-${first + 255}.pbf`, await glyphRange([face], first));
    }
  }
  const { index, sheet } = await loadSprite('light', 1);
  put('sprites/light.json', JSON.stringify(index));
  put('sprites/light.png', sheet);
  return archives;
}

const sides = () => [SIZE.width, SIZE.height] as const;

/** The light style, with the addresses that each of both expects */
function styleWith(glyphs: string, sprite: string, url: (tileset: string) => string) {
  const served = servedStyle(loadStyle('light'), {
    tilesets: TILESETS.map((tileset) => ({ ...tileset, url: url(tileset.name) })),
    assetsVersion: '',
    apiRoot: '',
    scoreProperty: 'roofing',
    coloredCounties: [],
  });
  return { ...served, glyphs, sprite };
}

it('pictures compared with tileserver-gl', async () => {
  const tiles = await writeFiles();
  const renderer = await createRenderer({
    style: styleWith('fonts/{fontstack}/{range}.pbf', 'sprites/light', (name) => `${name}.json`),
    assets: folder,
    tiles,
    workers: 1,
  });
  const other = COMMAND === undefined ? null : await startTileserver(COMMAND);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const view of VIEWS) {
      const before = process.cpuUsage();
      const picture = await renderer.render({ ...view, ...SIZE });
      const { user, system } = process.cpuUsage(before);
      expect((await sharp(picture).stats()).entropy).toBeGreaterThan(0.5);
      const cpuMs = other === null ? 0 : await other.draw(view);
      // The first round warms up.
      if (round === 0) continue;
      ours.push((user + system) / 1000);
      theirs.push(cpuMs);
    }
  }
  await renderer.close();
  await other?.stop();
  const [us, them] = [mean(ours), mean(theirs)];
  const comparison =
    other === null
      ? 'tileserver-gl not measured: set TILESERVER_GL to its command'
      : `tileserver-gl ${them.toFixed(1)} ms: ${(them / us).toFixed(2)} times`;
  process.stdout.write(
    `CPU of a picture of ${SIZE.width} x ${SIZE.height}: ${us.toFixed(1)} ms, ${comparison}\n`,
  );
});

const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Starts the server on the same files. `draw` returns the CPU time of its processes in ms. */
async function startTileserver(command: string) {
  const style = styleWith('{fontstack}/{range}.pbf', 'light', (name) => `mbtiles://${name}`);
  put('styles/light.json', JSON.stringify(style));
  const data = TILESETS.map(({ name }) => [name, { mbtiles: `${name}.mbtiles` }]);
  const paths = {
    root: folder,
    fonts: 'fonts',
    sprites: 'sprites',
    styles: 'styles',
    mbtiles: '.',
  };
  const config = {
    options: { paths, maxScaleFactor: 1, minRendererPoolSizes: [1], maxRendererPoolSizes: [1] },
    styles: { light: { style: 'light.json' } },
    data: Object.fromEntries(data),
  };
  put('config.json', JSON.stringify(config));
  const port = await freePort();
  const [program, ...args] = command.split(' ');
  const server = spawn(
    program!,
    [...args, '--config', join(folder, 'config.json'), '--port', `${port}`],
    { detached: true, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = new Promise<never>((_, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`${command} ended with code ${code}`)));
  });
  ended.catch(() => {});
  const root = `http://127.0.0.1:${port}`;
  const answers = async () => {
    for (;;) {
      const answer = await fetch(`${root}/health`).catch(() => null);
      if (answer?.ok) return;
      await delay(200);
    }
  };
  await Promise.race([answers(), ended]);
  return {
    async draw({ center: [lng, lat], zoom }: (typeof VIEWS)[number]): Promise<number> {
      const before = cpuMsOfGroup(server.pid!);
      const path = `styles/light/static/${lng},${lat},${zoom}/${SIZE.width}x${SIZE.height}.png`;
      const answer = await Promise.race([fetch(`${root}/${path}`), ended]);
      const picture = Buffer.from(await answer.arrayBuffer());
      expect({ status: answer.status, ...(await sharp(picture).metadata()) }).toMatchObject({
        status: 200,
        ...SIZE,
      });
      return cpuMsOfGroup(server.pid!) - before;
    },
    async stop() {
      process.kill(-server.pid!);
      await ended.catch(() => {});
    },
  };
}

/** CPU time of a process group in ms, from Linux's /proc, in steps of 10 ms */
function cpuMsOfGroup(group: number): number {
  const TICKS_PER_SECOND = 100;
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // After the name: state, parent, group; user and system time are fields 14 and 15.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[2]) === group) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has already ended.
    }
  }
  return (1000 * ticks) / TICKS_PER_SECOND;
}
