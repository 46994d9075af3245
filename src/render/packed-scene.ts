/**
 * Packs a scene to send it to a worker. Structured clone visits every position of every shape and every
 * object on both sides; packed lists take a fraction of the CPU time.
 */
import { FlatWriter, type FlatPositions } from '../base/spatial/flat-geometry.ts';
import { packFeatures, unpackFeatures, type PackedFeatures } from './packed-features.ts';
import { packStyle, unpackStyle } from './packed-style.ts';
import { isFeatures, type PanelScene, type Scene, type SourceData } from './scene.ts';

export interface PackedScene {
  /** Without the style, the features and their positions, and the panels */
  scene: Omit<Scene, 'style' | 'panels'>;
  style: string;
  /** By source id */
  features: Readonly<Record<string, PackedFeatures>>;
  positions: FlatPositions;
  panels?: readonly (Pick<PanelScene, 'frame'> & { scene: PackedScene })[];
}

export function packScene(scene: Scene): PackedScene {
  const { sources, style, panels, ...rest } = withoutArranged(scene);
  const writer = new FlatWriter();
  const entries = Object.entries(sources);
  const features = Object.fromEntries(
    entries.flatMap(([id, data]) => (isFeatures(data) ? [[id, packFeatures(data, writer)]] : [])),
  ) as PackedScene['features'];
  const others = Object.fromEntries(
    entries.map(([id, data]): [string, SourceData] => [id, isFeatures(data) ? [] : data]),
  );
  return {
    scene: { ...rest, sources: others },
    style: packStyle(style),
    features,
    positions: writer.finish(),
    ...(panels && {
      panels: panels.map(({ scene, frame }) => ({ scene: packScene(scene), frame })),
    }),
  };
}

/** Omits what is needed only to arrange furniture, if that is done. */
function withoutArranged(scene: Scene): Scene {
  if (scene.arranged === undefined) return scene;
  const { furniture: _furniture, territory: _territory, ...rest } = scene;
  return rest;
}

export function unpackScene({ scene, style, features, positions, panels }: PackedScene): Scene {
  const sources = Object.fromEntries(
    Object.entries(scene.sources).map(([id, data]) => [
      id,
      Object.hasOwn(features, id) ? unpackFeatures(features[id]!, positions) : data,
    ]),
  );
  return {
    ...scene,
    style: unpackStyle(style),
    sources,
    ...(panels && {
      panels: panels.map((panel) => ({ ...panel, scene: unpackScene(panel.scene) })),
    }),
  };
}
