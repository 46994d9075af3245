/** Merges the areas of many ZIP codes without blocking the event loop. */
import type { MultiPolygon } from 'geojson';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { dissolve } from '../../base/spatial/dissolve.ts';

/** ZIP codes to merge at a time */
const SLICE = 300;

/**
 * Returns the merged area, or null without areas. Other tasks run between slices and after the last one.
 */
export async function dissolveInSlices(
  shapes: readonly MultiPolygon[],
): Promise<MultiPolygon | null> {
  let areas = shapes;
  // Most edges within a slice cancel out, since neighbors are listed together. The next round has fewer.
  while (areas.length > SLICE) {
    const merged: MultiPolygon[] = [];
    for (let from = 0; from < areas.length; from += SLICE) {
      merged.push(...(await mergeShapes(areas.slice(from, from + SLICE))));
    }
    areas = merged;
  }
  return (await mergeShapes(areas))[0] ?? null;
}

async function mergeShapes(shapes: readonly MultiPolygon[]): Promise<MultiPolygon[]> {
  const [area] = dissolve(
    shapes.map((geometry) => ({ group: 0, geometry })),
    1,
  );
  await letOthersRun();
  return area ? [area] : [];
}
