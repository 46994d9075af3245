/**
 * Fits water to the shores of the states at all levels of detail, and finds the borders of states and
 * counties on land.
 *
 * Sources disagree about the shore by kilometers. The states' shore decides: areas in a state are land,
 * except for water that `inland.ts` finds. Areas next to a state are water unless they belong to another
 * country. Both sides of the resulting shore share every vertex.
 */
import type {
  FeatureCollection,
  Geometry,
  MultiLineString,
  MultiPolygon,
  Polygon,
  Position,
} from 'geojson';
import mapshaper from 'mapshaper';
import type { FeatureFacts } from '../../basemap/features.ts';
import { DETAIL_LEVELS } from '../../../base/spatial/detail.ts';
import type { Progress } from '../progress.ts';
import { bboxOfGeometry, ringOf } from '../../../base/spatial/bbox.ts';
import { validArea } from '../../../base/spatial/valid-area.ts';
import { nearUnitedStates, oceanBeyond } from './world.ts';

/** A feature at all levels of detail, finest first; null where it's too small */
export interface LeveledFeature {
  facts: FeatureFacts;
  shapes: readonly (Geometry | null)[];
}

interface CoastInput {
  states: readonly LeveledFeature[];
  counties: readonly LeveledFeature[];
  /** Polygons as imported */
  water: readonly LeveledFeature[];
  /** Water within the states at each level of detail that has any */
  inland: readonly MultiPolygon[];
}

export interface Coast {
  /** The fitted water, and the borders: lines of the layers `states` and `counties` */
  features: LeveledFeature[];
  /** Indexes of the water that the fitted water replaces */
  replaced: number[];
}

/** Smaller lakes lie within states or in other countries. */
export const MIN_LAKE_SQUARE_DEGREES = 0.05;

/** Whether water can end at the shores of states. Other water is drawn over the states' land. */
export const mayBeFitted = ({ facts: { kind }, shapes }: LeveledFeature): boolean =>
  kind === 'ocean' || (kind === 'lake' && boxArea(shapes[0]!) >= MIN_LAKE_SQUARE_DEGREES);

export async function fitCoast(input: CoastInput, progress: Progress): Promise<Coast> {
  if (input.states.length === 0) return { features: [], replaced: [] };
  const shared = await findShared(input);
  const levels: Record<Output, Keyed>[] = [];
  for (const lod of DETAIL_LEVELS.keys()) {
    progress('Fitting water to the shores', lod, DETAIL_LEVELS.length);
    levels.push(isAsFiner(input, lod) ? levels.at(-1)! : await fitLevel(input, shared, lod));
  }
  const isOcean = (index: number) => input.water[index]!.facts.kind === 'ocean';
  const oceans = shared.fitted.filter(isOcean);
  const sea = (kind: string): FeatureFacts => ({
    ...input.water[oceans[0]!]!.facts,
    kind,
    name: null,
  });
  return {
    // A lake too thin for the grid stays as imported.
    replaced: shared.fitted.filter(
      (index) => isOcean(index) || levels[0]!.lakes.has(String(index)),
    ),
    features: [
      ...collect(levels, 'sea', sea),
      ...collect(levels, 'lakes', (index) => input.water[Number(index)]!.facts),
      ...collect(levels, 'state-borders', () => border('states', 0)),
      ...collect(levels, 'county-borders', () => border('counties', 5)),
    ],
  };
}

/** Whether all shapes of a level equal those of the next finer one. */
const isAsFiner = ({ states, counties, water }: CoastInput, lod: number): boolean =>
  [states, counties, water].every((features) =>
    features.every(({ shapes }) => shapes[lod] === shapes[lod - 1]),
  );

const border = (layer: 'states' | 'counties', minZoom: number): FeatureFacts => ({
  layer,
  kind: 'border',
  name: null,
  fips: null,
  minZoom,
  rank: 0,
});

const OUTPUTS = ['sea', 'lakes', 'state-borders', 'county-borders'] as const;
type Output = (typeof OUTPUTS)[number];
/** The layer that each output is made from */
const SOURCE_OF: Record<Output, string> = {
  sea: 'sea',
  lakes: 'lakes',
  'state-borders': 'states',
  'county-borders': 'counties',
};
type Keyed = ReadonlyMap<string, Geometry>;

/** Values shared by all levels of detail. */
interface Shared {
  /** Indexes of the water to fit */
  fitted: number[];
  /** Parts of the sea that are missing in the imported ocean; null without an imported ocean */
  sea: FeatureCollection<Polygon | MultiPolygon> | null;
}

