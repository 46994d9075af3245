import { afterAll, expect, it } from 'vitest';
import pino from 'pino';
import { openMapPool, type MapPool } from '../../../src/maps/cartography/map-pool.ts';
import type { Layouts } from '../../../src/maps/cartography/map-data.ts';
import { drawScoreMap } from '../../../src/maps/cartography/score-map.ts';
import { MAP_DATASETS } from '../../../src/maps/cartography/zip-map.ts';
import { LOOKS, startLayoutsAhead } from '../../../src/maps/layouts/ahead.ts';
import { MAX_LAYOUTS, OLD_LAYOUTS, storedLayouts } from '../../../src/maps/layouts/store.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const metro = 'seattle-wa';
const LOOK = { style: 'light', width: 1000, height: 700, pixelRatio: 1 } as const;

const pools = new Set<MapPool>();
afterAll(() => Promise.all(Array.from(pools, (pool) => pool.close())));

/** What a process that has just started has: a pool of one thread. Tells what it drew and kept. */
function newProcess() {
  const stored = storedLayouts(db);
  const kept: string[] = [];
  const drawn = { count: 0 };
  const layouts: Layouts = {
    read: stored.read,
    async keep(name, content) {
      await stored.keep(name, content);
      kept.push(name);
    },
  };
  const open = () => {
    const pool = openMapPool({ workers: 1, queue: 1, deadlineMs: 600_000 }, null, null, layouts);
    pools.add(pool);
    const drawMap: MapPool['drawMap'] = (...call) => (drawn.count++, pool.drawMap(...call));
    return { ...pool, drawMap };
  };
  return { kept, drawn, layouts, open };
}

type Look = Omit<typeof LOOK, 'style'> | (typeof LOOKS)[number];
const drawIn = (pool: MapPool, look: Look, style: 'light' | 'dark' = 'light') =>
  pool
    .data(db, MAP_DATASETS)
    .read((at) =>
      drawScoreMap(at, pool, { ...look, style, market: { metro }, vertical: 'roofing' }),
    );

it('a process draws the same picture with the layout that another one found, and finds none', async () => {
  const first = newProcess();
  const drawn = await drawIn(first.open(), LOOK);
  await expect.poll(() => first.kept).toHaveLength(1);
  const second = newProcess();
  expect((await drawIn(second.open(), LOOK)).picture.equals(drawn.picture)).toBe(true);
  expect(second.kept).toEqual([]);
});

it('the looks of pages, embeds, and compositions are laid out ahead, once, by one of two processes', async () => {
  const processes = [newProcess(), newProcess()];
  const log = pino({ enabled: false });
  const loops = processes.map(({ layouts, open }) =>
    startLayoutsAhead({ db, log, layouts, renderer: open() }, { firstMs: 0, metros: [metro] }),
  );
  const kept = () => processes.flatMap(({ kept }) => kept);
  await expect.poll(() => kept().some((name) => name.startsWith('ahead '))).toBe(true);
  await Promise.all(loops.map((loop) => loop.close()));
  expect(processes[0]!.drawn.count + processes[1]!.drawn.count).toBe(LOOKS.length);

  const later = newProcess();
  const pool = later.open();
  for (const look of LOOKS.slice(0, 3)) await drawIn(pool, look);
  await drawIn(pool, LOOKS[0]!, 'dark');
  expect(later.kept).toEqual([]);
  // The next start finds nothing to do.
  const { count } = later.drawn;
  const idle = startLayoutsAhead(
    { db, log, layouts: later.layouts, renderer: pool },
    { firstMs: 0, metros: [metro] },
  );
  await idle.close(60_000);
  expect(later.drawn.count).toBe(count);
});

it('only the latest layouts are kept', async () => {
  await db.query('delete from map_layouts');
  await db.query(
    `insert into map_layouts select n, '', now() - n * interval '1 second' from generate_series(1, $1) n`,
    [MAX_LAYOUTS + 150],
  );
  const deleteSome = () => OLD_LAYOUTS.deleteSome(db, OLD_LAYOUTS.batch);
  expect([await deleteSome(), await deleteSome(), await deleteSome()]).toMatchObject([
    { deleted: 100 },
    { deleted: 50 },
    { deleted: 0 },
  ]);
  const [left] = await db.query<{ oldest: number }>(
    'select max(name::int) as oldest from map_layouts',
  );
  expect(left).toEqual({ oldest: MAX_LAYOUTS });
});
