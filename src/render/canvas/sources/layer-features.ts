/** The features of each layer, in pixels of the picture. */
import type { View3 } from '../../../base/spatial/view.ts';
import type { CompiledLayer } from '../style/compiled-style.ts';
import { isCutByDefault, projectFeatures, projectFeaturesByTile } from './project-features.ts';
import { projectTiles } from './project-tiles.ts';
import { filterAt } from '../style/layer-filter.ts';
import { tileZoomOf } from '../style/property-values.ts';
import type { ReadPassing, ScreenFeature } from './screen-feature.ts';
import type { GeoJsonSource, OpenSource } from './sources.ts';

/** Returns the features that a layer draws. */
export type ReadFeatures = (layer: CompiledLayer) => readonly ScreenFeature[];

/** Projects a feature when the first layer shows it, and shares it among layers. */
export function layerFeatures(sourceOf: (id: string) => OpenSource, view: View3): ReadFeatures {
  // Pitched outlines fade between the points at which tiles cut them.
  const isByTile = (layer: CompiledLayer) => !view.isLevel || isTiled(layer);
  const tileZoom = tileZoomOf(view.zoom);
  const readers = new Map<string, ReadPassing>();
  return (layer) => {
    const { source: id, sourceLayer } = layer;
    if (id === null) return [];
    const opened = sourceOf(id);
    const source = opened.type === 'geojson' && needsTiles(layer, opened) ? opened.tiled() : opened;
    if (source.type !== 'tiled' && source.type !== 'geojson') return [];
    const key = JSON.stringify([
      id,
      source.type === 'tiled' ? sourceLayer : isByTile(layer),
      isHigh(layer),
    ]);
    let read = readers.get(key);
    if (read === undefined) {
      read =
        source.type === 'tiled'
          ? projectTiles(source, sourceLayer, view, isHigh(layer))
          : (isByTile(layer) ? projectFeaturesByTile : projectFeatures)(source.features, view);
      readers.set(key, read);
    }
    return read(filterAt(layer, tileZoom));
  };
}

/** Whether shapes, expressions, or distances along lines depend on how the source cuts its features. */
function needsTiles({ type, readsShapes }: CompiledLayer, { tiling }: GeoJsonSource): boolean {
  return readsShapes || (type === 'line' && tiling.lineMetrics) || !isCutByDefault(tiling);
}

/** Whether shapes outside the visible part of the plane may rise into the picture. */
const isHigh = ({ type }: CompiledLayer) => type === 'fill-extrusion';

/**
 * Whether a layer's features are projected tile by tile: dashes and patterns start where a tile cuts the
 * line, and points of a heatmap and extrusions take effect up to the margin of their tile.
 */
function isTiled({ type, properties }: CompiledLayer): boolean {
  if (type === 'heatmap' || type === 'fill-extrusion') return true;
  return ['line-dasharray', 'line-pattern'].some((name) => {
    const property = properties.get(name);
    if (property === undefined) return false;
    return property.kind !== 'constant' || property.evaluate({ zoom: 0 }) !== undefined;
  });
}
