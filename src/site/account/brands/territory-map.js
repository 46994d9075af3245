/* A map of a brand's territory on the ground of all ZIPs, which may be pointed at and clicked.

   The frame (site/account/brands/territory-frame.ts) says where things are and draws the marks. What each
   ZIP is shown as is told apart from its shape:

     const map = await openTerritoryMap(frame, {
       label: 'Map of …',                    // for who cannot see it
       details: (zip, place) => [[text, class], …],  // lines beside the pointer
       onClick: (zip, lngLat, place) => {},  // zip null: beside all ZIPs
     });
     map.paint([['75201', { status: 'live', shared: true }], …]);  // all of them, each time
     map.select(['75201', …]);             // those that somebody has chosen, likewise

   What a ZIP may be:
     status    'live' | 'pending' | 'removed'   its fill; pending is hatched besides
     shared    another brand holds it too: an edge and two rings
     isolated  it borders no other ZIP of the brand: a broken edge and a dot in a ring
     added     a change would add it: a strong edge and a plus
     removed   a change would take it away: a strong broken edge and a minus
   A ZIP that is painted nothing is free: only its border is drawn. */
import {
  basemapStyle,
  boundsIn,
  boundsOf,
  card,
  DARK,
  escaped,
  json,
  NARROW,
  openMap,
  popup,
} from '../../map-view.js';

/** As the service serves the ground */
const LAYERS = ['zips', 'zip-labels'];
/** Nearer than this, the borders of free ZIPs help to find one; farther out they are a fog. */
const GRID_FROM_ZOOM = 7.5;
const MARKS_FROM_ZOOM = 7;
/** Farther out a ZIP is a few pixels: its colour alone can be told, and there are thousands in view. */
const PATTERNS_FROM_ZOOM = 5;

/** By zoom: how much of its width an edge has */
const EDGE_PARTS = [
  [4, 0.1],
  [6, 0.33],
  [10, 1],
];

const state = (name) => ['feature-state', name];
const is = (name) => ['boolean', state(name), false];
const isHeld = ['!=', ['coalesce', state('status'), ''], ''];

/** By mark: when it stands on a ZIP. A change is told before what the ZIP is anyway. */
const isChanged = ['any', is('added'), is('removed')];
const MARKS = {
  added: is('added'),
  removed: is('removed'),
  shared: ['all', is('shared'), ['!', isChanged]],
  isolated: ['all', is('isolated'), ['!', is('shared')], ['!', isChanged]],
};

export { card, json };

export async function openTerritoryMap(frame, { label, details, onClick = () => {} }) {
  const padding = NARROW.matches ? 24 : 56;
  const cameraFor = (map, bounds) => map.cameraForBounds(bounds, { padding, maxZoom: 11 });
  const camera = (map) => cameraFor(map, boundsIn(frame.dataset.bbox));
  const { map, maplibregl } = await openMap(frame, {
    style: () => territoryStyle(frame),
    camera,
    label,
    cooperative: true,
  });
  map.jumpTo(cameraFor(map, boundsIn(frame.dataset.start)));
  const pin = new maplibregl.Marker({ element: pinElement(), anchor: 'center' });
  const painted = new Map();
  const selected = new Set();
  let isReady = false;
  const set = (zip, states) => {
    if (!isReady) return;
    for (const sourceLayer of LAYERS) {
      map.setFeatureState({ source: 'zips', sourceLayer, id: zip }, states);
    }
  };
  // The first style, or another one when the reader's colours change
  map.on('style.load', () => {
    isReady = true;
    drawMarks(map, frame);
    for (const [zip, states] of painted) set(zip, states);
    for (const zip of selected) set(zip, { selected: true });
  });
  followPointer(map, maplibregl, { set, details, onClick });
  return {
    map,
    /** @param zips all that are not free, each with its states */
    paint(zips) {
      const next = new Map(zips);
      for (const zip of painted.keys()) {
        if (!next.has(zip)) set(zip, NOTHING);
      }
      for (const [zip, states] of next) set(zip, { ...NOTHING, ...states });
      painted.clear();
      for (const [zip, states] of next) painted.set(zip, states);
    },
    select(zips) {
      const next = new Set(zips);
      for (const zip of selected) {
        if (!next.has(zip)) set(zip, { selected: false });
      }
      for (const zip of next) {
        if (!selected.has(zip)) set(zip, { selected: true });
      }
      selected.clear();
      for (const zip of next) selected.add(zip);
    },
    /** Puts a pin on a point, or takes it away: `mark(null)`. */
    mark(point) {
      pin.remove();
      if (point) pin.setLngLat(point).addTo(map);
    },
    /** Shows a box of the world: west, south, east, north. */
    show: (bbox) => map.flyTo(cameraFor(map, boundsOf(bbox))),
  };
}

