/**
 * Simplifies features to every level of detail. The commands `-simplify` and `-o` of mapshaper do the same,
 * but weigh every vertex again for each level, and pass 100 MB of text: 15 s of CPU and 940 MB for the ZIP
 * codes of the country. The functions behind these commands take 9 s and 500 MB.
 */
import mapshaper, { type Arcs as MapshaperArcs, type Dataset } from 'mapshaper';
import { DETAIL_LEVELS } from '../spatial/detail.ts';
import { ImportError } from '../errors.ts';
import type { Arcs, ShapeLevel, Shapes } from './shape-levels.ts';

const { internal } = mapshaper;

/** 1e-6 degrees is 0.1 m, finer than any source. */
const PRECISION = 0.000001;

/**
 * @param words commands that read and prepare one layer
 * @param inputs their files; others are read from disk
 * @throws ImportError if the files have several layers
 */
export async function simplifyToLevels(
  words: string[],
  inputs: Record<string, object>,
): Promise<Shapes> {
  const dataset = await readDataset(words, inputs);
  const { arcs } = dataset;
  if (!arcs || arcs.size() === 0) {
    const { properties, level } = exportLevel(dataset);
    return { properties, levels: DETAIL_LEVELS.map(() => level) };
  }
  const options = internal.getStandardSimplifyOpts(dataset, { keep_shapes: true });
  internal.simplifyPaths(arcs, options);
  const thresholds = arcs.getVertexData().zz!;
  let properties: Shapes['properties'] = [];
  const levels = DETAIL_LEVELS.map(({ toleranceM }, lod) => {
    arcs.setThresholds(thresholds.slice()); // finishing a level changes them
    arcs.setRetainedInterval(
      internal.convertSimplifyInterval(String(toleranceM), dataset, options),
    );
    internal.finalizeSimplification(dataset, options);
    const exported = exportLevel(dataset);
    if (lod === 0) ({ properties } = exported);
    return exported.level;
  });
  return { properties, levels };
}

async function readDataset(words: string[], inputs: Record<string, object>): Promise<Dataset> {
  const commands = internal.parseCommands(words);
  for (const { options } of commands) options.input = inputs;
  const { catalog } = await internal.runParsedCommands(commands, new internal.Job());
  const targets = catalog.getDefaultTargets();
  const layers = targets.flatMap((target) => target.layers);
  if (layers.length > 1) {
    const names = layers.map(({ name }, i) => name ?? `layer${i + 1}`);
    throw new ImportError(
      `The file contains several layers: ${names.join(', ')}. Unpack or export it, and name the file of ` +
        'one layer.',
    );
  }
  return { ...targets[0]?.dataset, layers };
}

function exportLevel(dataset: Dataset): { properties: Shapes['properties']; level: ShapeLevel } {
  const copy = internal.copyDatasetForExport(dataset);
  internal.setCoordinatePrecision(copy, PRECISION);
  if (copy.arcs) internal.dissolveArcs(copy);
  const [layer] = copy.layers;
  const geometries = layer ? internal.topojson.exportLayer(layer, copy.arcs, {}).geometries : [];
  return {
    properties: geometries.map((geometry) => (geometry.properties ?? {}) as never),
    level: {
      arcs: arcsOf(copy.arcs),
      // A missing geometry has the type null.
      geometries: geometries.map((geometry) =>
        geometry.type ? geometry : null,
      ) as ShapeLevel['geometries'],
    },
  };
}

function arcsOf(arcs: MapshaperArcs | null | undefined): Arcs {
  if (!arcs) return { coordinates: new Float64Array(), starts: new Uint32Array(1) };
  const { xx, yy, nn } = arcs.getVertexData();
  const starts = new Uint32Array(nn.length + 1);
  for (let arc = 0; arc < nn.length; arc++) starts[arc + 1] = starts[arc]! + nn[arc]!;
  const coordinates = new Float64Array(2 * xx.length);
  for (let i = 0; i < xx.length; i++) {
    coordinates[2 * i] = xx[i]!;
    coordinates[2 * i + 1] = yy[i]!;
  }
  return { coordinates, starts };
}
