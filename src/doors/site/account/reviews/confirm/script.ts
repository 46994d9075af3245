/** Shows the ZIP codes of a decision on a map of their brands, and submits the decision only once. */
import { data, find, splitWords } from '../../../browser/dom.ts';
import { fetchJson } from '../../../browser/map-view.ts';
import { submitOnce } from '../../../browser/submit-once.ts';
import { openTerritoryMap } from '../../../browser/territory-map.ts';
import { describeZip, readQueue, type QueueData } from '../browser/queue-data.ts';

const frame = find('.territory-map', HTMLElement);

async function showMap(): Promise<void> {
  const queue = readQueue(await fetchJson<QueueData>(data(frame, 'territory')));
  const map = await openTerritoryMap(frame, {
    label: 'Map of the ZIP codes to decide on',
    describe: (zip, place) => describeZip(zip, place, queue),
    onClick: () => {},
  });
  map.paint(queue.states);
  map.select(splitWords(data(find('[data-chosen]', HTMLElement), 'chosen')));
}

showMap().catch(() => {
  frame.dataset.shown = 'none';
  find('.failure[role]', HTMLElement, frame).textContent =
    'The map couldn’t be loaded. The lists show the same ZIP codes.';
});
submitOnce();
