/** The tilesets that styles draw. */
import { contextTiles } from '../../basemap/context-tiles.ts';
import type { StyleTileset } from '../../basemap/served-style.ts';
import type { Tileset } from '../../basemap/tiles.ts';
import { scoreTiles } from '../../cartography/tiles/score-tiles.ts';
import type { Database } from '../../db/database.ts';
import { importedData } from '../../db/imported-data.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';

export const TILESETS: readonly Tileset[] = [contextTiles, scoreTiles];

/** The data that a style shows. Its stamp contains the stamps of the tilesets. */
export const styleData = (db: Database) =>
  importedData(db, ...TILESETS.map(({ datasets }) => datasets));

/** Returns the stamp of each tileset in a style's stamp. */
export const tilesStampsIn = (stamp: string): string[] => stamp.split(' ');

/** @param stamp stamp of the tileset's data @param apiRoot URL of the API, without a trailing slash */
export const styleTileset = async (
  { name, layers }: Tileset,
  caches: AnswerCaches,
  apiRoot: string,
  stamp: string,
): Promise<StyleTileset> => ({
  ...{ name, layers },
  url: `${apiRoot}/tiles/${name}.json?v=${await caches.versionOf(stamp)}`,
});