const pinElement = () =>
  Object.assign(document.createElement('div'), { className: 'map-pin', ariaHidden: 'true' });

const NOTHING = {
  status: '',
  shared: false,
  isolated: false,
  added: false,
  removed: false,
};

/** The service's style with the ground of all ZIPs in place of those that it colours by scores. */
async function territoryStyle(frame) {
  const { tiles, tileZooms, vintage } = frame.dataset;
  const [minzoom, maxzoom] = tileZooms.split(' ').map(Number);
  const style = await basemapStyle(frame);
  const { ink, quietInk } = style.metadata['territory:palette'].furniture;
  const statusOf = (part) => replaced(part, ['get', 'status'], state('status'));
  const layers = style.layers.map((layer) => {
    if (layer.id === 'zip-fill') return fillLayer(statusOf(layer), style);
    if (layer.id === 'zip-outline') return outlineLayer(layer);
    return layer.id === 'zip-names' ? { ...layer, paint: statusOf(layer.paint) } : layer;
  });
  const on = { source: 'zips', 'source-layer': 'zips' };
  /** @param widths [when, pixels, …] near by; farther out, where a ZIP is a few pixels, fewer */
  const line = (id, widths, more = {}) => ({
    ...on,
    id,
    type: 'line',
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': ink,
      'line-width': [
        'interpolate',
        ['linear'],
        ['zoom'],
        ...EDGE_PARTS.flatMap(([zoom, part]) => [
          zoom,
          ['case', ...widths.map((each) => (typeof each === 'number' ? each * part : each)), 0],
        ]),
      ],
      ...more,
    },
  });
  const edges = [
    {
      ...on,
      id: 'zip-hatch',
      type: 'fill',
      minzoom: PATTERNS_FROM_ZOOM,
      paint: {
        'fill-pattern': 'hatch',
        'fill-opacity': ['case', ['==', state('status'), 'pending'], 1, 0],
      },
    },
    {
      ...on,
      id: 'zip-grid',
      type: 'line',
      minzoom: GRID_FROM_ZOOM,
      paint: {
        'line-color': quietInk,
        'line-opacity': 0.45,
        'line-width': ['case', isHeld, 0, 0.75],
      },
    },
    {
      ...on,
      id: 'zip-selected',
      type: 'fill',
      paint: { 'fill-color': ink, 'fill-opacity': ['case', is('selected'), 0.24, 0] },
    },
    line('zip-edge-broken', [is('removed'), 3, is('isolated'), 2.25], {
      'line-dasharray': [2, 1.5],
    }),
    line('zip-edge', [
      is('selected'),
      3.5,
      is('added'),
      3,
      is('hovered'),
      2,
      ['all', is('shared'), ['!', is('removed')]],
      2.25,
    ]),
  ];
  const marks = Object.entries(MARKS).map(([mark, when]) => ({
    source: 'zips',
    'source-layer': 'zip-labels',
    id: `zip-${mark}`,
    type: 'symbol',
    minzoom: MARKS_FROM_ZOOM,
    layout: {
      'icon-image': mark,
      'icon-offset': [0, -15],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
    paint: { 'icon-opacity': ['case', when, 1, 0] },
  }));
  const source = {
    type: 'vector',
    tiles: [`${location.origin}${tiles}/{z}/{x}/{y}.mvt`],
    minzoom,
    maxzoom,
    promoteId: 'zip',
    attribution: escaped(vintage),
  };
  const afterFill = layers.findIndex(({ id }) => id === 'zip-outline') + 1;
  const firstName = layers.findIndex(({ type }) => type === 'symbol');
  return {
    ...style,
    sources: { ...style.sources, zips: source },
    layers: [
      ...layers.slice(0, afterFill),
      ...edges.slice(0, 2),
      ...layers.slice(afterFill, firstName),
      ...edges.slice(2),
      ...layers.slice(firstName),
      ...marks,
    ],
  };
}

