/* The map of a shared territory, over the service's own basemap. The page's list of ZIPs is what is
   known of them; the picture that the page begins with stays where no map can be had. */
import { basemapStyle, boundsIn, card, escaped, json, NARROW, openMap, popup } from './map-view.js';

const frame = document.querySelector('.map-frame');
const { shared, vintage, tileZooms } = frame.dataset;
const embedded = 'embedded' in frame.dataset;

/** By ZIP: its item in the list, and what that says of it */
const zips = new Map();

/** Takes in what a list says. @param state USPS code; none for ZIPs in none */
function learn(list, state) {
  for (const item of list.querySelectorAll(':scope > li > ul > li')) {
    const zip = item.textContent.trim().slice(0, 5);
    const city = item.closest('.places > li').querySelector('b').textContent;
    const status = item.classList.contains('pending') ? 'pending' : 'live';
    zips.set(zip, { item, status, place: state ? `${city}, ${state}` : city });
    if (!embedded) makeButton(item, zip);
  }
}

function makeButton(item, zip) {
  const button = document.createElement('button');
  button.type = 'button';
  button.append(...item.childNodes);
  button.addEventListener('click', () => void show(zip));
  item.append(button);
}

for (const list of document.querySelectorAll('.places')) {
  learn(list, list.closest('section').dataset.state);
}

/** Of a territory with very many ZIPs, each state has its list on a page of its own. */
const folded = [...document.querySelectorAll('details[data-starts]')].map((element) => {
  const runs = element.dataset.starts.split(' ').map((run) => run.split('-').map(Number));
  const has = (zip) => {
    const start = Number(zip.slice(0, 3));
    return runs.some(([first, last = first]) => start >= first && start <= last);
  };
  let loading;
  const load = () =>
    (loading ??= unfold(element).catch((error) => {
      loading = undefined;
      closed(error);
    }));
  // The way to the page of its own stays where the list does not come.
  element.addEventListener('toggle', () => element.open && load().catch(() => {}));
  return { has, load };
});

async function unfold(element) {
  const way = element.querySelector('a');
  const response = await fetch(way.href);
  const { ok, status } = response;
  if (!ok) throw Object.assign(new Error(`${status} of ${way.href}`), { status });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const list = document.adoptNode(page.querySelector('.places'));
  learn(list, element.dataset.state);
  way.parentElement.replaceWith(list);
}

/**
 * What is known of a ZIP, once the list that may have it is there; undefined: it is in none.
 * @throws Error where the list cannot be had
 */
async function known(zip) {
  if (!zips.has(zip)) {
    await Promise.all(folded.filter(({ has }) => has(zip)).map(({ load }) => load()));
  }
  return zips.get(zip);
}

const STATUS_LABELS = { live: 'Live', pending: 'Pending review' };

/** The sources of the territory, by their names */
const territory = tileZooms ? Promise.resolve(tiledSources()) : wholeSources();

function tiledSources() {
  const [minzoom, maxzoom] = tileZooms.split(' ').map(Number);
  const tiles = [`${location.origin}${shared}/tiles/{z}/{x}/{y}.mvt`];
  return { zips: { type: 'vector', tiles, minzoom, maxzoom, promoteId: 'zip' } };
}

async function wholeSources() {
  const labels = [...zips].flatMap(([zip, { item, status }]) => {
    if (!item.dataset.at) return [];
    const [lng, lat, labelZoom] = item.dataset.at.split(' ').map(Number);
    const geometry = { type: 'Point', coordinates: [lng, lat] };
    return [{ type: 'Feature', properties: { zip, status, labelZoom }, geometry }];
  });
  const data = { type: 'FeatureCollection', features: labels };
  return {
    zips: { type: 'geojson', data: await boundaries(), promoteId: 'zip' },
    'zip-labels': { type: 'geojson', data },
  };
}

function boundaries() {
  return json(`${shared}/boundaries`).catch(closed);
}

/** Where the link was closed since the page was opened, the page says so better. */
function closed(error) {
  if (error.status === 404) location.reload();
  throw error;
}

/** Who looks on sees within so long that the link was closed. */
const LOOK_AGAIN_MS = 60_000;

/** Asked with the ETag of the answer before: 304 without a body, most times. */
const lookAgain = () =>
  document.visibilityState === 'visible' &&
  json(`${shared}/meta`)
    .catch(closed)
    .catch(() => {});

setInterval(lookAgain, LOOK_AGAIN_MS);
document.addEventListener('visibilitychange', lookAgain);

/** The service's style with this territory in place of the ZIPs that it knows. */
async function mapStyle() {
  const [style, sources] = await Promise.all([basemapStyle(frame), territory]);
  const attribution = escaped(vintage);
  const { zips: _scores, ...basemap } = style.sources;
  const counties = frame.dataset.counties.split(' ');
  const layers = style.layers.map((layer) => {
    // Coloured ground is labelled by its ZIPs.
    if (layer.id === 'county-names') {
      return { ...layer, filter: ['!', ['in', ['get', 'fips'], ['literal', counties]]] };
    }
    if (layer.source !== 'zips' || tileZooms) return layer;
    const { 'source-layer': source, ...rest } = layer;
    return { ...rest, source };
  });
  // Around what is pointed at or chosen, beneath the names
  const is = (state) => ['boolean', ['feature-state', state], false];
  const chosen = {
    ...layers.find(({ id }) => id === 'zip-outline'),
    id: 'zip-chosen',
    minzoom: 0,
    paint: {
      'line-color': style.metadata['territory:palette'].furniture.ink,
      'line-width': ['case', is('chosen'), 3.5, is('hovered'), 1.75, 0],
    },
  };
  const firstName = layers.findIndex(({ type }) => type === 'symbol');
  return {
    ...style,
    sources: { ...basemap, ...sources, zips: { ...sources.zips, attribution } },
    layers: layers.toSpliced(firstName, 0, chosen),
  };
}

