/* Maps of MapLibre GL over the service's own basemap: what the page of a share and the account area
   have in common. A map lives in a frame, an element with

     data-maplibre   where MapLibre GL's module is
     data-api        path of the interface's root
     data-bbox       what to show first: west, south, east, north
     data-shown      set here: `map` once all of it is drawn
     .map            the element that becomes the map */

export const DARK = matchMedia('(prefers-color-scheme: dark)');
export const NARROW = matchMedia('(max-width: 900px)');

/** Narrower maps have no room for the names of sources: a button tells them. */
const ROOM_FOR_SOURCES_PX = 640;

/** Whatever name the page was asked for by, all it needs is there too. */
function here(url) {
  const { pathname, search } = new URL(url, location.href);
  return location.origin + decodeURI(pathname) + search;
}

/** @throws Error with the answer's `status` where that is none of success */
export async function json(url) {
  const response = await fetch(url);
  if (response.ok) return response.json();
  const { status } = response;
  throw Object.assign(new Error(`${status} of ${url}`), { status });
}

/** Maps show the attribution as HTML. */
export const escaped = (text) =>
  Object.assign(document.createElement('i'), { textContent: text }).innerHTML;

/** The service's style in the reader's colours. */
export const basemapStyle = (frame) =>
  json(`${frame.dataset.api}/styles/${DARK.matches ? 'dark' : 'light'}.json`);

/** A box of the world as MapLibre takes it. @param box west, south, east, north */
export const boundsOf = ([west, south, east, north]) => [
  [west, south],
  [east, north],
];

/** As an attribute has it */
export const boundsIn = (text) => boundsOf(text.split(' ').map(Number));

/**
 * @param frame of the map
 * @param options.style makes the style: called again when the reader's colours change
 * @param options.camera the camera that shows it all: `(map) => CameraOptions`
 * @param options.label says what the map is to who cannot see it
 * @param options.cooperative scrolling is the page's: the map wants a key or two fingers
 * @returns the module and the map
 */
export async function openMap(frame, { style: makeStyle, camera, label, cooperative }) {
  const [maplibregl, style] = await Promise.all([import(frame.dataset.maplibre), makeStyle()]);
  const hasNoRoom = frame.clientWidth < ROOM_FOR_SOURCES_PX;
  const map = new maplibregl.Map({
    container: frame.querySelector('.map'),
    style,
    bounds: boundsIn(frame.dataset.bbox),
    cooperativeGestures: cooperative,
    attributionControl: { compact: hasNoRoom },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxZoom: 17,
    transformRequest: (url) => ({ url: here(url) }),
  });
  map.jumpTo(camera(map));
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  map.addControl(new maplibregl.NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(wholeTerritoryControl(map, camera), 'top-right');
  map.getCanvas().setAttribute('aria-label', label);
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
  // Anew: what was drawn in the old colours is not kept.
  DARK.addEventListener('change', async () => map.setStyle(await makeStyle(), { diff: false }));
  return { maplibregl, map };
}

/** A button that shows all of it again. */
function wholeTerritoryControl(map, camera) {
  const element = document.createElement('div');
  element.className = 'maplibregl-ctrl maplibregl-ctrl-group';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'whole';
  button.title = 'Show the whole territory';
  button.setAttribute('aria-label', button.title);
  button.addEventListener('click', () => map.flyTo(camera(map)));
  element.append(button);
  return { onAdd: () => element, onRemove: () => element.remove() };
}

/** A card beside a place on the map; `closeButton`: it stays until it is closed. */
export const popup = ({ Popup }, closeButton) =>
  new Popup({
    closeButton,
    closeOnClick: false,
    // Who chooses from a list goes on from there.
    focusAfterOpen: false,
    maxWidth: '16rem',
    offset: 8,
  });

/**
 * What a card says: lines of text, the first one of them its name.
 * @param lines [text, class or undefined]
 */
export function card(lines) {
  const element = document.createElement('div');
  element.className = 'zip-card';
  element.append(
    ...lines.map(([text, kind], i) =>
      Object.assign(document.createElement(i === 0 ? 'b' : 'span'), {
        textContent: text,
        className: kind ?? '',
      }),
    ),
  );
  return element;
}
