/** The colors of ZIP codes: by the measure in the market, and by class in the rest of the country. */
import type { Shading } from '../../../../browser/zip-choropleth.ts';
import { classIn } from '../../../../browser/zip-classes.ts';
import { config, pathWith } from '../config.ts';
import { isScore, scoreOf, uploadNameOf, verticalOf } from '../measures.ts';
import { request } from '../requests.ts';
import { breaksOf, classOf, colorOfClass, type Breaks } from './shades.ts';
import type { WorkspaceState } from '../state.ts';

/**
 * Whether the map colors the country by a measure. Public scores are free, but other classes reveal
 * figures.
 */
export const isNational = (measure: string): boolean =>
  measure === scoreOf(verticalOf(measure) ?? '') ||
  (config().seesCountry && uploadNameOf(measure) === null);

const loaded = new Map<string, Promise<string>>();

/**
 * Loads the colors of all ZIP codes of the country for a measure, once.
 * @returns a single text (`site/browser/zip-classes.ts`)
 */
function nationalClasses(measure: string, breaks: Breaks): Promise<string> {
  const path = pathWith(config().paths.classes, measure);
  const address = isScore(measure) ? path : `${path}&breaks=${breaks.join(',')}`;
  const known = loaded.get(address);
  if (known) return known;
  const loading = request(address)
    .then((response) => response.text())
    .then((text) => text.replaceAll(/\d/g, (index) => `${colorOfClass(Number(index), breaks)}`));
  loaded.set(address, loading);
  loading.catch(() => loaded.delete(address));
  return loading;
}

/** Colors the market by the measure and the rest of the country by class. */
export async function shadingOf({ market, colorBy, proposal }: WorkspaceState): Promise<Shading> {
  const own = new Map<string, number | null>();
  // A comparison is colored only by territory.
  if (colorBy === 'territory' || proposal) return { national: '', own };
  const values = market?.columns.get(colorBy);
  const breaks = breaksOf(colorBy, values ?? new Float64Array());
  // Census values use the breaks of the market. Without the country, the market has its own colors.
  const hasCountry = isNational(colorBy) && (values !== undefined || isScore(colorBy));
  const national = hasCountry ? await nationalClasses(colorBy, breaks).catch(() => '') : '';
  for (const [number, zip] of market?.zips.entries() ?? []) {
    // Figures may be withheld, but classes of public scores are free.
    const index = values ? classOf(values[number]!, breaks) : null;
    own.set(zip, index === null ? classIn(national, zip) : colorOfClass(index, breaks));
  }
  return { national, own };
}
