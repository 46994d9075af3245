import type { MultiPolygon } from 'geojson';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { atlasStatesAndCounties, loadAtlas } from '../../../../src/data/ingest/atlas.ts';
import { bboxesMeet, bboxOfPositions } from '../../../../src/base/spatial/bbox.ts';
import { gazetteer } from '../../../../src/data/ingest/sample/gazetteer.ts';
import {
  crossing,
  isInside,
  pointKey,
  ringArea,
  samePoint,
  toPlane,
  type Point,
  type Ring,
} from '../../../../src/data/ingest/sample/plane.ts';
import { sampleZipPolygons, type ZipPolygon } from '../../../../src/data/ingest/sample/polygons.ts';
import {
  packShapes,
  sampleZipShapes,
  ZIPS_FILE,
} from '../../../../src/data/ingest/sample/zip-shapes.ts';
import { simplifyFeatures } from '../../../../src/data/ingest/shapes.ts';
import type { ShapeLevel } from '../../../../src/data/ingest/shape-levels.ts';
import { toWkb } from '../../../../src/data/ingest/topology.ts';
import { projectFile } from '../../../../src/base/geodata/project-files.ts';
import { DETAIL_LEVELS } from '../../../../src/base/spatial/detail.ts';
import { readWkb } from '../../../../src/base/spatial/wkb.ts';
import { seededRandom } from '../../../../src/data/ingest/sample/random.ts';
import { zones, type Zone } from '../../../../src/data/ingest/sample/zones.ts';
import { comparesGenerated } from '../../../support/thorough.ts';

let polygons: ZipPolygon[];
/** Rings by ZIP code, without the repeated last point */
let ringsOf: Map<string, Ring[]>;
let counties: Zone[];

describe.runIf(comparesGenerated)('the sample ZIP code polygons', () => {
  beforeAll(() => {
    polygons = sampleZipPolygons();
    counties = zones(loadAtlas(), gazetteer());
    ringsOf = new Map(
      polygons.map(({ properties, geometry }) => [properties.zip, openRings(geometry)]),
    );
  });

  it('include every ZIP code of the gazetteer once', () => {
    expect(polygons.map(({ properties }) => properties.zip)).toEqual(
      gazetteer().map(({ zip }) => zip),
    );
    expect(polygons).toHaveLength(33_791);
  });

  it('contain the locations of their ZIP codes, except those in the water', () => {
    const inTheWater = gazetteer().filter(
      ({ zip, lng, lat }) => !isInside(toPlane([lng, lat]), ringsOf.get(zip)!),
    );
    expect(inTheWater.length).toBeLessThan(80);
  });

  it('have no ring that crosses or touches itself', () => {
    const broken = polygons.filter(({ properties }) => {
      const rings = ringsOf.get(properties.zip)!;
      return (
        rings.some((ring) => new Set(ring.map(pointKey)).size < ring.length) || selfCrossing(rings)
      );
    });
    expect(broken.map(({ properties }) => properties.zip)).toEqual([]);
  });

  it('have counterclockwise rings and no holes', () => {
    expect([...ringsOf.values()].flat().every((ring) => ringArea(ring) > 0)).toBe(true);
  });

  it('cover each county exactly', () => {
    const wrong = counties.filter(({ rings, sites }) => {
      const covered = sites.reduce((sum, { zip }) => sum + area(ringsOf.get(zip)!), 0);
      return Math.abs(covered / area(rings) - 1) > 0.001;
    });
    expect(wrong.map(({ county }) => county)).toEqual([]);
  });

  it('cover the whole country, including counties without a ZIP code location', () => {
    const land = atlasStatesAndCounties()
      .filter(({ layer }) => layer === 'counties')
      .flatMap(({ geometry }) => (geometry as MultiPolygon).coordinates.flat())
      .reduce((sum, ring) => sum - ringArea(ring.slice(1).map(toPlane)), 0);
    expect(area([...ringsOf.values()].flat()) / land).toBeCloseTo(1, 6);
  });

  it('share every vertex of their inland borders', () => {
    const sideKeys = (rings: Ring[]) =>
      rings.flatMap(sidesOf).map(([a, b]) => `${pointKey(a)} ${pointKey(b)}`);
    const sides = [...ringsOf.values()].flatMap(sideKeys);
    const distinct = new Set(sides);
    expect(distinct.size).toBe(sides.length);

    const inKansas = polygons.filter(({ properties }) => /^6[67]/.test(properties.zip));
    const alone = inKansas
      .flatMap(({ properties }) => sideKeys(ringsOf.get(properties.zip)!))
      .filter((side) => !distinct.has(side.split(' ').reverse().join(' ')));
    expect(inKansas.length).toBeGreaterThan(600);
    expect(alone).toEqual([]);
  });

  it('never overlap or leave gaps inside a county', () => {
    const random = seededRandom('places');
    const boxes = polygons.map(({ properties }) => {
      const rings = ringsOf.get(properties.zip)!;
      return { rings, box: bboxOfPositions(rings.flat()) };
    });
    for (const { rings } of counties.filter((_, i) => i % 20 === 0)) {
      const [west, south, east, north] = bboxOfPositions(rings.flat());
      for (let tries = 0; tries < 10; tries++) {
        const place: Point = [
          Math.round(west + random() * (east - west)),
          Math.round(south + random() * (north - south)),
        ];
        if (!isInside(place, rings)) continue;
        const holders = boxes.filter(
          ({ box, rings }) => bboxesMeet(box, [...place, ...place]) && isInside(place, rings),
        );
        expect([place, holders.length]).toEqual([place, 1]);
      }
    }
  });

  it('are stored in a file, at every level of detail', async () => {
    const { levels } = await simplifyFeatures({ type: 'FeatureCollection', features: polygons });
    const kept = brotliDecompressSync(readFileSync(projectFile(ZIPS_FILE)));
    expect(kept.equals(packShapes(levels)), 'Run `npm run sample`.').toBe(true);

    const zips = gazetteer().map(({ zip }) => zip);
    const stored = sampleZipShapes(zips);
    const differing = levels.flatMap(({ geometries, arcs }, lod) => {
      const { geometries: storedGeometries, arcs: storedArcs } = stored.levels[lod]!;
      return zips.filter((_, i) => {
        const wkb = toWkb(geometries[i]!, arcs);
        return !wkb?.equals(toWkb(storedGeometries[i]!, storedArcs) ?? Buffer.alloc(0));
      });
    });
    expect(differing).toEqual([]);
  });
});

