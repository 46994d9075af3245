/**
 * The map of a brand and the ZIP codes selected on it. The table and the forms of the pages offer the
 * same without scripts.
 */
import type { LngLat } from 'maplibre-gl';
import {
  control,
  data,
  find,
  findAll,
  findOptional,
  formFields,
  splitWords,
} from '../../../browser/dom.ts';
import {
  type Bbox,
  type CardLine,
  createCard,
  fetchJson,
  parseBbox,
  ZIP_STATUS_LABELS,
} from '../../../browser/map-view.ts';
import { submitOnce } from '../../../browser/submit-once.ts';
import {
  openTerritoryMap,
  type TerritoryMap,
  type ZipState,
} from '../../../browser/territory-map.ts';
import { showToast } from '../../../browser/toast.ts';

/** Lists of ZIP codes are texts, separated by spaces. */
interface MapData {
  live: string;
  pending: string;
  isolated: string;
  brands: string[];
  /** By ZIP code: indexes into `brands` */
  shared: Record<string, number[]>;
}

interface ZipFacts {
  metro?: string | null;
  households?: number | null;
  /** Why there are no figures */
  withheld?: string;
  since?: string | null;
  review?: string | null;
}

type RadiusAnswer = { zips: string; within: string; bbox: Bbox } | { error: string };

interface HeldZip extends ZipState {
  sharedWith?: string[];
}

const frame = find('.territory-map', HTMLElement);
/** The bar of the selection; null on previews and for read-only members */
const bar = findOptional('.selection', HTMLElement);
const checkboxes = findAll('input[type=checkbox][name=zips]', HTMLInputElement);

let held = new Map<string, HeldZip>();
/** `held` with the change that the page previews */
let drawn = new Map<string, ZipState>();
const selected = new Set<string>();
let map: TerritoryMap | undefined;

async function loadHeldZips(): Promise<Map<string, HeldZip>> {
  const { live, pending, isolated, brands, shared } = await fetchJson<MapData>(
    data(frame, 'territory'),
  );
  const zips = new Map<string, HeldZip>();
  const add = (zip: string, facts: HeldZip) => zips.set(zip, { ...zips.get(zip), ...facts });
  for (const zip of splitWords(live)) add(zip, { status: 'live' });
  for (const zip of splitWords(pending)) add(zip, { status: 'pending' });
  for (const zip of splitWords(isolated)) add(zip, { isolated: true });
  for (const [zip, indexes] of Object.entries(shared)) {
    add(zip, { shared: true, sharedWith: indexes.map((i) => brands[i] ?? '') });
  }
  return zips;
}

function withPreviewedChange(): Map<string, ZipState> {
  const zips = new Map<string, ZipState>(held);
  for (const zip of splitWords(frame.dataset.added)) {
    zips.set(zip, { status: 'pending', added: true });
  }
  for (const zip of splitWords(frame.dataset.removed)) {
    zips.set(zip, { ...zips.get(zip), status: 'removed', removed: true });
  }
  return zips;
}

function describeZip(zip: string, place: string | undefined): CardLine[] {
  const { status, isolated, sharedWith } = held.get(zip) ?? {};
  const { added, removed } = drawn.get(zip) ?? {};
  const lines: CardLine[] = [[zip]];
  if (place) lines.push([place]);
  lines.push(status ? [ZIP_STATUS_LABELS[status] ?? status, status] : ['Not held', 'free']);
  if (sharedWith) lines.push([`Shared with ${sharedWith.join(', ')}`]);
  if (isolated) lines.push(['Isolated']);
  if (added) lines.push(['To be added']);
  if (removed) lines.push(['To be removed']);
  if (selected.has(zip)) lines.push(['Selected']);
  return lines;
}

const counted = (n: number, what: string) => `${n.toLocaleString('en-US')} ${what}`;

/** Shows the selection on the map, in the table, and in the bar. */
function showSelection(): void {
  map?.select(selected);
  for (const checkbox of checkboxes) checkbox.checked = selected.has(checkbox.value);
  if (!bar) return;
  const heldZips = [...selected].filter((zip) => held.has(zip));
  const freeZips = [...selected].filter((zip) => !held.has(zip));
  const parts = [
    ...(freeZips.length > 0 ? [counted(freeZips.length, 'not held')] : []),
    ...(heldZips.length > 0 ? [counted(heldZips.length, 'held')] : []),
  ];
  bar.hidden = selected.size === 0;
  find('[role=status]', HTMLElement, bar).textContent =
    selected.size === 0 ? '' : `${counted(selected.size, 'selected')}: ${parts.join(', ')}`;
  const [addForm, removeForm] = findAll('form', HTMLFormElement, bar);
  showSelectionForm(addForm, freeZips);
  showSelectionForm(removeForm, heldZips);
}

function showSelectionForm(form: HTMLFormElement | undefined, zips: string[]): void {
  if (!form) return;
  form.hidden = zips.length === 0;
  control(form, 'zips', HTMLInputElement).value = zips.sort().join(' ');
  find('.selected-count', HTMLElement, form).textContent = zips.length.toLocaleString('en-US');
}

