/**
 * Oceans, lakes, and rivers of Natural Earth, fitted to the atlas's shorelines. Without fitting, they would
 * overlap the land or leave gaps of up to 5 km.
 */
import { readFileSync } from 'node:fs';
import type { Geometry, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import type { BasemapFeature } from '../../basemap/features.ts';
import { projectFile } from '../../geodata/project-files.ts';
import { loadAtlas } from '../atlas.ts';
import { areaOf, breadthOf, lengthOf, type Areal } from './measure.ts';
import { loadNaturalEarth } from './natural-earth.ts';
import { erase, union } from './overlay.ts';
import { isInside, toPlane } from './plane.ts';

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
