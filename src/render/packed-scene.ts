/**
 * Packs a scene to send it to a worker. Structured clone visits every position of every shape and every
 * object on both sides; packed lists take a fraction of the CPU time.
 */
import type { Bbox } from '../spatial/bbox.ts';
import { packFeatures, unpackFeatures, type PackedFeatures } from './packed-features.ts';
import { listReader, ListWriter, type PackedLists } from './packed-lists.ts';
import { isFeatures, type Scene, type SourceData } from './scene.ts';

export interface PackedScene extends PackedLists {
  /** Without the packed features */
  scene: Scene;
  /** By source id */
  features: Readonly<Record<string, PackedFeatures>>;
  hasTerritory: boolean;
}

export function packScene(scene: Scene): PackedScene {
  const { sources, territory, ...rest } = withoutArranged(scene);
  const writer = new ListWriter();
  const hasTerritory = territory !== undefined && writer.write(territory);
  const entries = Object.entries(sources);
  const features = Object.fromEntries(
    entries.flatMap(([id, data]) => (isFeatures(data) ? [[id, packFeatures(data, writer)]] : [])),
  ) as PackedScene['features'];
  const others = Object.fromEntries(
    entries.map(([id, data]): [string, SourceData] => [id, isFeatures(data) ? [] : data]),
  );
  const kept = hasTerritory || territory === undefined ? rest : { ...rest, territory };
  return { scene: { ...kept, sources: others }, features, hasTerritory, ...writer.finish() };
}

/** Omits what is needed only to arrange furniture, if that is done. */
function withoutArranged(scene: Scene): Scene {
  if (scene.arranged === undefined) return scene;
  const { furniture: _furniture, territory: _territory, ...rest } = scene;
  return rest;
}

export function unpackScene({ scene, features, hasTerritory, ...lists }: PackedScene): Scene {
  const read = listReader(lists);
  const territory = hasTerritory ? { territory: read() as unknown as Bbox[] } : {};
  const sources = Object.fromEntries(
    Object.entries(scene.sources).map(([id, data]) => [
      id,
      Object.hasOwn(features, id) ? unpackFeatures(features[id]!, read) : data,
    ]),
  );
  return { ...scene, ...territory, sources };
}
