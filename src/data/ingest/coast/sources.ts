/** Fits the coast of sources before they are stored. */
import type { Geometry } from 'geojson';
import type { BasemapLayer } from '../../basemap/features.ts';
import type { DatasetFacts } from '../../../base/db/datasets.ts';
import { DETAIL_LEVELS, detailForZoom } from '../../../base/spatial/detail.ts';
import { readWkb } from '../../../base/spatial/wkb.ts';
import type { BasemapSource } from '../basemap-store.ts';
import { silent } from '../progress.ts';
import type { ShapeLevel } from '../shape-levels.ts';
import type { CoastMark } from '../stage-features.ts';
import { toWkb } from '../topology.ts';
import { derivedFeatures } from './derived.ts';
import { fitCoast, mayBeFitted, type LeveledFeature } from './fit.ts';

/**
 * Returns the sources with their coast. Water that the coast replaces is marked, and the fitted water and
 * the borders are added, so storing the sources needs no fitting.
 */
export async function withCoast(
  sources: readonly BasemapSource[],
  factsOf: (layer: BasemapLayer) => DatasetFacts,
): Promise<BasemapSource[]> {
  const polygons = sources.flatMap(polygonsOf);
  const layer = (name: BasemapLayer) => polygons.filter(({ facts }) => facts.layer === name);
  const water = layer('water').filter(mayBeFitted);
  const coast = await fitCoast(
    // No ZIP codes are stored yet, and the sample's ZIP codes cover all land.
    { states: layer('states'), counties: layer('counties'), water, inland: [] },
    silent,
  );
  const replaced = coast.replaced.map((index) => water[index]!);
  const marked = sources.map((source): BasemapSource => {
    const own = replaced.filter((feature) => feature.source === source);
    return {
      ...source,
      coast: new Map(own.map(({ index }): [number, CoastMark] => [index, 'replaced'])),
    };
  });
  const derived = (['water', 'states', 'counties'] as const).map((name) => ({
    ...derivedFeatures({ features: coast.features.filter(({ facts }) => facts.layer === name) }),
    facts: factsOf(name),
  }));
  return [...marked, ...derived];
}

interface SourceFeature extends LeveledFeature {
  source: BasemapSource;
  /** Index in the source's shapes */
  index: number;
}

/** Returns the polygons of a source. Levels with the same shapes share them. */
function polygonsOf(source: BasemapSource): SourceFeature[] {
  const { shapes, features } = source;
  return [...features].flatMap(([index, facts]): SourceFeature[] => {
    if (!shapes.levels[0]!.geometries[index]?.type.endsWith('Polygon')) return [];
    const read = new Map<ShapeLevel, Geometry | null>();
    const coarsest = detailForZoom(facts.minZoom);
    const shapeAt = (lod: number) => {
      const level = shapes.levels[Math.min(lod, coarsest)]!;
      if (!read.has(level)) read.set(level, geometryIn(level, index));
      return read.get(level)!;
    };
    return [{ source, index, facts, shapes: [...DETAIL_LEVELS.keys()].map(shapeAt) }];
  });
}

function geometryIn({ geometries, arcs }: ShapeLevel, index: number): Geometry | null {
  const geometry = geometries[index];
  const wkb = geometry && toWkb(geometry, arcs);
  return wkb ? readWkb(wkb) : null;
}
