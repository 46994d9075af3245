/**
 * The review queue: checkboxes for whole requests and for the whole queue, a map that selects the same ZIP
 * codes as the list, including those on other pages, and a count of the selection.
 */
import {
  control,
  data,
  find,
  findAll,
  findById,
  findOptional,
  splitWords,
} from '../../../browser/dom.ts';
import { fetchJson } from '../../../browser/map-view.ts';
import { openTerritoryMap, type TerritoryMap } from '../../../browser/territory-map.ts';
import { describeZip, readQueue, type QueueData } from '../browser/queue-data.ts';

interface QueuedRequest {
  /** The button that shows the request on the map; null for a request on another page */
  showOnMap: HTMLButtonElement | null;
  /** The checkbox of the whole request; null for a single ZIP code, or if it is on another page */
  wholeRequest: HTMLInputElement | null;
  /** The checkbox of each ZIP code; null if it is on another page */
  zips: Map<string, HTMLInputElement | null>;
  /** ZIP codes that are selected but listed on another page */
  selectedElsewhere: Set<string>;
}

const queue = findById('queue', HTMLFormElement);
const wholeQueue = control(queue, 'all', HTMLInputElement);
const status = find('.chosen', HTMLElement, queue);
const decisionButtons = findAll('[name=decision]', HTMLButtonElement, queue);
const frame = find('.territory-map', HTMLElement, queue);

const requests = new Map<string, QueuedRequest>();
for (const section of findAll('[data-request]', HTMLElement, queue)) {
  const checkboxes = findAll('[name=review]', HTMLInputElement, section);
  requests.set(data(section, 'request'), {
    showOnMap: findOptional('.to-map', HTMLButtonElement, section),
    wholeRequest: findOptional('[name=batch]', HTMLInputElement, section),
    zips: new Map(checkboxes.map((checkbox) => [data(checkbox, 'zip'), checkbox])),
    selectedElsewhere: new Set(),
  });
}

const isSelected = ({ wholeRequest, zips, selectedElsewhere }: QueuedRequest, zip: string) =>
  wholeQueue.checked ||
  wholeRequest?.checked === true ||
  zips.get(zip)?.checked === true ||
  selectedElsewhere.has(zip);

function setSelected(request: QueuedRequest, zip: string, selected: boolean): void {
  const checkbox = request.zips.get(zip);
  if (checkbox) checkbox.checked = selected;
  else if (selected) request.selectedElsewhere.add(zip);
  else request.selectedElsewhere.delete(zip);
}

function selectAll(request: QueuedRequest): void {
  for (const zip of request.zips.keys()) setSelected(request, zip, true);
}

/**
 * Unchecks a ZIP code. If a checkbox for the whole is checked, replaces it with those of all other ZIP
 * codes.
 */
function deselect(request: QueuedRequest, zip: string): void {
  if (wholeQueue.checked) {
    wholeQueue.checked = false;
    for (const each of requests.values()) selectAll(each);
  } else if (request.wholeRequest?.checked) {
    selectAll(request);
  }
  if (request.wholeRequest) request.wholeRequest.checked = false;
  setSelected(request, zip, false);
}

const selectedZips = (request: QueuedRequest) =>
  [...request.zips.keys()].filter((zip) => isSelected(request, zip));

/**
 * Counts the selected ZIP codes, including those on other pages, of which this page knows only the number.
 */
function countSelected(): number {
  const zipsOf = (checkbox: HTMLInputElement) => Number(data(checkbox, 'zips'));
  if (wholeQueue.checked) return zipsOf(wholeQueue);
  let count = 0;
  for (const request of requests.values()) {
    count += request.wholeRequest?.checked
      ? zipsOf(request.wholeRequest)
      : selectedZips(request).length;
  }
  return count;
}

let map: TerritoryMap | undefined;

