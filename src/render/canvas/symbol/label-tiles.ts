/** The tiles in which labels are laid out, as in MapLibre. The same tiles give the same labels. */
import type { View3 } from '../../../base/spatial/view.ts';
import type { CoveringTile } from '../../../base/spatial/covering-tiles.ts';
import type { CompiledLayer } from '../style/compiled-style.ts';
import { tiledSource, tileGeoJson } from '../sources/geojson-tiles.ts';
import { tilePoints } from '../sources/point-tiles.ts';
import { tileZoomOf, type LayerAtZoom } from '../style/property-values.ts';
import { filterAt, type LayerFilter } from '../style/layer-filter.ts';
import { styleFeature, TILE_EXTENT } from '../style/style-feature.ts';
import type { OpenSource } from '../sources/sources.ts';
import type { TileFeature, TiledSource } from '../sources/tiled-source.ts';

/** A symbol layer with its tiles in this picture. */
export interface SymbolLayer extends LayerAtZoom {
  zoom: number;
  tiles: readonly LabelTile[];
}

export interface LabelTile {
  frame: TileFrame;
  /** In source order */
  features: readonly TileFeature[];
}

/** Position of a tile in the picture. */
export interface TileFrame extends CoveringTile {
  leftPx: number;
  topPx: number;
  pxPerUnit: number;
  /** Enlargement of a tile beyond the last zoom of its source: 1, 2, 4, … */
  overscaling: number;
}

/** Returns the features of a symbol layer that pass its filter. */
type TilesOf = (layer: CompiledLayer) => LabelTile[];

export function labelTiles(sourceOf: (id: string) => OpenSource, viewport: View3): TilesOf {
  const zoom = tileZoomOf(viewport.zoom);
  return (layer) => {
    const { source: id, sourceLayer, readsShapes } = layer;
    const opened = sourceOf(id!);
    const source = opened.type === 'geojson' && readsShapes ? opened.tiled() : opened;
    const filter = filterAt(layer, zoom);
    if (source.type === 'tiled') return framedTiles(source, sourceLayer, filter, viewport);
    if (source.type !== 'geojson') return [];
    // Cutting only the features with labels is faster than filtering tiles.
    const labeled = source.features.filter((feature) => {
      const style = styleFeature(feature);
      return style !== null && filter.passes(style);
    });
    const { tiling } = source;
    const pointsIn = tilePoints(labeled);
    const tiled = pointsIn === null ? tileGeoJson(labeled, tiling) : tiledSource(tiling, pointsIn);
    return framedTiles(tiled, null, null, viewport);
  };
}

export function framedTiles(
  { tilesIn, featuresIn }: TiledSource,
  sourceLayer: string | null,
  filter: LayerFilter | null,
  viewport: View3,
): LabelTile[] {
  const tiles: LabelTile[] = [];
  for (const address of tilesIn(viewport)) {
    const all = featuresIn(address, sourceLayer);
    const features = filter?.select(all) ?? all;
    if (features.length > 0) tiles.push({ frame: frameOf(address, viewport), features });
  }
  return tiles;
}

function frameOf({ z, x, y, shownZoom }: CoveringTile, viewport: View3): TileFrame {
  const leftPx = viewport.xOfWorld(x / 2 ** z);
  const sidePx = viewport.xOfWorld((x + 1) / 2 ** z) - leftPx;
  return {
    z,
    x,
    y,
    leftPx,
    topPx: viewport.yOfWorld(y / 2 ** z),
    pxPerUnit: sidePx / TILE_EXTENT,
    shownZoom,
    overscaling: 2 ** (shownZoom - z),
  };
}
