/* The map of a brand, and what is selected on it. All that it shows and does, the table and the forms
   of the pages do too. */
import { card, json, openTerritoryMap } from './territory-map.js';

const frame = document.querySelector('.territory-map');
const bar = document.querySelector('.selection');
const boxes = [...document.querySelectorAll('input[type=checkbox][name=zips]')];

const STATUS_LABELS = { live: 'Live', pending: 'Pending review' };
const split = (text) => (text ? text.split(' ') : []);

/** By ZIP: its states for the map, and the names of brands that share it */
let held = new Map();
/** By ZIP: what the map shows, with the change that the page previews, if it does */
let shown = new Map();
const selected = new Set();
let map;

async function territory() {
  const { live, pending, isolated, brands, shared } = await json(frame.dataset.territory);
  const zips = new Map();
  for (const zip of split(live)) zips.set(zip, { status: 'live' });
  for (const zip of split(pending)) zips.set(zip, { status: 'pending' });
  for (const zip of split(isolated)) zips.get(zip).isolated = true;
  for (const [zip, by] of Object.entries(shared)) {
    Object.assign(zips.get(zip), { shared: true, sharedWith: by.map((i) => brands[i]) });
  }
  return zips;
}

function withChange() {
  const zips = new Map(held);
  for (const zip of split(frame.dataset.added)) zips.set(zip, { status: 'pending', added: true });
  for (const zip of split(frame.dataset.removed)) {
    zips.set(zip, { ...zips.get(zip), status: 'removed', removed: true });
  }
  return zips;
}

function details(zip, place) {
  const { status, isolated, sharedWith } = held.get(zip) ?? {};
  const { added, removed } = shown.get(zip) ?? {};
  return [
    [zip],
    ...(place ? [[place]] : []),
    [STATUS_LABELS[status] ?? 'Not held', status ?? 'free'],
    ...(sharedWith ? [[`Shared with ${sharedWith.join(', ')}`]] : []),
    ...(isolated ? [['Isolated']] : []),
    ...(added ? [['Would be added']] : []),
    ...(removed ? [['Would be removed']] : []),
    ...(selected.has(zip) ? [['Selected']] : []),
  ];
}

const counted = (n, what) => `${n.toLocaleString('en-US')} ${what}`;

/** Wherever something was selected, the map, the table and the bar beneath the map show it. */
function showSelection() {
  map?.select(selected);
  for (const box of boxes) box.checked = selected.has(box.value);
  if (!bar) return;
  const own = [...selected].filter((zip) => held.has(zip));
  const free = [...selected].filter((zip) => !held.has(zip));
  bar.hidden = selected.size === 0;
  bar.querySelector('[role=status]').textContent =
    selected.size === 0
      ? ''
      : `${counted(selected.size, 'selected')}: ${[
          ...(free.length > 0 ? [counted(free.length, 'not held')] : []),
          ...(own.length > 0 ? [counted(own.length, 'held')] : []),
        ].join(', ')}`;
  const [add, remove] = bar.querySelectorAll('form');
  for (const [form, zips] of [
    [add, free],
    [remove, own],
  ]) {
    form.hidden = zips.length === 0;
    form.elements.zips.value = zips.sort().join(' ');
    form.querySelector('.selected-count').textContent = zips.length.toLocaleString('en-US');
  }
}

function toggle(zip) {
  if (!selected.delete(zip)) selected.add(zip);
  showSelection();
}

/* Of the ZIP that was clicked last, more than beside the pointer */
const panel = frame.querySelector('.zip-details');
let toldZip = null;

async function tell(zip, place) {
  toldZip = zip;
  panel.hidden = zip === null;
  if (zip === null) return;
  const content = panel.querySelector('div');
  const lines = details(zip, place);
  content.replaceChildren(card(lines));
  const url = new URL(`zips/${zip}.json`, new URL(frame.dataset.territory, location.href));
  const { metro, households, since, review } = await json(url.pathname).catch(() => ({}));
  if (toldZip !== zip) return;
  content.replaceChildren(
    card([
      ...lines,
      ...(review ? [[`Latest review: ${review}`]] : []),
      ...(since ? [[`So since ${since}`]] : []),
      ...(households ? [[counted(households, 'households')]] : []),
      ...(metro ? [[`Metro: ${metro}`]] : []),
    ]),
  );
}
panel.querySelector('button').addEventListener('click', () => void tell(null));

