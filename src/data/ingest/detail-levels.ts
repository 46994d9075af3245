/**
 * Simplifies features to every level of detail. The commands `-simplify` and `-o` of mapshaper do the same,
 * but weigh every vertex again for each level, and pass 100 MB of text for the ZIP codes of the country. The functions
 * behind these commands take half the memory.
 */
import mapshaper, { type Arcs as MapshaperArcs, type Dataset } from 'mapshaper';
import { DETAIL_LEVELS } from '../../base/spatial/detail.ts';
import type { Arcs, ShapeLevel, Shapes } from './shape-levels.ts';

const { internal } = mapshaper;

/** 1e-6 degrees is 0.1 m, finer than any source. */
const PRECISION = 0.000001;

/** Returns the shapes of each layer. */
export function simplifyToLevels(dataset: Dataset): Shapes[] {
  const { arcs } = dataset;
  const byLevel = arcs && arcs.size() > 0 ? exportLevels(dataset, arcs) : [exportLayers(dataset)];
  return byLevel[0]!.map(({ properties }, layer) => ({
    properties,
    levels: DETAIL_LEVELS.map(
      (_, lod) => byLevel[Math.min(lod, byLevel.length - 1)]![layer]!.level,
    ),
  }));
}

function exportLevels(dataset: Dataset, arcs: MapshaperArcs): ExportedLayer[][] {
  const options = internal.getStandardSimplifyOpts(dataset, { keep_shapes: true });
  internal.simplifyPaths(arcs, options);
  const thresholds = arcs.getVertexData().zz!;
  return DETAIL_LEVELS.map(({ toleranceM }) => {
    arcs.setThresholds(thresholds.slice()); // finishing a level changes them
    arcs.setRetainedInterval(
      internal.convertSimplifyInterval(String(toleranceM), dataset, options),
    );
    internal.finalizeSimplification(dataset, options);
    return exportLayers(dataset);
  });
}

interface ExportedLayer {
  properties: Shapes['properties'];
  level: ShapeLevel;
}

function exportLayers(dataset: Dataset): ExportedLayer[] {
  const copy = internal.copyDatasetForExport(dataset);
  internal.setCoordinatePrecision(copy, PRECISION);
  if (copy.arcs) internal.dissolveArcs(copy);
  const arcs = arcsOf(copy.arcs);
  return copy.layers.map((layer) => {
    const { geometries } = internal.topojson.exportLayer(layer, copy.arcs, {});
    return {
      properties: geometries.map((geometry) => (geometry.properties ?? {}) as never),
      level: {
        arcs,
        // A missing geometry has the type null.
        geometries: geometries.map((geometry) =>
          geometry.type ? geometry : null,
        ) as ShapeLevel['geometries'],
      },
    };
  });
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