async function findShared(input: CoastInput): Promise<Shared> {
  const fitted = await findFitted(input);
  const oceans = fitted.filter((index) => input.water[index]!.facts.kind === 'ocean');
  if (oceans.length === 0) return { fitted, sea: null };
  const box = bboxOfGeometry({
    type: 'GeometryCollection',
    geometries: oceans.map((index) => input.water[index]!.shapes[0]!),
  });
  const [near, beyond] = [await nearUnitedStates(), await oceanBeyond(box)];
  return { fitted, sea: { ...near, features: [...near.features, ...beyond.features] } };
}

/** States in cartographic files end at the shore. In other files, they extend into this square. */
const MIDDLE_OF_LAKE_MICHIGAN: Polygon = {
  type: 'Polygon',
  coordinates: [ringOf([-87.1, 43.4, -86.9, 43.6])],
};

/** A lake ends at the borders of states if at least this share of it is outside the states */
const MIN_OUTSIDE = 0.8;

/**
 * Returns the indexes of the ocean and of lakes that end at the states' borders. Other lakes, such as Lake
 * of the Woods, are partly in a state and partly in another country.
 */
async function findFitted({ states, water }: CoastInput): Promise<number[]> {
  const candidates = water.flatMap((feature, index) => (mayBeFitted(feature) ? [index] : []));
  if (candidates.length === 0) return [];
  const lod = DETAIL_LEVELS.length - 1;
  const lakes = candidates.filter((index) => water[index]!.facts.kind === 'lake');
  const areas = await run(
    {
      states: layerOf(states, lod),
      lakes: {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', properties: { key: 'probe' }, geometry: MIDDLE_OF_LAKE_MICHIGAN },
          ...lakes.map((index) => featureOf(String(index), water[index]!.shapes[lod] ?? null)),
        ],
      },
    },
    ['-each', 'before=this.area', 'target=lakes', '-erase', 'states', 'target=lakes'],
    ['-each', 'share=this.area/before', 'target=lakes', '-o', 'target=lakes'],
  );
  const shares = new Map(
    areas['lakes']!.features.map(({ properties }) => [properties!['key'], properties!['share']]),
  );
  if (!(shares.get('probe') > MIN_OUTSIDE)) return [];
  return candidates.filter((index) => {
    const share = shares.get(String(index));
    return water[index]!.facts.kind === 'ocean' || (share > MIN_OUTSIDE && share < 1);
  });
}

/** Slivers between two sources' land are smaller than this. */
const MIN_SEA_SQUARE_METERS = 200_000;
/** Sea here belongs to the Great Lakes. */
const BY_GREAT_LAKES =
  'this.bounds[0] > -93 && this.bounds[2] < -75 && this.bounds[1] > 41 && this.bounds[3] < 50';
/** Selects arcs between two states, or between a state and nothing, which is another country */
const ON_LAND = '!!A && !!A.fips && (!B || !!B.fips)';
const PAIR = 'key = B ? [A.fips, B.fips].sort().join("-") : A.fips';
/** County borders between two states are omitted, since state borders show them. */
const WITHIN_STATE = '!!B && A.fips.slice(0, 2) === B.fips.slice(0, 2)';