describe('the stored ZIP code polygons', () => {
  it('cover every ZIP code of the gazetteer, at every level of detail', () => {
    const zips = gazetteer().map(({ zip }) => zip);
    const { levels } = sampleZipShapes(zips);
    expect(levels).toHaveLength(DETAIL_LEVELS.length);
    const [{ geometries, arcs }] = levels as [ShapeLevel];
    const outside = gazetteer().filter(({ lng, lat }, i) => {
      const polygon = readWkb(toWkb(geometries[i]!, arcs)!) as ZipPolygon['geometry'];
      return !isInside(toPlane([lng, lat]), openRings(polygon));
    });
    expect(outside.length).toBeLessThan(80);
    expect(() => sampleZipShapes(zips.slice(1))).toThrow(/doesn’t match the gazetteer/);
  });
});

function openRings(geometry: ZipPolygon['geometry']): Ring[] {
  const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
  return rings.map((ring) => ring.slice(1).map(toPlane));
}

const area = (rings: readonly Ring[]) => rings.reduce((sum, ring) => sum + ringArea(ring), 0);

const sidesOf = (ring: Ring): [Point, Point][] => ring.map((a, i) => [a, ring[i + 1] ?? ring[0]!]);

/** Only sides with a common end may meet, and only there. */
function selfCrossing(rings: readonly Ring[]): boolean {
  const sides = rings
    .flatMap(sidesOf)
    .map(([a, b]) => ({ a, b, west: Math.min(a[0], b[0]), east: Math.max(a[0], b[0]) }))
    .sort((one, other) => one.west - other.west);
  return sides.some(({ a, b, east }, i) => {
    for (let j = i + 1; j < sides.length && sides[j]!.west <= east; j++) {
      const { a: p, b: q } = sides[j]!;
      if ([a, b].some((end) => samePoint(end, p) || samePoint(end, q))) continue;
      if (crossing(a, b, p, q)) return true;
    }
    return false;
  });
}
