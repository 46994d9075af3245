/** Runs the actions in the page's address, once the market is loaded. */
import { readAsked, withoutAsked } from './asked.ts';
import { config } from './config.ts';
import { countZips } from './counts.ts';
import { bboxOf, numbersIn, type Bbox } from './market.ts';
import { store } from './state.ts';

let { zips, filter } = readAsked(location.search);
history.replaceState(null, '', `${location.pathname}${withoutAsked(location.search)}`);

/**
 * Returns the filter in the address. Only the first call returns it, so that a panel opened later starts
 * without one.
 */
export function takeFilter(): string {
  const taken = filter;
  filter = '';
  return taken;
}

/**
 * Selects the ZIP codes, and chooses the brand that should receive them.
 * @returns their extent; null if there are none
 */
export function doAsked(): Bbox | null {
  const { market, draft } = store.get();
  if (!market) return null;
  const brand = config().brand;
  const receiver = draft.territories.find((territory) => territory.brand?.id === brand);
  if (receiver) store.update({ target: receiver.number });
  const selection = numbersIn(market, zips);
  const missing = new Set(zips).size - selection.size;
  zips = [];
  if (missing > 0) {
    const text = `${countZips(missing)} of the link ${missing === 1 ? 'isn’t' : 'aren’t'} in ${market.label}.`;
    store.update({ notice: { text } });
  }
  if (selection.size === 0) return null;
  store.update({ selection });
  return bboxOf(market, selection);
}
