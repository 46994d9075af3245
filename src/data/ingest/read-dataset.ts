/** Reads sources with mapshaper into one dataset, with a layer for each kind of geometry. */
import mapshaper, { type Dataset, type Layer } from 'mapshaper';
import { ImportError } from '../../errors.ts';
import { wereIgnored } from '../../base/text/words.ts';
import { closeRing } from '../../base/spatial/rings.ts';
import { projectToWgs84, readSource } from '../../base/files/shapefile/dataset.ts';
import type { ShapeSource } from '../../base/files/shapefile/source.ts';

const { internal, cmd } = mapshaper;

export type Kind = NonNullable<Layer['geometry_type']>;

export interface ReadOptions {
  kinds: readonly Kind[];
  /** Receives remarks for the report */
  note: (text: string) => void;
}

// Mapshaper closes rings only in files without points and lines, and drops a triangle that isn't closed.
internal.geojson.pathImporters.Polygon = (rings, importer) =>
  rings.forEach((ring, i) => importer.importRing(closeRing(ring), i > 0));

/**
 * Returns the layers of the wanted kinds, in WGS 84 and with shared borders. Each layer combines all sources. If a
 * source has no feature of these kinds, its other features are returned, so that they are rejected one by one.
 * @throws ImportError if a source has several layers of a kind
 */
export async function readDataset(
  files: readonly (readonly ShapeSource[])[],
  { kinds, note, isWgs84 }: ReadOptions & { isWgs84: boolean },
): Promise<Dataset> {
  const datasets: Dataset[] = [];
  const layersOf = new Map<string, Layer[]>();
  for (const sources of files) {
    const found: Layer[] = [];
    for (const source of sources) {
      const read = await readSource(source, note);
      datasets.push(...read);
      found.push(...read.flatMap(({ layers }) => layers));
    }
    for (const layer of chooseLayers(sources[0]!.name, found, kinds, note)) {
      const kind = layer.geometry_type ?? kinds[0]!;
      layersOf.set(kind, [...(layersOf.get(kind) ?? []), layer]);
    }
  }
  const merged = internal.mergeDatasets(datasets);
  merged.layers = [...layersOf.values()].flatMap(
    (layers) => cmd.mergeLayers(layers, { force: true }) ?? [],
  );
  if (merged.arcs) internal.buildTopology(merged);
  if (!isWgs84) await projectToWgs84(merged);
  return merged;
}

/** Layers with the same name come from one collection of features with several kinds of geometry. */
function chooseLayers(
  name: string,
  layers: readonly Layer[],
  kinds: readonly Kind[],
  note: ReadOptions['note'],
): readonly Layer[] {
  const wanted = layers.filter((layer) => kinds.some((kind) => layer.geometry_type === kind));
  const chosen = wanted.length > 0 ? wanted : layers;
  const names = [...new Set(chosen.map((layer) => layer.name))];
  if (names.length > 1) {
    throw new ImportError(
      `The file contains several layers: ${names.join(', ')}. Unpack or export it, and name the file of ` +
        'one layer.',
    );
  }
  const others = layers.filter((layer) => !chosen.includes(layer));
  const counts: Record<string, number> = {};
  for (const { geometry_type: kind, shapes = [] } of others) {
    if (!kind) continue;
    counts[NOUNS[kind]] =
      (counts[NOUNS[kind]] ?? 0) + shapes.filter((shape) => shape !== null).length;
  }
  const ignored = wereIgnored(counts);
  if (ignored !== null) note(`${name}: ${ignored}`);
  // Features without a geometry have a layer of their own.
  return [...chosen, ...others.filter((layer) => !layer.geometry_type && layer.name === names[0])];
}

const NOUNS: Readonly<Record<Kind, string>> = { polygon: 'area', polyline: 'line', point: 'point' };
