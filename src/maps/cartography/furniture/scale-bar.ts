/** Scale bars in miles and kilometers, right for the latitude of the map's center. */
import type { ScaleBar } from '../../../render/furniture/furniture.ts';
import type { Camera } from '../../../base/spatial/camera.ts';
import { worldSizePx } from '../../../base/spatial/mercator.ts';
import { METERS_PER_MILE } from '../../../base/spatial/miles.ts';

/** Length of the equator of the sphere that Web Mercator projects, in meters */
const EQUATOR_M = 2 * Math.PI * 6_378_137;

/** The first unit is above the line */
const UNITS = [
  { meters: METERS_PER_MILE, one: 'mile', several: 'miles' },
  { meters: 1000, one: 'km', several: 'km' },
] as const;

/** Maximum length of a bar, as a share of the picture's width and in CSS pixels */
const MAX_SHARE = 0.2;
const MAX_PX = 160;

/** @param widthPx of the map, CSS pixels */
export function scaleBarOf({ center: [, lat], zoom }: Camera, widthPx: number): ScaleBar {
  const metersPerPx = (EQUATOR_M * Math.cos((lat * Math.PI) / 180)) / worldSizePx(zoom);
  const longest = Math.min(MAX_PX, widthPx * MAX_SHARE) * metersPerPx;
  return UNITS.map(({ meters, one, several }) => {
    const distance = roundDown(longest / meters);
    return {
      label: `${distance.toLocaleString('en-US')} ${distance === 1 ? one : several}`,
      lengthPx: (distance * meters) / metersPerPx,
    };
  });
}

/** The largest number not above the given one that is 1, 2, or 5 times a power of ten. */
function roundDown(number: number): number {
  const power = 10 ** Math.floor(Math.log10(number));
  const digit = [5, 2, 1].find((step) => step * power <= number * (1 + 1e-9)) ?? 1;
  return Number((digit * power).toPrecision(1));
}
