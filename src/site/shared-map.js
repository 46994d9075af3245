/* The map of a shared territory, over the service's own basemap. The page's list of ZIPs is what is
   known of them; the picture that the page begins with stays where no map can be had. */
const frame = document.querySelector('.map-frame');
const { api, shared, vintage, tileZooms } = frame.dataset;
const embedded = 'embedded' in frame.dataset;
const [west, south, east, north] = frame.dataset.bbox.split(' ').map(Number);
const bounds = [
  [west, south],
  [east, north],
];
const NARROW = matchMedia('(max-width: 900px)');
const DARK = matchMedia('(prefers-color-scheme: dark)');

/** By ZIP: its item in the list, and what that says of it */
const zips = new Map();
for (const item of document.querySelectorAll('.places ul > li')) {
  const zip = item.textContent.trim().slice(0, 5);
  const city = item.closest('.places > li').querySelector('b').textContent;
  const { state } = item.closest('section').dataset;
  const status = item.classList.contains('pending') ? 'pending' : 'live';
  zips.set(zip, { item, status, place: state ? `${city}, ${state}` : city });
}

const STATUS_LABELS = { live: 'Live', pending: 'Pending review' };

/** Whatever name the page was asked for by, all it needs is there too. */
function here(url) {
  const { pathname, search } = new URL(url, location.href);
  return location.origin + decodeURI(pathname) + search;
}

async function json(url) {
  const response = await fetch(url);
  if (response.ok) return response.json();
  // Closed since the page was opened: the page says so better.
  if (response.status === 404 && url.startsWith(shared)) location.reload();
  throw new Error(`${response.status} of ${url}`);
}

/** Maps show the attribution as HTML. */
const escaped = (text) =>
  Object.assign(document.createElement('i'), { textContent: text }).innerHTML;

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
    zips: { type: 'geojson', data: await json(`${shared}/boundaries`), promoteId: 'zip' },
    'zip-labels': { type: 'geojson', data },
  };
}

/** The service's style with this territory in place of the ZIPs that it knows. */
async function mapStyle() {
  const [style, sources] = await Promise.all([
    json(`${api}/styles/${DARK.matches ? 'dark' : 'light'}.json`),
    territory,
  ]);
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

/** Narrower maps have no room for the names of sources: a button tells them. */
const ROOM_FOR_SOURCES_PX = 640;

/** Shows it all as near as can be: in a frame, beneath the card that says what it is or beside it. */
function fit(map) {
  const air = embedded || NARROW.matches ? 24 : 56;
  const card = document.querySelector('.embedded .about');
  const sides = { top: air, right: air, bottom: air, left: air };
  const [nearest] = [
    { ...sides, ...(card && { top: air + card.offsetHeight }) },
    { ...sides, ...(card && { left: air + card.offsetWidth }) },
  ]
    .map((padding) => map.cameraForBounds(bounds, { padding, maxZoom: 12 }))
    .sort((a, b) => b.zoom - a.zoom);
  return nearest;
}

async function showMap() {
  const [maplibregl, style] = await Promise.all([import(frame.dataset.maplibre), mapStyle()]);
  const hasNoRoom = frame.clientWidth < ROOM_FOR_SOURCES_PX;
  const map = new maplibregl.Map({
    container: frame.querySelector('.map'),
    style,
    bounds,
    // Scrolling is the page's, unless there is nothing to scroll.
    cooperativeGestures: embedded || NARROW.matches,
    attributionControl: { compact: hasNoRoom },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxZoom: 17,
    transformRequest: (url) => ({ url: here(url) }),
  });
  map.jumpTo(fit(map));
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  map.addControl(new maplibregl.NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(wholeTerritoryControl(map), 'top-right');
  map.getCanvas().setAttribute('aria-label', 'Map of the territory');
  if (hasNoRoom) {
    map.once('load', () => {
      const sources = frame.querySelector('.maplibregl-ctrl-attrib');
      sources.classList.remove('maplibregl-compact-show');
      sources.removeAttribute('open');
    });
  }
  map.once('idle', () => {
    frame.dataset.shown = 'map';
  });
  DARK.addEventListener('change', async () => map.setStyle(await mapStyle()));
  return { map, choose: followPointer(map, maplibregl) };
}

/** A button that shows all of it again. */
function wholeTerritoryControl(map) {
  const element = document.createElement('div');
  element.className = 'maplibregl-ctrl maplibregl-ctrl-group';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'whole';
  button.title = 'Show the whole territory';
  button.setAttribute('aria-label', button.title);
  button.addEventListener('click', () => map.flyTo(fit(map)));
  element.append(button);
  return { onAdd: () => element, onRemove: () => element.remove() };
}

/** @returns chooses a ZIP from elsewhere, as a click on it does: `choose(zip)` */
function followPointer(map, { Popup }) {
  const popup = (closeButton) =>
    new Popup({
      closeButton,
      closeOnClick: false,
      // Who chooses from the list goes on from there.
      focusAfterOpen: false,
      maxWidth: '16rem',
      offset: 8,
    });
  const [tip, card] = [popup(false), popup(true)];
  const state = { hovered: null, chosen: null };
  const set = (name, zip) => {
    const sourceLayer = tileZooms && 'zips';
    const feature = (id) => ({ source: 'zips', id, ...(sourceLayer && { sourceLayer }) });
    if (state[name] !== null) map.setFeatureState(feature(state[name]), { [name]: false });
    state[name] = zip;
    if (zip !== null) map.setFeatureState(feature(zip), { [name]: true });
  };
  const choose = (zip, lngLat) => {
    tip.remove();
    set('chosen', zip);
    card.setLngLat(lngLat).setDOMContent(details(zip)).addTo(map);
  };
  card.on('close', () => set('chosen', null));
  map.on('mousemove', 'zip-fill', ({ features, lngLat }) => {
    const { zip } = features[0].properties;
    map.getCanvas().style.cursor = 'pointer';
    if (zip !== state.hovered) {
      set('hovered', zip);
      tip.setDOMContent(details(zip));
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
    if (hit) choose(hit.properties.zip, lngLat);
    else card.remove();
  });
  return choose;
}

/** What is known of a ZIP, for a card on the map. */
function details(zip) {
  const { place, status } = zips.get(zip);
  const card = document.createElement('div');
  const lines = [
    ['b', zip],
    ['span', place],
    ['span', STATUS_LABELS[status]],
  ].map(([name, text]) => Object.assign(document.createElement(name), { textContent: text }));
  lines[2].className = status;
  card.className = 'zip-card';
  card.append(...lines);
  return card;
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
  const [lng, lat, labelZoom = 9.5] = zips.get(zip).item.dataset.at?.split(' ').map(Number) ?? [];
  if (lng === undefined) return;
  frame.scrollIntoView({ block: 'nearest' });
  map.flyTo({ center: [lng, lat], zoom: Math.max(map.getZoom(), labelZoom + 0.5) });
  choose(zip, [lng, lat]);
}

if (!embedded) {
  for (const [zip, { item }] of zips) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...item.childNodes);
    button.addEventListener('click', () => void show(zip));
    item.append(button);
  }

  const find = document.querySelector('.find');
  find.hidden = zips.size === 0;
  find.addEventListener('submit', (event) => {
    event.preventDefault();
    const zip = find.zip.value;
    const known = zips.get(zip);
    find.querySelector('output').textContent = known
      ? `Yes: ${zip}, ${known.place}. ${STATUS_LABELS[known.status]}.`
      : `No, ${zip} is not in this territory.`;
    if (known) void show(zip);
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
