/** Imagery below the ZIP codes of a picture, such as aerial photographs, from a tile archive. */
import { openArchive } from '../../render/document/open-archive.ts';
import { Assets } from '../../render/document/assets.ts';
import { Pictures } from '../../render/document/picture-files.ts';
import { readRasterTiles } from '../../render/document/raster-files.ts';
import { InvalidSceneError } from '../../render/errors.ts';
import type { RasterTileSet } from '../../render/scene.ts';
import { htmlToText } from '../../base/text/html-to-text.ts';
import type { View3 } from '../../base/spatial/view.ts';

export interface Underlay {
  /** Credits for the imagery; null if the archive has none */
  attribution: string | null;
  /** @throws InvalidSceneError for tiles that can't be read */
  tilesIn(view: View3): Promise<RasterTileSet>;
  close(): Promise<void>;
}

/** Side of a tile in CSS pixels, as in most imagery */
const TILE_SIZE = 256;

/**
 * @param file PMTiles or MBTiles
 * @throws InvalidSceneError for a file that can't be read, or that contains vector tiles
 */
export async function openUnderlay(file: string): Promise<Underlay> {
  const archive = await openArchive(file);
  if (archive.format === 'mvt') {
    await archive.close();
    throw new InvalidSceneError([
      `${file} contains vector tiles: use an archive of pictures, or draw a style with --style-file and --tiles`,
    ]);
  }
  let attribution: string | null;
  try {
    // Archives state their attribution as HTML with links.
    attribution = htmlToText((await archive.readAttribution()) ?? '') || null;
  } catch (error) {
    await archive.close();
    throw error;
  }
  return {
    attribution,
    tilesIn(view) {
      const source = { type: 'raster', tileSize: TILE_SIZE } as const;
      // Size limits apply to each picture.
      const assets = new Assets('.');
      return readRasterTiles('underlay', source, view, assets, new Pictures(assets), archive);
    },
    close: () => archive.close(),
  };
}
