/**
 * Selects the ZIP codes of drawn areas. More than half of each ZIP code lies inside the union of the areas.
 */
import { kinks } from '@turf/kinks';
import type { Reading } from '../../../base/lists/finding.ts';
import type { ImportedArea } from './read-features.ts';
import { isRepairable, type ImportLookUps } from './look-ups.ts';

/** @throws ServiceError 400 if the areas are too complex; 503 while other imports match areas */
export async function zipsInAreas(
  lookUps: ImportLookUps,
  areas: readonly ImportedArea[],
): Promise<Reading[]> {
  if (areas.length === 0) return [];
  const { named, invalid, zips } = await lookUps.matchAreas(
    areas.map(({ at, possibleZip, bbox, positions, shape }) => ({
      at,
      possibleZip,
      bbox,
      positions,
      geoJson: JSON.stringify(shape),
    })),
  );
  const areaAt = new Map(areas.map((area) => [area.at, area]));
  const noteAt = new Map<number, string>();
  const readings = zips.map(({ zip, share, at }): Reading => {
    const area = areaAt.get(at)!;
    const inside = `${percent(share)} of it lies inside.`;
    if (!invalid.has(at)) return { at, given: area.given, zip, outcome: 'new', reason: inside };
    const note = noteAt.get(at) ?? repairNote(area);
    noteAt.set(at, note);
    return { at, given: area.given, zip, outcome: 'guessed', reason: `${inside} ${note}` };
  });
  const matched = new Set(zips.map(({ at }) => at));
  for (const area of areas) {
    const { at, given, possibleZip } = area;
    if (named.has(at)) {
      const reason = 'The feature’s code is a ZIP code at the same location.';
      readings.push({ at, given: given || possibleZip!, zip: possibleZip, outcome: 'new', reason });
    } else if (invalid.has(at) && !isRepairable(area)) {
      readings.push({ at, given, zip: null, outcome: 'not_understood', reason: UNREPAIRABLE });
    } else if (!matched.has(at)) {
      const reason = 'Every ZIP code mostly inside, if any, belongs to another feature.';
      readings.push({ at, given, zip: null, outcome: 'not_understood', reason });
    }
  }
  return readings.sort((a, b) => a.at - b.at || ((a.zip ?? '') < (b.zip ?? '') ? -1 : 1));
}

const UNREPAIRABLE =
  'The outline is invalid, for example because it crosses itself, and has too many corners to ' +
  'repair. Repair or simplify it.';

function repairNote({ shape }: ImportedArea): string {
  const [crossing] = kinks(shape).features;
  if (!crossing) return 'The outline is invalid and was repaired: check the result.';
  const [lng, lat] = crossing.geometry.coordinates.map((degrees) => degrees.toFixed(4));
  return `The outline crosses itself near ${lng}, ${lat} and was repaired: check the result.`;
}

/** Formats a percentage to one decimal. Rounds down, so that less than 50% isn’t shown as 50%. */
const percent = (share: number) => `${Math.min(100, Math.floor(1000 * share) / 10)}%`;
