/** The colors of ZIP codes: by the measure in the market, and by class in the rest of the country. */
import { changeShade, whiteSpaceShade, type Shading } from '../../../browser/zip-choropleth.ts';
import { classIn } from '../../../browser/zip-classes.ts';
import { config, pathWith } from '../config.ts';
import { changedIn, dataSlugOf, isScore, scoreOf, verticalOf } from '../measures.ts';
import { changesIn } from './change-classes.ts';
import { request } from '../requests.ts';
import { breaksOf, classOf, colorOfClass, type Breaks } from './shades.ts';
import type { WorkspaceState } from '../state.ts';
import { whiteSpaceOf } from '../white-space/white-space-of.ts';

/**
 * Whether the map colors the country by a measure. Public scores are free, but other classes reveal
 * figures.
 */
export const isNational = (measure: string): boolean =>
  measure === scoreOf(verticalOf(measure) ?? '') ||
  (config().seesCountry && dataSlugOf(measure) === null && changedIn(measure) === null);

const loaded = new Map<string, Promise<string>>();

/**
 * Loads the colors of all ZIP codes of the country for a measure, once.
 * @returns a single text (`doors/site/browser/zip-classes.ts`)
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
export async function shadingOf(state: WorkspaceState): Promise<Shading> {
  const { market, colorBy, proposal } = state;
  const own = new Map<string, number | null>();
  // A comparison is colored only by territory.
  if (proposal) return { national: '', own };
  const space = whiteSpaceOf(state);
  if (space) {
    const shades = space.classes.map((name) => name && whiteSpaceShade(name));
    return { national: '', own: new Map(shades.map((shade, i) => [market!.zips[i]!, shade])) };
  }
  if (colorBy === 'territory') return { national: '', own };
  const values = market?.columns.get(colorBy);
  const changes = market && changesIn(market, colorBy);
  if (changes) {
    const shades = changes.classes.map((name) => name && changeShade(name));
    return { national: '', own: new Map(shades.map((shade, i) => [market.zips[i]!, shade])) };
  }
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
