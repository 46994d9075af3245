import type { MultiPolygon, Polygon, Position } from 'geojson';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BasemapFeature, BasemapLayer } from '../../../../src/data/basemap/features.ts';
import { sampleFeatures } from '../../../../src/data/ingest/sample/basemap.ts';
import {
  fittedWater,
  pack,
  packWater,
  WATER_FILE,
} from '../../../../src/data/ingest/sample/fitted-water.ts';
import { sampleWater } from '../../../../src/data/ingest/sample/water.ts';
import { projectFile } from '../../../../src/base/geodata/project-files.ts';
import { isInside, ringArea, toPlane } from '../../../../src/data/ingest/sample/plane.ts';
import { comparesGenerated } from '../../../support/thorough.ts';
import { digestOf } from './digest.ts';

let basemap: BasemapFeature[];
const layer = (name: BasemapLayer) => basemap.filter((feature) => feature.layer === name);

beforeAll(async () => {
  basemap = [...sampleFeatures(), ...(await sampleWater())];
});

describe('the sample basemap', () => {
  it('has the states and their counties, by FIPS code', () => {
    expect(layer('states')).toHaveLength(56);
    expect(layer('counties')).toHaveLength(3231);
    for (const { fips, name } of layer('states'))
      expect([fips, name]).toEqual([expect.stringMatching(/^\d\d$/), expect.any(String)]);
    for (const { fips } of layer('counties')) expect(fips).toMatch(/^\d{5}$/);
    expect(layer('counties').find(({ fips }) => fips === '48113')?.name).toBe('Dallas');
  });

  it('has only known kinds of features', () => {
    const kinds = new Set(basemap.map(({ layer, kind }) => `${layer}: ${kind}`));
    expect([...kinds].sort()).toEqual([
      'counties: county',
      'places: capital',
      'places: city',
      'roads: interstate',
      'states: state',
      'water: lake',
      'water: ocean',
      'water: river',
    ]);
  });

  it('has closed rings that enclose an area, the outer ring first', () => {
    const isBroken = ([outer, ...holes]: Position[][]) => {
      const [first, last] = [outer![0], outer!.at(-1)];
      return String(first) !== String(last) || size(outer!) <= Math.max(0, ...holes.map(size));
    };
    const broken = basemap.filter(
      ({ geometry }) =>
        (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon') &&
        polygonsOf(geometry).some(isBroken),
    );
    expect(broken).toEqual([]);
  });

  it('has water where water is, and none where people live', () => {
    expect(waterAt([-87.0, 43.5])).toEqual(['Lake Michigan']);
    expect(waterAt([-80.85, 26.95])).toEqual(['Lake Okeechobee']);
    expect(waterAt([-124.9, 40])).toEqual(['ocean']);
    expect(waterAt([-122.44, 47.68])).toEqual(['ocean']); // Puget Sound
    const cities = layer('places').filter(({ minZoom }) => minZoom <= 5);
    const drowned = cities.filter(
      (city) => waterAt((city.geometry as { coordinates: Position }).coordinates).length > 0,
    );
    expect(drowned.map(({ name }) => name)).toEqual([]);
  });

  it('names about thirty cities on a map of the country, and several dozen around a metro', () => {
    const names = (west: number, south: number, east: number, north: number, zoom: number) =>
      layer('places').filter(({ geometry, minZoom }) => {
        const [lng, lat] = (geometry as { coordinates: Position }).coordinates as [number, number];
        return minZoom <= zoom && lng > west && lng < east && lat > south && lat < north;
      }).length;
    const country = names(-125, 24, -66, 50, 3.9);
    expect(country).toBeGreaterThanOrEqual(25);
    expect(country).toBeLessThanOrEqual(40);
    const dallas = names(-97.8, 32.2, -96.1, 33.5, 8.9);
    expect(dallas).toBeGreaterThanOrEqual(24);
    expect(dallas).toBeLessThanOrEqual(90);
  });

  it('marks capitals and uses map spelling', () => {
    const capitals = layer('places').filter(({ kind }) => kind === 'capital');
    expect(capitals).toHaveLength(50);
    expect(capitals.map(({ name }) => name)).toContain('St. Paul');
  });

  it('ranks places on Natural Earth’s scale, and roads by their length', () => {
    const rank = (name: string) => layer('places').find((place) => place.name === name)!.rank;
    expect(rank('New York')).toBeLessThan(1);
    expect(rank('Dallas')).toBeLessThan(4);
    expect(rank('Plano')).toBeGreaterThan(rank('Dallas'));
    expect(rank('Valley View')).toBeGreaterThan(6);
    const i35 = layer('roads').find(({ name }) => name === 'I 35')!;
    const i635 = layer('roads').find(({ name }) => name === 'I 635')!;
    expect(i35.rank).toBeLessThan(i635.rank);
    expect(i35.minZoom).toBeLessThan(i635.minZoom);
  });

  it('uses the common spelling of places', () => {
    const names = new Set(layer('places').map(({ name }) => name));
    for (const name of ['McKinney', "O'Fallon", 'St. Louis']) expect(names).toContain(name);
  });

  it.runIf(comparesGenerated)('stores the water and borders that its sources give', async () => {
    // Compared as a whole, because printing a difference in 3 MB of text would take minutes.
    expect(storedWater() === (await packWater()), 'Run `npm run sample`.').toBe(true);
  });

  it('reads the water and borders as they are stored', () => {
    const water = fittedWater();
    expect(JSON.stringify(water.map(pack)) === storedWater()).toBe(true);
    const kinds = water.map((source) => {
      const { layer, kind } = source.features.get(0)!;
      return `${layer}: ${kind} ${source.features.size}, ${source.coast!.size} for the coast`;
    });
    expect(kinds).toEqual([
      'water: river 123, 0 for the coast',
      'water: ocean 195, 79 for the coast',
      'water: ocean 9, 9 for the coast',
      'states: border 126, 126 for the coast',
      'counties: border 53, 53 for the coast',
    ]);
  });

  it('is the same on every run', () => {
    expect(digestOf(basemap)).toBe(
      'd2021b93cfe046a08405fb8dd4ec97d1240b9c3abbdf2e15d47566c63a28c1bb',
    );
  });
});

const storedWater = () => brotliDecompressSync(readFileSync(projectFile(WATER_FILE))).toString();

const polygonsOf = (shape: Polygon | MultiPolygon) =>
  shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;

const size = (ring: Position[]) => Math.abs(ringArea(ring.slice(1).map(toPlane)));

/** Returns the names, or else the kinds, of the waters that cover a location. */
function waterAt(place: Position): string[] {
  return layer('water')
    .filter(({ geometry }) => {
      if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return false;
      return isInside(
        toPlane(place),
        polygonsOf(geometry)
          .flat()
          .map((ring) => ring.slice(1).map(toPlane)),
      );
    })
    .map(({ name, kind }) => name ?? kind);
}