function showSelection(): void {
  const count = countSelected();
  status.textContent =
    count === 0
      ? 'None selected'
      : `${count.toLocaleString('en-US')} ${count === 1 ? 'ZIP code' : 'ZIP codes'} selected`;
  for (const button of decisionButtons) button.disabled = count === 0;
  map?.select([...requests.values()].flatMap(selectedZips));
}

function wholeQueueChanged(): void {
  for (const { wholeRequest, zips, selectedElsewhere } of requests.values()) {
    selectedElsewhere.clear();
    for (const checkbox of [wholeRequest, ...zips.values()]) {
      if (checkbox) checkbox.checked = wholeQueue.checked;
    }
  }
}

function wholeRequestChanged(request: QueuedRequest, { checked }: HTMLInputElement): void {
  const [anyZip] = request.zips.keys();
  // The other requests stay selected.
  if (!checked && wholeQueue.checked && anyZip !== undefined) deselect(request, anyZip);
  request.selectedElsewhere.clear();
  for (const checkbox of [request.wholeRequest, ...request.zips.values()]) {
    if (checkbox) checkbox.checked = checked;
  }
}

queue.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  const section = target.closest<HTMLElement>('[data-request]');
  const request = section && requests.get(data(section, 'request'));
  if (target === wholeQueue) wholeQueueChanged();
  else if (request && target === request.wholeRequest) wholeRequestChanged(request, target);
  else if (request && !target.checked) deselect(request, data(target, 'zip'));
  showSelection();
});

queue.addEventListener('reset', () => {
  for (const { selectedElsewhere } of requests.values()) selectedElsewhere.clear();
  // The event fires before the form is reset.
  setTimeout(showSelection);
});

// ZIP codes on other pages have no checkbox that would submit them.
queue.addEventListener('formdata', ({ formData }) => {
  for (const [id, { selectedElsewhere }] of requests) {
    if (selectedElsewhere.size > 0) formData.append('picked', [id, ...selectedElsewhere].join(' '));
  }
});

// When a browser goes back, it restores the form after scripts have run.
addEventListener('pageshow', showSelection);

async function showMap(): Promise<void> {
  const queueData = await fetchJson<QueueData>(data(frame, 'territory'));
  const queueMap = readQueue(queueData);
  for (const { id, zips, bbox } of queueData.requests) {
    const request = requests.get(id) ?? {
      showOnMap: null,
      wholeRequest: null,
      zips: new Map(),
      selectedElsewhere: new Set(),
    };
    requests.set(id, request);
    const { showOnMap } = request;
    if (showOnMap && bbox) {
      showOnMap.hidden = false;
      showOnMap.addEventListener('click', () => {
        frame.scrollIntoView({ block: 'nearest' });
        map?.fly(bbox);
      });
    }
    for (const zip of splitWords(zips)) if (!request.zips.has(zip)) request.zips.set(zip, null);
  }
  const requestsFor = (zip: string) =>
    (queueMap.requests.get(zip) ?? []).map(({ id }) => requests.get(id)!);

  map = await openTerritoryMap(frame, {
    label: 'Map of the ZIP codes pending review',
    describe(zip, place) {
      const forZip = requestsFor(zip);
      const selected = forZip.length > 0 && forZip.every((request) => isSelected(request, zip));
      const lines = describeZip(zip, place, queueMap);
      return selected ? [...lines, ['Selected']] : lines;
    },
    onClick(zip) {
      if (zip === null) return;
      const forZip = requestsFor(zip);
      const selectIt = forZip.some((request) => !isSelected(request, zip));
      for (const request of forZip) {
        if (selectIt) setSelected(request, zip, true);
        else deselect(request, zip);
      }
      showSelection();
    },
  });
  map.paint(queueMap.states);
  showSelection();
}

showMap().catch(() => {
  frame.dataset.shown = 'none';
  find('.failure[role]', HTMLElement, frame).textContent =
    'The map couldn’t be loaded. The list shows the same ZIP codes.';
});