/** Where the next click on the map picks a point instead: called with it, once. */
let pickPoint = null;

async function showMap() {
  held = await territory();
  shown = withChange();
  map = await openTerritoryMap(frame, {
    label: bar
      ? 'Map of the territory. ZIP codes are selected by a click; the table and the forms below do the same.'
      : 'Map of the territory',
    details,
    onClick(zip, lngLat, place) {
      if (pickPoint) {
        pickPoint(lngLat);
        return;
      }
      if (bar && zip) toggle(zip);
      void tell(zip, place);
    },
  });
  map.paint(shown);
  for (const button of document.querySelectorAll('.areas button')) {
    button.closest('.areas').hidden = false;
    button.addEventListener('click', () => map.show(button.dataset.bbox.split(' ').map(Number)));
  }
  showSelection();
}

showMap().catch(() => {
  frame.dataset.shown = 'none';
  frame.querySelector('.failure[role]').textContent =
    'The map could not be loaded. The page works without it.';
});

for (const box of boxes) {
  // As it was left, where a browser keeps it.
  if (box.checked) selected.add(box.value);
  box.addEventListener('change', () => toggle(box.value));
}

bar?.querySelector('.clear').addEventListener('click', () => {
  selected.clear();
  showSelection();
});

/* By a radius: around a ZIP that is named, or a point that is picked on the map */
const radius = bar && document.querySelector('form.radius');
if (radius) {
  const { around, lat, lng, miles } = radius.elements;
  const pick = radius.querySelector('.pick');
  const selectWithin = radius.querySelector('.select-within');
  const status = radius.querySelector('.radius-status');
  pick.hidden = selectWithin.hidden = false;
  const setPoint = (point) => {
    lat.value = point?.lat.toFixed(5) ?? '';
    lng.value = point?.lng.toFixed(5) ?? '';
    around.required = !point;
    map?.mark(point);
  };
  pick.addEventListener('click', () => {
    pick.setAttribute('aria-pressed', 'true');
    status.textContent = 'Click the middle on the map.';
    frame.scrollIntoView({ block: 'center' });
    frame.classList.add('picking');
    pickPoint = (point) => {
      pickPoint = null;
      frame.classList.remove('picking');
      pick.setAttribute('aria-pressed', 'false');
      around.value = '';
      setPoint(point);
      void within();
    };
  });
  around.addEventListener('input', () => setPoint(null));
  async function within() {
    if (!radius.reportValidity()) return;
    const query = new URLSearchParams(new FormData(radius));
    const answer = await fetch(`${radius.dataset.within}?${query}`)
      .then((response) => response.json())
      .catch(() => ({ error: 'The service cannot be reached. Please try again.' }));
    if (answer.error) {
      status.textContent = answer.error;
      return;
    }
    const found = split(answer.zips);
    const free = found.filter((zip) => !held.has(zip));
    for (const zip of free) selected.add(zip);
    status.textContent = `${counted(found.length, 'found')} within ${miles.value} miles, ${counted(
      found.length - free.length,
      'held already',
    )}; the others are selected.`;
    showSelection();
    map?.show(answer.bbox);
  }
  selectWithin.addEventListener('click', () => void within());
}

/* What was done just now, until it is dismissed: a reload does not tell it again */
const toast = document.querySelector('.toast');
if (toast) {
  const url = new URL(location.href);
  url.searchParams.delete('removed');
  history.replaceState(null, '', url);
  const dismiss = toast.querySelector('.dismiss');
  dismiss.hidden = false;
  const close = () => toast.remove();
  dismiss.addEventListener('click', close);
  toast.addEventListener('keydown', ({ key }) => key === 'Escape' && close());
  // Screen readers tell what changes in a region that they know, not what is there from the start.
  const text = toast.querySelector('p');
  const told = text.textContent;
  text.textContent = '';
  setTimeout(() => (text.textContent = told), 300);
}

/* Sent once: the service would not do it twice either. */
for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', () => {
    setTimeout(() => (form.querySelector('button').disabled = true));
  });
}
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  for (const button of document.querySelectorAll('form[data-once] button')) button.disabled = false;
});
