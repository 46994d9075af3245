/** The tilesets that styles draw. */
import { contextTiles } from '../../basemap/context-tiles.ts';
import type { Tileset } from '../../basemap/tiles.ts';
import { scoreTiles } from '../../cartography/score-tiles.ts';
import { datasetsStamp, datasetsStamps } from '../../db/datasets.ts';
import type { Queryable } from '../../db/database.ts';

export const TILESETS: readonly Tileset[] = [contextTiles, scoreTiles];

/** Changes with every import of data in the tiles. */
export const tilesStamp = (db: Queryable, { datasets }: Tileset) => datasetsStamp(db, datasets);

/** Changes with every import of data that a style shows: the stamps of its tilesets. */
export async function styleStamp(db: Queryable): Promise<string> {
  const stamps = await datasetsStamps(
    db,
    TILESETS.map(({ datasets }) => datasets),
  );
  return stamps.join(' ');
}

/** Returns the stamp of each tileset in a style's stamp. */
export const tilesStampsIn = (stamp: string): string[] => stamp.split(' ');