const fillLayer = (layer) => ({
  ...layer,
  paint: {
    ...layer.paint,
    'fill-opacity': ['case', isHeld, layer.paint['fill-opacity'], 0],
  },
});

/** Between what is held. */
const outlineLayer = (layer) => ({
  ...layer,
  paint: { ...layer.paint, 'line-opacity': ['case', isHeld, 1, 0] },
});

/** A part of a style in which one expression stands in place of another. */
function replaced(part, from, to) {
  if (Array.isArray(part)) {
    if (part.length === from.length && part.every((each, i) => each === from[i])) return to;
    return part.map((each) => replaced(each, from, to));
  }
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, replaced(value, from, to)]),
  );
}

const PIXEL_RATIO = 2;
const MARK_PX = 18;
const HATCH_PX = 8;

/** As the legend draws them, in the map's colours. */
function drawMarks(map, frame) {
  const { paper, ink } = map.getStyle().metadata['territory:palette'].furniture;
  for (const mark of Object.keys(MARKS)) {
    const path = frame.querySelector(`#mark-${mark} path`).getAttribute('d');
    const image = drawing(MARK_PX, (context) => {
      context.fillStyle = paper;
      context.beginPath();
      context.arc(MARK_PX / 2, MARK_PX / 2, MARK_PX / 2, 0, 2 * Math.PI);
      context.fill();
      context.strokeStyle = ink;
      context.lineWidth = 1.75;
      context.stroke(new Path2D(path));
    });
    map.addImage(mark, image, { pixelRatio: PIXEL_RATIO });
  }
  const hatch = drawing(HATCH_PX, (context) => {
    context.strokeStyle = ink;
    context.globalAlpha = DARK.matches ? 0.55 : 0.4;
    context.lineWidth = 1.5;
    for (const shift of [-HATCH_PX, 0, HATCH_PX]) {
      context.moveTo(shift - 1, HATCH_PX + 1);
      context.lineTo(shift + HATCH_PX + 1, -1);
    }
    context.stroke();
  });
  map.addImage('hatch', hatch, { pixelRatio: PIXEL_RATIO });
}

function drawing(sizePx, draw) {
  const size = sizePx * PIXEL_RATIO;
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const context = canvas.getContext('2d');
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  draw(context);
  return context.getImageData(0, 0, size, size);
}

function followPointer(map, maplibregl, { set, details, onClick }) {
  const tip = popup(maplibregl, false);
  let hovered = null;
  const hover = (zip) => {
    if (hovered !== null) set(hovered, { hovered: false });
    hovered = zip;
    if (zip !== null) set(zip, { hovered: true });
  };
  map.on('mousemove', 'zip-fill', ({ features, lngLat }) => {
    const { zip, place } = features[0].properties;
    map.getCanvas().style.cursor = 'pointer';
    if (zip !== hovered) {
      hover(zip);
      tip.setDOMContent(card(details(zip, place)));
    }
    tip.setLngLat(lngLat).addTo(map);
  });
  map.on('mouseleave', 'zip-fill', () => {
    map.getCanvas().style.cursor = '';
    hover(null);
    tip.remove();
  });
  map.on('click', ({ point, lngLat }) => {
    const [hit] = map.queryRenderedFeatures(point, { layers: ['zip-fill'] });
    onClick(hit?.properties.zip ?? null, lngLat, hit?.properties.place);
    // What the click has changed is told at once.
    if (hit && tip.isOpen())
      tip.setDOMContent(card(details(hit.properties.zip, hit.properties.place)));
  });
}