async function fitLevel(
  { states, counties, water, inland }: CoastInput,
  { fitted, sea }: Shared,
  lod: number,
): Promise<Record<Output, Keyed>> {
  const isFitted = new Set(fitted);
  const select = (matches: (feature: LeveledFeature, index: number) => boolean) => ({
    type: 'FeatureCollection' as const,
    features: water.flatMap((feature, index) =>
      matches(feature, index) ? [featureOf(String(index), feature.shapes[lod] ?? null)] : [],
    ),
  });
  const oceans = select(({ facts }, i) => isFitted.has(i) && facts.kind === 'ocean').features;
  const layers: Layers = {
    states: layerOf(states, lod),
    counties: layerOf(counties, lod),
    sea: { type: 'FeatureCollection', features: [...(sea?.features ?? []), ...oceans] },
    lakes: select(({ facts }, i) => isFitted.has(i) && facts.kind === 'lake'),
    rest: select((feature, i) => !isFitted.has(i) && mayBeFitted(feature)),
    inland: {
      type: 'FeatureCollection',
      features: oceans.length > 0 && inland[lod] ? [featureOf('inland', inland[lod])] : [],
    },
  };
  const has = (name: string) => layers[name]!.features.length > 0;
  const copy = (name: string, suffix: string) => [
    '-filter',
    'true',
    `target=${name}`,
    '+',
    `name=${name}-${suffix}`,
  ];
  const merge = (names: readonly string[], name: string) => [
    '-merge-layers',
    `target=${names.join()}`,
    'force',
    `name=${name}`,
  ];
  // Each -erase and -dissolve cuts all layers where they cross, so there are as few as possible.
  const fitSea = [
    '-dissolve',
    'target=sea',
    '-erase',
    'states',
    'target=sea',
    '-explode',
    'target=sea',
    '-filter',
    `this.area > ${MIN_SEA_SQUARE_METERS}`,
    'target=sea',
    // The shores of inland water aren't borders.
    ...copy('sea', 'shores'),
    ...(has('inland') ? merge(['sea', 'inland'], 'sea') : []),
  ];
  const masks = ['sea', 'lakes', 'rest'].filter(has);
  const copyMasks = [
    ...masks.flatMap((name) => copy(name, 'mask')),
    ...merge(
      masks.map((name) => `${name}-mask`),
      'mask',
    ),
  ];
  const joinSea = [
    '-each',
    `key = ${BY_GREAT_LAKES} ? "lake" : "ocean"`,
    'target=sea',
    '-dissolve',
    'key',
    'target=sea',
  ];
  const stateBorders = [
    ...copy('states', 'shores'),
    ...(has('lakes') ? copy('lakes', 'shores') : []),
    ...merge(
      ['states', 'sea', 'lakes'].filter(has).map((name) => `${name}-shores`),
      'state-borders',
    ),
    '-lines',
    'target=state-borders',
    `where=${ON_LAND}`,
    `each=${PAIR}`,
  ];
  const countyBorders = [
    '-lines',
    'target=counties',
    `where=${WITHIN_STATE}`,
    'each=key = A.fips.slice(0, 2)',
    'name=county-borders',
  ];
  const borders = ['state-borders', ...(has('counties') ? ['county-borders'] : [])];
  const results = await run(
    layers,
    has('sea') ? fitSea : [],
    has('lakes') ? ['-erase', 'states', 'target=lakes'] : [],
    masks.length > 0 ? copyMasks : [],
    has('sea') ? joinSea : [],
    stateBorders,
    has('counties') ? countyBorders : [],
    masks.length > 0 ? ['-erase', 'mask', `target=${borders.join()}`] : [],
    ['-o', `target=${OUTPUTS.filter((name) => has(SOURCE_OF[name])).join()}`],
  );
  return Object.fromEntries(
    OUTPUTS.map((name) => [name, byKey(results[name]?.features ?? [])]),
  ) as Record<Output, Keyed>;
}

/**
 * Returns one geometry per key, since a border consists of many lines. Areas may touch or cross themselves since
 * their positions were rounded.
 */
function byKey(features: Layers[string]['features']): Keyed {
  const keyed = new Map<string, Geometry>();
  for (const { properties, geometry } of features) {
    if (geometry === null) continue;
    const key = String(properties!['key']);
    const same = keyed.get(key);
    if (same?.type === 'MultiLineString') same.coordinates.push(...linesOf(geometry));
    else {
      const shape = isLine(geometry) ? multiLine(geometry) : validArea(geometry as MultiPolygon);
      if (shape) keyed.set(key, shape);
    }
  }
  return keyed;
}

type Layers = Record<string, FeatureCollection<Geometry | null>>;

/** Runs commands on layers, and returns their output by name. Layers without features are skipped. */
async function run(layers: Layers, ...commands: string[][]): Promise<Layers> {
  const present = Object.entries(layers).filter(([, { features }]) => features.length > 0);
  const output = await mapshaper.applyCommands(
    [
      '-i',
      ...present.map(([name]) => `${name}.json`),
      'combine-files',
      ...commands.flat(),
      'precision=0.000001',
      'geojson-type=FeatureCollection',
    ],
    Object.fromEntries(present.map(([name, layer]) => [`${name}.json`, layer])),
  );
  return Object.fromEntries(
    Object.entries(output).map(([name, text]) => [name.slice(0, -5), JSON.parse(String(text))]),
  );
}

/** Returns the features of an output at all levels. */
function collect(
  levels: readonly Record<Output, Keyed>[],
  output: Output,
  factsOf: (key: string) => FeatureFacts,
): LeveledFeature[] {
  return [...levels[0]![output].keys()].map((key) => ({
    facts: factsOf(key),
    shapes: levels.map((level) => level[output].get(key) ?? null),
  }));
}

/** A layer of states or counties, whose key is their FIPS code. */
const layerOf = (features: readonly LeveledFeature[], lod: number) => ({
  type: 'FeatureCollection' as const,
  features: features.map(({ facts: { fips }, shapes }) => ({
    ...featureOf(String(fips), shapes[lod] ?? null),
    properties: { fips },
  })),
});

const featureOf = (key: string, geometry: Geometry | null) => ({
  type: 'Feature' as const,
  properties: { key },
  geometry,
});

const isLine = ({ type }: Geometry) => type === 'LineString' || type === 'MultiLineString';

function linesOf(geometry: Geometry): Position[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiLineString' ? geometry.coordinates : [];
}

const multiLine = (geometry: Geometry): MultiLineString => ({
  type: 'MultiLineString',
  coordinates: linesOf(geometry),
});

function boxArea(shape: Geometry): number {
  const [west, south, east, north] = bboxOfGeometry(shape);
  return (east - west) * (north - south);
}
