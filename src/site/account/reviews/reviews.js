/* The review queue where scripts run: whole requests and all of it pick what they stand for, a map
   beside it shows and picks the same, also what is on other pages, and what is chosen is counted. */
import { json, openTerritoryMap } from '../brands/territory-map.js';

const queue = document.getElementById('queue');
const everything = queue.elements.namedItem('all');
const told = queue.querySelector('.chosen');
const decisions = [...queue.querySelectorAll('[name=decision]')];
const frame = queue.querySelector('.territory-map');

/** What was asked for at once, by its id. `zips` of it: the checkbox, or null on another page. */
const requests = new Map();
for (const section of queue.querySelectorAll('[data-request]')) {
  const boxes = [...section.querySelectorAll('[name=review]')];
  requests.set(section.dataset.request, {
    toMap: section.querySelector('.to-map'),
    whole: section.querySelector('[name=batch]'),
    zips: new Map(boxes.map((box) => [box.dataset.zip, box])),
    /** Chosen, though on another page */
    elsewhere: new Set(),
  });
}

const figures = new Intl.NumberFormat('en-US');

const isChosen = ({ whole, zips, elsewhere }, zip) =>
  everything.checked || whole?.checked || zips.get(zip)?.checked || elsewhere.has(zip);

function setChosen({ zips, elsewhere }, zip, chosen) {
  const box = zips.get(zip);
  if (box) box.checked = chosen;
  else if (chosen) elsewhere.add(zip);
  else elsewhere.delete(zip);
}

/** One thing less is not all of it: what stands for many gives way to each of the others. */
function leaveOut(request, zip) {
  if (everything.checked) {
    everything.checked = false;
    for (const one of requests.values())
      for (const each of one.zips.keys()) setChosen(one, each, true);
  } else if (request.whole?.checked) {
    for (const each of request.zips.keys()) setChosen(request, each, true);
  }
  if (request.whole) request.whole.checked = false;
  setChosen(request, zip, false);
}

const figureOf = (box) => Number(box.dataset.zips);

/** How many are chosen, also on pages that nothing is known of. */
function count() {
  if (everything.checked) return figureOf(everything);
  let sum = 0;
  for (const request of requests.values()) {
    const { whole, zips } = request;
    sum += whole?.checked
      ? figureOf(whole)
      : [...zips.keys()].filter((zip) => isChosen(request, zip)).length;
  }
  return sum;
}

let map = null;

function tell() {
  const chosen = count();
  told.hidden = false;
  told.textContent =
    chosen === 0
      ? 'None chosen'
      : `${figures.format(chosen)} ${chosen === 1 ? 'ZIP code' : 'ZIP codes'} chosen`;
  for (const button of decisions) button.disabled = chosen === 0;
  map?.select(
    [...requests.values()].flatMap((request) =>
      [...request.zips.keys()].filter((zip) => isChosen(request, zip)),
    ),
  );
}

queue.addEventListener('change', ({ target }) => {
  const requestId = target.closest('[data-request]')?.dataset.request;
  const request = requests.get(requestId);
  if (target === everything) {
    for (const { whole, zips, elsewhere } of requests.values()) {
      elsewhere.clear();
      for (const box of [whole, ...zips.values()]) if (box) box.checked = everything.checked;
    }
  } else if (target === request?.whole) {
    const { checked } = target;
    // Of all, the other requests stay.
    if (!checked && everything.checked) leaveOut(request, [...request.zips.keys()][0]);
    target.checked = checked;
    request.elsewhere.clear();
    for (const box of request.zips.values()) if (box) box.checked = checked;
  } else if (request && !target.checked) {
    leaveOut(request, target.dataset.zip);
  }
  tell();
});

queue.addEventListener('reset', () => {
  for (const { elsewhere } of requests.values()) elsewhere.clear();
  // After the form itself has been
  setTimeout(tell);
});

// What is chosen on other pages has no checkbox to be sent by.
queue.addEventListener('formdata', ({ formData }) => {
  for (const [id, { elsewhere }] of requests) {
    if (elsewhere.size > 0) formData.append('picked', [id, ...elsewhere].join(' '));
  }
});

// A browser that goes back fills the form in as it was, after scripts have run.
addEventListener('pageshow', tell);

async function showMap() {
  const { live, requests: all } = await json(frame.dataset.territory);
  const split = (text) => (text === '' ? [] : text.split(' '));
  const painted = new Map(split(live).map((zip) => [zip, { status: 'live' }]));
  /** By ZIP: the requests that it waits in, each with the flags that it has there */
  const waiting = new Map();
  for (const { id, brand, by, zips, shared, isolated, bbox } of all) {
    const alone = new Set(split(isolated));
    const request = requests.get(id) ?? { whole: null, zips: new Map(), elsewhere: new Set() };
    requests.set(id, request);
    if (request.toMap && bbox) {
      request.toMap.hidden = false;
      request.toMap.addEventListener('click', () => {
        frame.scrollIntoView({ block: 'nearest' });
        map.show(bbox);
      });
    }
    for (const zip of split(zips)) {
      if (!request.zips.has(zip)) request.zips.set(zip, null);
      const asked = waiting.get(zip) ?? [];
      asked.push({ request, brand, by, sharedWith: shared[zip] ?? [], isolated: alone.has(zip) });
      waiting.set(zip, asked);
      painted.set(zip, {
        status: 'pending',
        shared: asked.some(({ sharedWith }) => sharedWith.length > 0),
        isolated: asked.some((one) => one.isolated),
      });
    }
  }
  map = await openTerritoryMap(frame, {
    label: 'Map of what waits for a decision',
    details: (zip, place) => {
      const asked = waiting.get(zip) ?? [];
      const lines = asked.flatMap(({ brand, by, sharedWith, isolated }) => [
        [`${brand}, asked by ${by}`],
        ...(sharedWith.length > 0 ? [[`Shared with ${sharedWith.join(', ')}`]] : []),
        ...(isolated ? [['Isolated']] : []),
      ]);
      const chosen =
        asked.length > 0 && asked.every(({ request }) => isChosen(request, zip))
          ? [['Chosen']]
          : [];
      const status = painted.get(zip)?.status;
      return [
        [zip],
        ...(place ? [[place]] : []),
        ...(status ? [[STATUS_LABELS[status], status]] : [['Free']]),
        ...lines,
        ...chosen,
      ];
    },
    onClick: (zip) => {
      const asked = waiting.get(zip) ?? [];
      const isOut = asked.some(({ request }) => !isChosen(request, zip));
      for (const { request } of asked) {
        if (isOut) setChosen(request, zip, true);
        else leaveOut(request, zip);
      }
      tell();
    },
  });
  map.paint(painted);
  tell();
}

const STATUS_LABELS = { live: 'Live', pending: 'Pending review' };

showMap().catch(() => {
  frame.dataset.shown = 'none';
  frame.querySelector('.failure[role]').textContent =
    'The map could not be loaded. The list has all that it shows.';
});
