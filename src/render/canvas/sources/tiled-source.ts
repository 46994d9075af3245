/** Features in tiles. */
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import type { CoveringTile } from '../../../base/spatial/covering-tiles.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import type { StyleFeature } from '../style/style-feature.ts';

/** Vector tiles, or GeoJSON in tiles */
export interface TiledSource {
  type: 'tiled';
  /** Returns the tiles to draw. Above the last zoom of vector tiles, these are parts of larger ones. */
  tilesIn(view: View3): CoveringTile[];
  /**
   * Returns the features of a source layer in one of these tiles, also beyond the antimeridian. GeoJSON
   * has no source layers.
   *
   * @throws InvalidSceneError for a tile that cannot be read
   */
  featuresIn(address: TileAddress, sourceLayer: string | null): readonly TileFeature[];
}

/** The part of a feature that lies in a tile and its margin */
export interface TileFeature {
  style: StyleFeature;
  /** Single points, lines, or polygon rings without a repeated last point */
  parts: readonly FlatPoints[];
}
