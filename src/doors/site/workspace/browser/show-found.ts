/** Shows a place from the search: in the market, or in another market that contains it. */
import type { FoundPlace } from '../../browser/found-place.ts';
import { openPlace } from './load.ts';
import type { Bbox, Market } from './market.ts';
import { store } from './state.ts';

export async function showFound(
  { kind, zip, bbox, metro, state }: FoundPlace,
  fly: (bbox: Bbox) => void,
): Promise<void> {
  const { market } = store.get();
  const isHere =
    market !== null && (zip === null ? contains(market, bbox) : market.numbers.has(zip));
  if (!isHere && metro) await openPlace(`metro=${metro}`);
  else if (!isHere && kind === 'state' && state) await openPlace(`state=${state}`);
  // A place outside all metros is shown with only score classes, without loading its state's figures.
  if (bbox) fly(bbox);
  const number = zip === null ? undefined : store.get().market?.numbers.get(zip);
  if (number !== undefined) store.update({ selection: new Set([number]), hovered: number });
}

/** Whether the middle of a box is inside the market's box */
function contains({ bbox: [west, south, east, north] }: Market, bbox: Bbox | null): boolean {
  if (bbox === null) return false;
  const [x, y] = [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2];
  return x >= west && x <= east && y >= south && y <= north;
}
