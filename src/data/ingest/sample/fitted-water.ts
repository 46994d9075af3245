/**
 * The sample's water, fitted to the shores of the states, and the borders of states and counties. Both are
 * computed from the atlas and Natural Earth alone, which takes seconds, so the result is stored in
 * `geodata/sample-water.json.br`. `npm run sample` computes it again.
 */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { FeatureFacts } from '../../basemap/features.ts';
import { projectFile } from '../../../base/geodata/project-files.ts';
import { atlasStatesAndCounties } from '../atlas.ts';
import { simplifyToSources, type BasemapSource } from '../basemap-store.ts';
import { withCoast } from '../coast/sources.ts';
import type { Arcs, ShapeLevel } from '../shape-levels.ts';
import type { CoastMark } from '../stage-features.ts';
import { BASEMAP_FACTS } from './facts.ts';
import { MICRODEGREES } from './plane.ts';
import { sampleWater } from './water.ts';

export const WATER_FILE = 'geodata/sample-water.json.br';

interface PackedSource {
  features: FeatureFacts[];
  /** By index of the feature */
  coast: [number, CoastMark][];
  /** Different levels, finest first */
  levels: PackedLevel[];
  /** Index in `levels` of each level of detail */
  levelOf: number[];
}

interface PackedLevel {
  geometries: ShapeLevel['geometries'];
  /** Number of positions of each arc */
  lengths: number[];
  /** Longitude and latitude of each position in microdegrees, minus those of the previous one */
  steps: number[];
}

/** Computes the water and the borders, as the text of the file. */
export async function packWater(): Promise<string> {
  const factsOf = (layer: keyof typeof BASEMAP_FACTS) => BASEMAP_FACTS[layer];
  const features = [...atlasStatesAndCounties(), ...(await sampleWater())];
  const sources = await withCoast(await simplifyToSources(features, factsOf), factsOf);
  // States and counties aren't stored: `sampleFeatures` returns them.
  return JSON.stringify(sources.filter((source) => isWater(source) || isDerived(source)).map(pack));
}

const isWater = ({ features }: BasemapSource) => features.get(0)!.layer === 'water';
const isDerived = ({ coast }: BasemapSource) => coast!.get(0) === 'derived';

/** Reads the file. */
export function fittedWater(): BasemapSource[] {
  const text = brotliDecompressSync(readFileSync(projectFile(WATER_FILE))).toString();
  return (JSON.parse(text) as PackedSource[]).map(unpack);
}

export function pack({ shapes, features, coast }: BasemapSource): PackedSource {
  const levels = [...new Set(shapes.levels)];
  return {
    features: [...features.values()],
    coast: [...coast!],
    levels: levels.map(({ geometries, arcs }) => ({ geometries, ...packArcs(arcs) })),
    levelOf: shapes.levels.map((level) => levels.indexOf(level)),
  };
}

function unpack({ features, coast, levels, levelOf }: PackedSource): BasemapSource {
  const unpacked = levels.map(({ geometries, ...arcs }): ShapeLevel => ({
    geometries,
    arcs: unpackArcs(arcs),
  }));
  return {
    shapes: { properties: features.map(() => ({})), levels: levelOf.map((i) => unpacked[i]!) },
    features: new Map(features.entries()),
    coast: new Map(coast),
    facts: BASEMAP_FACTS[features[0]!.layer],
  };
}

function packArcs({ coordinates, starts }: Arcs): Pick<PackedLevel, 'lengths' | 'steps'> {
  const units = Array.from(coordinates, (degrees) => Math.round(degrees * MICRODEGREES));
  return {
    lengths: Array.from(starts.subarray(1), (end, arc) => end - starts[arc]!),
    steps: units.map((unit, i) => unit - (units[i - 2] ?? 0)),
  };
}

function unpackArcs({ lengths, steps }: Pick<PackedLevel, 'lengths' | 'steps'>): Arcs {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [arc, length] of lengths.entries()) starts[arc + 1] = starts[arc]! + length;
  const last: [number, number] = [0, 0];
  const coordinates = Float64Array.from(
    steps,
    (step, i) => (last[(i % 2) as 0 | 1] += step) / MICRODEGREES,
  );
  return { coordinates, starts };
}
