/**
 * Finds the data of a source in a scene. Both engines refuse missing or mismatched data in the same way.
 */
import type { Feature } from 'geojson';
import { InvalidSceneError, UnsupportedStyleError } from './errors.ts';
import { dataKind, isFeatures, isTileSet, type Scene, type SourceData } from './scene.ts';
import type { TileSet } from './vector-tiles.ts';

/** Data that the scene has for a source, if any */
const sceneData = ({ sources }: Pick<Scene, 'sources'>, id: string): SourceData | undefined =>
  Object.hasOwn(sources, id) ? sources[id] : undefined;

/** @throws InvalidSceneError if the scene has no vector tiles for this source */
export function tilesOf(scene: Pick<Scene, 'sources'>, id: string): TileSet {
  const data = sceneData(scene, id);
  if (data !== undefined && isTileSet(data)) return data;
  throw new InvalidSceneError([
    `the scene has no vector tiles for the source "${id}": add them to the scene`,
  ]);
}

/**
 * Returns the features of a GeoJSON source: those of the scene, or else those in the style document.
 *
 * @param inline the features in the document, or null if it names an address
 * @throws InvalidSceneError if the scene has tiles; UnsupportedStyleError if there are no features
 */
export function featuresFor<T>(
  scene: Pick<Scene, 'sources'>,
  id: string,
  inline: T | null,
): readonly Feature[] | T {
  const data = sceneData(scene, id);
  if (data === undefined && inline === null) {
    const reason = 'is an address: put the features into the style or the scene';
    throw new UnsupportedStyleError([{ property: `sources.${id}.data`, reason }]);
  }
  if (data === undefined) return inline!;
  if (isFeatures(data)) return data;
  throw new InvalidSceneError([
    `the scene has ${dataKind(data)} for the GeoJSON source "${id}": replace them with features`,
  ]);
}