/** Shows it all as near as can be: in a frame, beneath the card that says what it is or beside it. */
function fit(map) {
  const air = embedded || NARROW.matches ? 24 : 56;
  const about = document.querySelector('.embedded .about');
  const sides = { top: air, right: air, bottom: air, left: air };
  const [nearest] = [
    { ...sides, ...(about && { top: air + about.offsetHeight }) },
    { ...sides, ...(about && { left: air + about.offsetWidth }) },
  ]
    .map((padding) => map.cameraForBounds(boundsIn(frame.dataset.bbox), { padding, maxZoom: 12 }))
    .sort((a, b) => b.zoom - a.zoom);
  return nearest;
}

async function showMap() {
  const { map, maplibregl } = await openMap(frame, {
    style: mapStyle,
    camera: fit,
    label: 'Map of the territory',
    // Scrolling is the page's, unless there is nothing to scroll.
    cooperative: embedded || NARROW.matches,
  });
  return { map, choose: followPointer(map, maplibregl) };
}

/** @returns chooses a ZIP from elsewhere, as a click on it does: `choose(zip)` */
function followPointer(map, maplibregl) {
  const [tip, chosen] = [popup(maplibregl, false), popup(maplibregl, true)];
  const state = { hovered: null, chosen: null };
  const set = (name, zip) => {
    const sourceLayer = tileZooms && 'zips';
    const feature = (id) => ({ source: 'zips', id, ...(sourceLayer && { sourceLayer }) });
    if (state[name] !== null) map.setFeatureState(feature(state[name]), { [name]: false });
    state[name] = zip;
    if (zip !== null) map.setFeatureState(feature(zip), { [name]: true });
  };
  const choose = async (zip, lngLat, status) => {
    tip.remove();
    set('chosen', zip);
    chosen.setLngLat(lngLat).setDOMContent(details(zip, status)).addTo(map);
    if (zips.has(zip)) return;
    await known(zip).catch(() => {});
    if (state.chosen === zip) chosen.setDOMContent(details(zip, status));
  };
  chosen.on('close', () => set('chosen', null));
  map.on('mousemove', 'zip-fill', ({ features, lngLat }) => {
    const { zip, status } = features[0].properties;
    map.getCanvas().style.cursor = 'pointer';
    if (zip !== state.hovered) {
      set('hovered', zip);
      tip.setDOMContent(details(zip, status));
    }
    if (zip === state.chosen) tip.remove();
    else tip.setLngLat(lngLat).addTo(map);
  });
  map.on('mouseleave', 'zip-fill', () => {
    map.getCanvas().style.cursor = '';
    set('hovered', null);
    tip.remove();
  });
  map.on('click', ({ point, lngLat }) => {
    const [hit] = map.queryRenderedFeatures(point, { layers: ['zip-fill'] });
    if (hit) void choose(hit.properties.zip, lngLat, hit.properties.status);
    else chosen.remove();
  });
  return choose;
}

/** What is known of a ZIP by now, for a card on the map. */
function details(zip, status) {
  const place = zips.get(zip)?.place;
  return card([[zip], ...(place ? [[place]] : []), [STATUS_LABELS[status], status]]);
}

const opened = showMap();
opened.catch(() => {
  frame.dataset.shown = 'picture';
  const picture = frame.querySelector('.first-paint');
  for (const source of picture.querySelectorAll('source')) source.remove();
  const { src, alt } = frame.querySelector('.printed') ?? { src: `${shared}/map.png`, alt: 'Map' };
  Object.assign(picture.querySelector('img'), { src, alt });
  frame.querySelector('.failure').textContent =
    'The map cannot be moved here: your browser or the connection did not let it. This is a picture of it.';
});

/** A ZIP chosen by its name: shown on the map and told of there. */
async function show(zip) {
  const { map, choose } = await opened;
  // Where the list knows no place, there is no boundary either.
  const { item, status } = zips.get(zip);
  const [lng, lat, labelZoom = 9.5] = item.dataset.at?.split(' ').map(Number) ?? [];
  if (lng === undefined) return;
  frame.scrollIntoView({ block: 'nearest' });
  map.flyTo({ center: [lng, lat], zoom: Math.max(map.getZoom(), labelZoom + 0.5) });
  void choose(zip, [lng, lat], status);
}

if (!embedded) {
  const find = document.querySelector('.find');
  find.hidden = zips.size === 0 && folded.length === 0;
  find.addEventListener('submit', async (event) => {
    event.preventDefault();
    const zip = find.zip.value;
    const answer = find.querySelector('output');
    try {
      const found = await known(zip);
      answer.textContent = found
        ? `Yes: ${zip}, ${found.place}. ${STATUS_LABELS[found.status]}.`
        : `No, ${zip} is not in this territory.`;
      if (found) void show(zip);
    } catch {
      answer.textContent = `${zip} could not be looked up. Please try again.`;
    }
  });

  // Waits for the picture that is printed in place of the map.
  const print = document.querySelector('.print');
  const printed = frame.querySelector('.printed');
  print.hidden = false;
  print.addEventListener('click', async () => {
    printed.loading = 'eager';
    await printed.decode().catch(() => {});
    window.print();
  });
}
