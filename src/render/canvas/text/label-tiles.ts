/**
 * The tiles in which labels are laid out. In MapLibre, label positions depend on where tile edges cut
 * features, on the order of tiles, and on integer tile units. The same tiles give the same labels.
 */
import type {
  GeoJSONSourceSpecification,
  StyleSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import GeoJSONVT, { type RawFeature } from 'geojson-vt';
import type { Feature, GeoJSON } from 'geojson';
import type { Viewport } from '../../../spatial/camera.ts';
import type { FlatPoints } from '../../../spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../spatial/mercator.ts';
import type { TileAddress } from '../../../spatial/tile.ts';
import { shownTiles, tilesInView, wrapTile } from '../../vector-tiles.ts';
import type { CompiledLayer } from '../compiled-style.ts';
import type { OpenSource, VectorSource } from '../sources.ts';
import { TILE_EXTENT, type TileFeature } from '../tile-features.ts';
import { styleFeature, tileZoomOf, type StyleFeature } from '../property-values.ts';

export interface LabelTile {
  frame: TileFrame;
  /** In source order */
  features: readonly TileFeature[];
}

/** Position of a tile in the picture. */
export interface TileFrame extends TileAddress {
  leftPx: number;
  topPx: number;
  pxPerUnit: number;
  /** Enlargement of a tile beyond the last zoom of its source: 1, 2, 4, … */
  overscaling: number;
}

const UNITS_PER_PX = TILE_EXTENT / TILE_SIZE_PX;

/** Returns the features of a symbol layer that pass its filter. */
export type TilesOf = (layer: CompiledLayer) => LabelTile[];

export function labelTiles(
  sourceOf: (id: string) => OpenSource,
  { sources }: StyleSpecification,
  viewport: Viewport,
): TilesOf {
  const zoom = tileZoomOf(viewport.zoom);
  return ({ source: id, sourceLayer, filter }) => {
    const source = sourceOf(id!);
    const passes: Passes = (style) =>
      filter === null || filter({ zoom }, style as never, style.tile as never);
    if (source.type === 'vector') return vectorTiles(source, sourceLayer!, passes, viewport);
    const tiling = sources[id!] as GeoJSONSourceSpecification;
    return geojsonTiles(source.features, tiling, passes, viewport);
  };
}

type Passes = (style: StyleFeature) => boolean;

/** Cuts GeoJSON into tiles as MapLibre does: with the same library and options. */
export function geojsonTiles(
  features: readonly Feature[],
  { maxzoom = 18, buffer = 128, tolerance = 0.375 }: Partial<GeoJSONSourceSpecification>,
  passes: Passes,
  viewport: Viewport,
): LabelTile[] {
  // `properties` carries the style feature, because the library passes it through unchanged.
  const styled = features.flatMap((feature) => {
    const style = styleFeature(feature);
    return style === null || !passes(style) ? [] : [{ ...feature, properties: style }];
  });
  const collection = { type: 'FeatureCollection', features: styled } as unknown as GeoJSON;
  const index = new GeoJSONVT(collection, {
    maxZoom: maxzoom,
    extent: TILE_EXTENT,
    buffer: buffer * UNITS_PER_PX,
    tolerance: tolerance * UNITS_PER_PX,
    // Only tiles in view are requested, so none are generated in advance.
    indexMaxZoom: 0,
    indexMaxPoints: 0,
  });
  return tilesInView(viewport, { minzoom: 0, maxzoom }).map((address) => {
    const { z, x, y } = wrapTile(address);
    const tile = index.getTileRaw(z, x, y);
    return {
      frame: frameOf(address, viewport),
      features: (tile?.features ?? []).map(fromGeojson),
    };
  });
}

function fromGeojson(raw: RawFeature): TileFeature {
  const style = raw.tags as unknown as StyleFeature;
  switch (raw.type) {
    case 4:
      return { style, parts: [[raw.x, raw.y]] };
    case 1:
      return { style, parts: splitIntoPoints([...raw.geometry]) };
    case 2:
      return { style, parts: raw.geometry.map((line) => [...line]) };
    case 3:
      return { style, parts: raw.geometry.map((ring) => [...ring].slice(0, -2)) };
  }
}

function splitIntoPoints(points: FlatPoints): FlatPoints[] {
  return Array.from({ length: points.length / 2 }, (_, i) => points.slice(2 * i, 2 * i + 2));
}

function vectorTiles(
  { tileSet, featuresIn }: VectorSource,
  sourceLayer: string,
  passes: Passes,
  viewport: Viewport,
): LabelTile[] {
  return shownTiles(viewport, tileSet).map((address) => ({
    frame: frameOf(address, viewport),
    features: featuresIn(address, sourceLayer).filter(({ style }) => passes(style)),
  }));
}

function frameOf(address: TileAddress, viewport: Viewport): TileFrame {
  const { z, x, y } = address;
  const leftPx = viewport.xOfWorld(x / 2 ** z);
  const sidePx = viewport.xOfWorld((x + 1) / 2 ** z) - leftPx;
  return {
    ...address,
    leftPx,
    topPx: viewport.yOfWorld(y / 2 ** z),
    pxPerUnit: sidePx / TILE_EXTENT,
    overscaling: 2 ** (tileZoomOf(viewport.zoom) - z),
  };
}
