/** Reads the vector tiles of a source from files. */
import type { VectorSourceSpecification } from '@maplibre/maplibre-gl-style-spec';
import { bboxesMeet, type Bbox } from '../../base/spatial/bbox.ts';
import type { View3 } from '../../base/spatial/view.ts';
import { tileBbox, type TileAddress } from '../../base/spatial/tile.ts';
import { InvalidSceneError, UnsupportedStyleError } from '../errors.ts';
import {
  tileName,
  tilesInView,
  wrapTile,
  type EncodedTile,
  type TileSet,
} from '../vector-tiles.ts';
import type { TileArchive } from './tile-archive.ts';
import type { Assets } from './assets.ts';
import { readTileJson, type TileJson } from './tile-json.ts';

const MIN_ZOOM = 0;
const MAX_ZOOM = 22;

/**
 * Reads the tiles that a view needs. A tile without a file is empty.
 *
 * @throws InvalidSceneError, UnsupportedStyleError
 */
export async function readTiles(
  id: string,
  source: VectorSourceSpecification,
  view: View3,
  assets: Assets,
  archive: TileArchive | undefined,
): Promise<TileSet> {
  if (archive !== undefined) return readArchivedTiles(source, view, assets, archive);
  const property = `sources.${id}`;
  const tileJson: TileJson = {
    ...(source.url === undefined ? {} : await readTileJson(source.url, `${property}.url`, assets)),
    ...source,
  };
  if (tileJson.encoding !== undefined && tileJson.encoding !== 'mvt') {
    const reason = 'is supported only as "mvt"';
    throw new UnsupportedStyleError([{ property: `${property}.encoding`, reason }]);
  }
  const { tiles: templates = [], bounds, scheme } = tileJson;
  if (templates.length === 0) {
    throw new InvalidSceneError([`${property} has no tile addresses: add "tiles" or "url"`]);
  }
  for (const template of templates) assets.refuseRemote(template, `${property}.tiles`);
  const { minzoom = MIN_ZOOM, maxzoom = MAX_ZOOM } = tileJson;
  const needed = neededTiles(view, { minzoom, maxzoom, bounds });
  const reads = needed.map(async (tile): Promise<EncodedTile[]> => {
    const template = templates[(tile.x + tile.y) % templates.length]!;
    const address = tileAddress(template, tile, scheme, `${property}.tiles`);
    const bytes = await assets.readBytes(address, `${property}.tiles`);
    return bytes === null ? [] : [{ ...tile, bytes }];
  });
  return { minzoom, maxzoom, tiles: (await Promise.all(reads)).flat() };
}

/** Reads tiles of an archive. Its zooms and bounds replace those of the source. */
async function readArchivedTiles(
  { minzoom = MIN_ZOOM, maxzoom = MAX_ZOOM }: VectorSourceSpecification,
  view: View3,
  assets: Assets,
  archive: TileArchive,
): Promise<TileSet> {
  const { bounds } = archive;
  const zooms = {
    minzoom: Math.max(minzoom, archive.minzoom),
    maxzoom: Math.min(maxzoom, archive.maxzoom),
  };
  const tiles: EncodedTile[] = [];
  for (const tile of neededTiles(view, { ...zooms, bounds })) {
    const bytes = await archive.readTile(tile);
    if (bytes === null) continue;
    assets.count(bytes);
    tiles.push({ ...tile, bytes });
  }
  return { ...zooms, tiles };
}

/** The tiles that a view needs. Each is listed once, even if the view shows several copies of the world. */
function neededTiles(
  view: View3,
  { bounds, ...zooms }: { minzoom: number; maxzoom: number; bounds: Bbox | undefined },
): TileAddress[] {
  const needed = new Map(
    tilesInView(view, zooms)
      .map(wrapTile)
      .filter((tile) => bounds === undefined || bboxesMeet(tileBbox(tile), bounds))
      .map((tile) => [tileName(tile), tile]),
  );
  return [...needed.values()];
}

/** @throws InvalidSceneError for an unknown placeholder */
export function tileAddress(
  template: string,
  { z, x, y }: TileAddress,
  scheme: TileJson['scheme'],
  property: string,
): string {
  const row = scheme === 'tms' ? 2 ** z - 1 - y : y;
  const numbers: Record<string, number> = { '{z}': z, '{x}': x, '{y}': row };
  return template.replace(/\{[^}]*\}/g, (token) => {
    if (token in numbers) return String(numbers[token]);
    throw new InvalidSceneError([
      `${property} is "${template}": replace placeholders other than {z}, {x}, and {y}`,
    ]);
  });
}