function toggle(zip: string): void {
  if (!selected.delete(zip)) selected.add(zip);
  showSelection();
}

/** The panel with more facts about the ZIP code that was clicked last */
const panel = find('.zip-details', HTMLElement, frame);
let panelZip: string | null = null;

async function showPanel(zip: string | null, place?: string): Promise<void> {
  panelZip = zip;
  panel.hidden = zip === null;
  if (zip === null) return;
  const content = find('div', HTMLElement, panel);
  const lines = describeZip(zip, place);
  content.replaceChildren(createCard(lines));
  const url = new URL(`zips/${zip}.json`, new URL(data(frame, 'territory'), location.href));
  const { metro, households, withheld, since, review } = await fetchJson<ZipFacts>(
    url.pathname,
  ).catch((): ZipFacts => ({}));
  if (panelZip !== zip) return;
  if (review) lines.push([`Latest review: ${review}`]);
  if (since) lines.push([`Since ${since}`]);
  if (households) lines.push([counted(households, 'households')]);
  if (metro) lines.push([`Metro: ${metro}`]);
  if (withheld) lines.push([withheld]);
  content.replaceChildren(createCard(lines));
}

find('button', HTMLButtonElement, panel).addEventListener('click', () => void showPanel(null));

/** Receives the next click on the map in place of the selection. */
let pickPoint: ((point: LngLat) => void) | null = null;

async function showMap(): Promise<void> {
  held = await loadHeldZips();
  drawn = withPreviewedChange();
  const opened = await openTerritoryMap(frame, {
    label: bar
      ? 'Map of the territory. Click ZIP codes to select them, or use the table and the forms below.'
      : 'Map of the territory',
    describe: describeZip,
    onClick(zip, point, place) {
      if (pickPoint) {
        pickPoint(point);
        return;
      }
      if (bar && zip !== null) toggle(zip);
      void showPanel(zip, place);
    },
  });
  map = opened;
  map.paint(drawn);
  for (const areas of findAll('.areas', HTMLElement)) {
    areas.hidden = false;
    for (const button of findAll('button', HTMLButtonElement, areas)) {
      button.addEventListener('click', () => opened.fly(parseBbox(data(button, 'bbox'))));
    }
  }
  showSelection();
}

showMap().catch(() => {
  frame.dataset.shown = 'none';
  find('.failure[role]', HTMLElement, frame).textContent =
    'The map could not be loaded. The page works without it.';
});

for (const checkbox of checkboxes) {
  // Browsers restore checkboxes when the page is reloaded.
  if (checkbox.checked) selected.add(checkbox.value);
  checkbox.addEventListener('change', () => toggle(checkbox.value));
}

if (bar) {
  find('.clear', HTMLButtonElement, bar).addEventListener('click', () => {
    selected.clear();
    showSelection();
  });
  selectByRadius(find('form.radius', HTMLFormElement));
}

/** Selects the free ZIP codes around a ZIP code, or around a point picked on the map. */
function selectByRadius(form: HTMLFormElement): void {
  const field = (name: string) => control(form, name, HTMLInputElement);
  const around = field('around');
  const pick = find('.pick', HTMLButtonElement, form);
  const select = find('.select-within', HTMLButtonElement, form);
  const status = find('.radius-status', HTMLElement, form);
  pick.hidden = false;
  select.hidden = false;

  const setPoint = (point: LngLat | null) => {
    field('lat').value = point?.lat.toFixed(5) ?? '';
    field('lng').value = point?.lng.toFixed(5) ?? '';
    around.required = !point;
    map?.setPin(point);
  };

  const selectWithin = async () => {
    if (!form.reportValidity()) return;
    const answer = await fetch(`${data(form, 'within')}?${formFields(form)}`)
      .then(async (response) => (await response.json()) as RadiusAnswer)
      .catch(() => ({ error: 'The service cannot be reached. Please try again.' }));
    if ('error' in answer) {
      status.textContent = answer.error;
      return;
    }
    const found = splitWords(answer.zips);
    const free = found.filter((zip) => !held.has(zip));
    for (const zip of free) selected.add(zip);
    const alreadyHeld = counted(found.length - free.length, 'already held');
    status.textContent = `${counted(found.length, 'found')} ${answer.within}, ${alreadyHeld}. The others are selected.`;
    showSelection();
    map?.fly(answer.bbox);
  };

  pick.addEventListener('click', () => {
    pick.setAttribute('aria-pressed', 'true');
    status.textContent = 'Click the center of the circle on the map.';
    frame.scrollIntoView({ block: 'center' });
    frame.classList.add('picking');
    pickPoint = (point) => {
      pickPoint = null;
      frame.classList.remove('picking');
      pick.setAttribute('aria-pressed', 'false');
      around.value = '';
      setPoint(point);
      void selectWithin();
    };
  });
  around.addEventListener('input', () => setPoint(null));
  select.addEventListener('click', () => void selectWithin());
}

showToast('removed');
submitOnce();
