/** Opens the sources of a picture: data of the scene, or features in the style document. */
import type { Feature } from 'geojson';
import { InvalidSceneError } from '../../errors.ts';
import { undeclaredSources, type Scene } from '../../scene.ts';
import { featuresFor, tilesOf } from '../../source-data.ts';
import type { CompiledStyle, GeoJsonTiling } from '../style/compiled-style.ts';
import { tileGeoJson } from './geojson-tiles.ts';
import {
  openRaster,
  type DemSource,
  type PictureSource,
  type RasterSource,
} from './raster-sources.ts';
import type { TiledSource } from './tiled-source.ts';
import { vectorSource } from './vector-source.ts';

export type OpenSource = GeoJsonSource | TiledSource | RasterSource | DemSource | PictureSource;

export interface GeoJsonSource {
  type: 'geojson';
  features: readonly Feature[];
  tiling: GeoJsonTiling;
  /** Returns the features in tiles. They are cut only once. */
  tiled(): TiledSource;
}

/**
 * Returns a function that opens a source on first use.
 *
 * @throws InvalidSceneError if the scene has data for sources that the style does not declare
 */
export function openSources(scene: Scene, style: CompiledStyle): (id: string) => OpenSource {
  const problems = undeclaredSources(scene);
  if (problems.length > 0) throw new InvalidSceneError(problems);
  const sources = new Map<string, OpenSource>();
  return (id) => {
    const source = sources.get(id) ?? openSource(id, scene, style);
    sources.set(id, source);
    return source;
  };
}

function openSource(id: string, scene: Scene, style: CompiledStyle): OpenSource {
  const { type, features, select, tiling } = style.sources[id]!;
  if (type === 'vector') return vectorSource(tilesOf(scene, id));
  const raster = openRaster(scene, id);
  if (raster !== null) return raster;
  const selected = select(featuresFor(scene, id, features));
  if (tiling!.cluster) return tileGeoJson(selected, tiling!);
  let tiled: TiledSource | null = null;
  return {
    type: 'geojson',
    features: selected,
    tiling: tiling!,
    tiled: () => (tiled ??= tileGeoJson(selected, tiling!)),
  };
}
