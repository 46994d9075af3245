import type { Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { simplifyFeatures } from '../../../src/data/ingest/shapes.ts';
import { joinRoads } from '../../../src/data/ingest/sources/join-roads.ts';
import { toWkb } from '../../../src/data/ingest/topology.ts';
import { readWkb } from '../../../src/base/spatial/wkb.ts';

interface Road {
  name?: string;
  line: Position[];
}

/** Joins roads and returns the lines of each one that remains, at the finest and the coarsest level. */
async function join(roads: readonly Road[], gapM: number) {
  const shapes = await simplifyFeatures({
    type: 'FeatureCollection',
    features: roads.map(({ line: coordinates }) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'LineString', coordinates },
    })),
  });
  const facts = { layer: 'roads', kind: 'highway', fips: null, minZoom: 6, rank: 1 } as const;
  const features = new Map(roads.map(({ name = null }, i) => [i, { ...facts, name }]));
  const joined = joinRoads({ shapes, features }, gapM);
  const linesAt = (lod: number) =>
    [...joined.features.keys()].map((index) => {
      const { geometries, arcs } = joined.shapes.levels.at(lod)!;
      const geometry = readWkb(toWkb(geometries[index]!, arcs)!);
      if (geometry.type !== 'MultiLineString') throw new Error(`a ${geometry.type}`);
      expect(geometry.coordinates).toHaveLength(1);
      return geometry.coordinates[0]!;
    });
  return { finest: linesAt(0), coarsest: linesAt(-1) };
}

/** Positions along the 33rd parallel, at these thousandths of a degree: 93 m each */
const positionsAt = (...steps: number[]): Position[] =>
  steps.map((step) => [-97 + step / 1000, 33]);

describe('joined roads', () => {
  it('continue through their segments in any direction, at every level of detail', async () => {
    const segments = [positionsAt(0, 20), positionsAt(60, 40), positionsAt(40, 20)].map((line) => ({
      line,
    }));
    const { finest, coarsest } = await join(segments, 0);
    expect(finest).toHaveLength(1);
    const ends = [finest[0]!, coarsest[0]!].map((line) => [line[0], line.at(-1)]);
    expect(ends).toEqual([ends[0], ends[0]]);
    expect(ends[0]!.toSorted()).toEqual([positionsAt(60)[0], positionsAt(0)[0]].toSorted());
  });

  it('close gaps between ends that point at each other, up to a length', async () => {
    const segments = [positionsAt(0, 20), positionsAt(26, 60)].map((line) => ({ line }));
    expect((await join(segments, 1_000)).finest).toEqual([
      [...positionsAt(0, 20), ...positionsAt(26, 60)],
    ]);
    expect((await join(segments, 400)).finest).toHaveLength(2);
  });

  it('stay apart if they are parallel, turn back, or have different names', async () => {
    const parallel: Position[] = positionsAt(0, 20).map(([lng, lat]) => [lng!, lat! + 0.003]);
    const back: Position[] = [...positionsAt(20), [-96.99, 33.001]];
    const roads = [{ line: positionsAt(0, 20) }, { line: parallel }, { line: back }];
    expect((await join(roads, 1_000)).finest).toHaveLength(3);
    const named = [
      { name: 'I 35', line: positionsAt(0, 20) },
      { name: 'I 30', line: positionsAt(20, 60) },
    ];
    expect((await join(named, 1_000)).finest).toHaveLength(2);
  });

  it('take the straightest of several continuations', async () => {
    const north: Position[] = [...positionsAt(20), [-96.97, 33.006]];
    const { finest } = await join(
      [{ line: positionsAt(0, 20) }, { line: north }, { line: positionsAt(20, 40) }],
      0,
    );
    expect(finest).toContainEqual(positionsAt(0, 20, 40));
    expect(finest).toHaveLength(2);
  });
});
