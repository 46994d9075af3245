/** The classes of the country's ZIP codes, for the map outside the market. */
import { fetchOk } from '../../../browser/map-view.ts';
import { config, pathWith } from './config.ts';
import { isScore, scoreOf, uploadNameOf, verticalOf } from './measures.ts';
import { colorOfClass, type Breaks } from './shades.ts';

/** Whether the map colors the country by a measure: public scores are free, and other classes say as much as figures. */
export const isNational = (measure: string): boolean =>
  measure === scoreOf(verticalOf(measure) ?? '') ||
  (config().seesCountry && uploadNameOf(measure) === null);

const loaded = new Map<string, Promise<string>>();

/**
 * Loads the colors of all ZIP codes of the country by a measure, once.
 * @returns one text (`zip-classes.ts`)
 */
export function nationalClasses(measure: string, breaks: Breaks): Promise<string> {
  const path = pathWith(config().paths.classes, measure);
  const address = isScore(measure) ? path : `${path}&breaks=${breaks.join(',')}`;
  const known = loaded.get(address);
  if (known) return known;
  const loading = fetchOk(address)
    .then((response) => response.text())
    .then((text) => text.replaceAll(/\d/g, (index) => `${colorOfClass(Number(index), breaks)}`));
  loaded.set(address, loading);
  loading.catch(() => loaded.delete(address));
  return loading;
}
