/** Keeps the layouts of maps in the database, for all processes and later starts. */
import { expiring } from '../../base/db/expiring-rows.ts';
import type { Queryable } from '../../base/db/queryable.ts';
import { programVersion } from '../../base/observe/program-version.ts';
import type { Layouts } from '../cartography/map-data.ts';
import { nameOf } from '../cartography/map-layout.ts';

/** About 100 MB. Anyone may ask for pictures of the launched metros in any size. */
export const MAX_LAYOUTS = 5_000;

/** Layouts of earlier data and programs expire, too. Those in use are found again once a month. */
export const OLD_LAYOUTS = expiring({
  table: 'map_layouts',
  column: 'kept_at',
  before: `greatest(now() - interval '30 days',
    (select kept_at from map_layouts order by kept_at desc offset ${MAX_LAYOUTS - 1} limit 1))`,
  batch: 100,
});

/** Other programs may find other layouts. */
const ownName = async (name: string) => nameOf([await programVersion(), name]);

/** A map without its layout is only slower, so errors of the database are left to the queries that must succeed. */
export const storedLayouts = (db: Queryable): Layouts => ({
  async read(name) {
    const rows = await db
      .query<{ content: Uint8Array }>('select content from map_layouts where name = $1', [
        await ownName(name),
      ])
      .catch(() => []);
    return rows[0]?.content ?? null;
  },
  async keep(name, content) {
    // Of two threads that found the same layout, the one that found more wins.
    await db
      .query(
        `insert into map_layouts (name, content) values ($1, $2)
         on conflict (name) do update set content = excluded.content
         where length(map_layouts.content) < length(excluded.content)`,
        [await ownName(name), content],
      )
      .catch(() => {});
  },
});
