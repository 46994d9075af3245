/** The tilesets that styles draw. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { STREETS, withStreetsIn } from '../../../data/basemap/streets-style.ts';
import { loadStyle, type StyleName } from '../../../data/basemap/styles.ts';
import type { MapData } from '../../../maps/cartography/map-data.ts';
import type { BasemapName } from '../../../maps/cartography/picture-options.ts';
import type { DataAt } from '../../../base/db/imported-data.ts';
import { contextTiles } from '../../../data/basemap/context-tiles.ts';
import type { StyleTileset } from '../../../data/basemap/served-style.ts';
import type { Tileset } from '../../../data/basemap/tiles.ts';
import { scoreTiles } from '../../../maps/cartography/tiles/score-tiles.ts';
import type { Database } from '../../../base/db/database.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';

export const TILESETS: readonly Tileset[] = [contextTiles, scoreTiles];

/** The data that a style shows. Its stamp starts with the stamps of the tilesets. */
export const styleData = (db: Database, renderer: MapRenderer) =>
  renderer.data(db, ...TILESETS.map(({ datasets }) => datasets));

/** Returns the stamp of each tileset in a style's stamp. */
export const tilesStampsIn = (stamp: string): string[] =>
  stamp.split(' ').slice(0, TILESETS.length);

/** @param stamp stamp of the tileset's data @param apiRoot URL of the API, without a trailing slash */
export const styleTileset = async (
  { name, layers }: Tileset,
  caches: AnswerCaches,
  apiRoot: string,
  stamp: string,
): Promise<StyleTileset> => ({
  name,
  layers,
  url: `${apiRoot}/tiles/${name}.json?v=${await caches.versionOf(stamp)}`,
});

/** A style before it is served: with streets, and their tileset, if it may show them. */
export async function basemapStyle(
  name: StyleName,
  basemap: BasemapName,
  { streets }: DataAt & Pick<MapData, 'streets'>,
  caches: AnswerCaches,
  apiRoot: string,
): Promise<{ style: StyleSpecification; tilesets: StyleTileset[] }> {
  const style = loadStyle(name);
  if (streets === undefined || basemap === 'plain') return { style, tilesets: [] };
  const url = `${apiRoot}/tiles/${STREETS}.json?v=${await caches.versionOf(streets.version)}`;
  return {
    style: withStreetsIn(style, name, streets),
    tilesets: [{ name: STREETS, layers: [], url }],
  };
}
