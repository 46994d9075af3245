/** Draws a change on a map: what brands get is hatched, and all that changes is selected. Sends each form only once. */
import { data, find, splitWords } from '../../../../browser/dom.ts';
import { fetchJson, type CardLine } from '../../../../browser/map-view.ts';
import { submitOnce } from '../../../../browser/submit-once.ts';
import { openTerritoryMap, type ZipState } from '../../../../browser/territory-map.ts';
import type { ChangeMapData } from './map-shape.ts';

const frame = find('.territory-map', HTMLElement);

async function showMap(): Promise<void> {
  const { live, brands } = await fetchJson<ChangeMapData>(data(frame, 'territory'));
  const states = new Map<string, ZipState>();
  const lines = new Map<string, CardLine[]>();
  const add = (zip: string, line: string) => lines.set(zip, [...(lines.get(zip) ?? []), [line]]);
  for (const zip of splitWords(live)) states.set(zip, { status: 'live' });
  for (const { name, added, removed } of brands) {
    for (const zip of splitWords(removed)) add(zip, `${name} gives it up`);
    for (const zip of splitWords(added)) {
      states.set(zip, { status: 'pending' });
      add(zip, `${name} gets it`);
    }
  }
  const map = await openTerritoryMap(frame, {
    label: 'Map of the change',
    describe: (zip, place) => [
      [zip],
      ...(place ? ([[place]] as CardLine[]) : []),
      ...(lines.get(zip) ?? ([['Not part of the change']] as CardLine[])),
    ],
    onClick: () => {},
  });
  map.paint(states);
  map.select(lines.keys());
}

showMap().catch(() => {
  frame.dataset.shown = 'none';
  find('.failure[role]', HTMLElement, frame).textContent =
    'The map couldn’t be loaded. The lists show the same ZIP codes.';
});
submitOnce();
