/**
 * Water beyond the Census Bureau's files, which end a few miles off the shore and at the country's border,
 * or cover only some counties: the ocean and large lakes of Natural Earth 1:50m.
 */
import { simplifyToSources, type BasemapSource } from '../basemap-store.ts';
import { sampleWater } from '../sample/water.ts';

/**
 * Lakes that are shown at this zoom or below are needed even where the files of their counties are missing.
 */
const LARGE_LAKE_ZOOM = 3;

export async function openWater(): Promise<BasemapSource[]> {
  const water = await sampleWater();
  const open = water.filter(
    ({ kind, minZoom }) => kind === 'ocean' || (kind === 'lake' && minZoom <= LARGE_LAKE_ZOOM),
  );
  return simplifyToSources(open, () => ({ vintage: 'Natural Earth 1:50m', synthetic: false }));
}
