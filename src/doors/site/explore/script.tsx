/**
 * The public map. The address reflects the map: its path is the vertical, and the part after `#` is the
 * view. To show another vertical, the script loads that vertical's page and takes the list of metros from
 * it.
 */
import type { CameraOptions, Map as MapLibreMap } from 'maplibre-gl';
import { render } from 'preact';
import { data, find, findAll, findById } from '../browser/dom.ts';
import {
  type Bbox,
  type CardLine,
  fetchOk,
  NARROW,
  parseBbox,
  STILL,
  toBounds,
} from '../browser/map-view.ts';
import { readScoreClasses } from '../browser/score-classes.ts';
import { MAP_LABEL, openScoreMap, paddingPx, type ScoreMap } from '../browser/score-map.ts';
import type { ScoredZip } from '../browser/score-map-pointing.ts';
import type { FoundPlace } from '../browser/found-place.ts';
import { PlaceSearch } from '../browser/place-search.tsx';
import { PlacePanel, type PlaceParts } from './browser/place-panel.tsx';
import {
  formatView,
  isAreaKind,
  metroAt,
  parseView,
  type LinkedView,
} from './browser/view-address.ts';

const frame = find('.score-map', HTMLElement);
const placeElement = findById('place', HTMLElement);
const classes = readScoreClasses(frame);
/** Lowest zoom for pointing at ZIP codes. At smaller scales, they are only a few pixels wide. */
const ZIPS_MIN_ZOOM = 6.5;

/** Links to verticals and metros. The links to metros change with the vertical. */
const verticalLinks = () => findAll('[data-vertical]', HTMLAnchorElement);
const metroLinks = () => findAll('[data-metro]', HTMLAnchorElement);
const metroLink = (slug: string) => metroLinks().find((link) => data(link, 'metro') === slug);
const metroLabel = (slug: string) => metroLink(slug)?.textContent ?? slug;

const verticals = new Map(
  verticalLinks().map((link) => [data(link, 'vertical'), link.textContent ?? '']),
);
const extents = new Map(
  metroLinks().flatMap((link): [string, Bbox][] => {
    const { bbox } = link.dataset;
    return bbox === undefined ? [] : [[data(link, 'metro'), parseBbox(bbox)]];
  }),
);

const opening = parseView(location.hash);
let vertical = data(frame, 'vertical');
/** The metro in the center of the map; null at small scales and outside the metros */
let metro: string | null = null;
let { area, zip } = opening;
/** The class of the chosen ZIP code’s score, if it was chosen on the map */
let scoreLine: CardLine | null = null;
/** Set once the map is open. Until then, links open pages. */
let scoreMap: ScoreMap | null = null;

const opened = openScoreMap(frame, {
  vertical,
  label: MAP_LABEL,
  showAllLabel: 'Show all metros',
  cooperative: false,
  keepsCard: true,
  zipsMinZoom: ZIPS_MIN_ZOOM,
  start: (map) => cameraOf(opening, map),
  describe,
  onClick(hit, isMetro) {
    if (hit && isMetro) showMetro(hit.metro);
    else if (!isMetro) {
      choose({ area, zip: hit?.zip ?? null }, hit && classes.line(hit.scoreClass));
    }
  },
});

function cameraOf(
  { camera, metro: slug }: LinkedView,
  map: MapLibreMap,
): CameraOptions | undefined {
  if (camera) return { center: [camera.lng, camera.lat], zoom: camera.zoom };
  const bbox = slug === null ? undefined : extents.get(slug);
  return bbox && metroCamera(bbox, map);
}

/**
 * Zooms in on a metro until its ZIP codes can be pointed at, even if a phone then shows only a part of it.
 */
function metroCamera(bbox: Bbox, map: MapLibreMap): CameraOptions | undefined {
  const camera = map.cameraForBounds(toBounds(bbox), { padding: paddingPx() });
  return camera && { ...camera, zoom: Math.max(camera.zoom ?? 0, ZIPS_MIN_ZOOM) };
}

function describe({ zip: code, metro: slug, scoreClass }: ScoredZip, isMetro: boolean): CardLine[] {
  if (!isMetro) return [[code], [metroLabel(slug)], classes.line(scoreClass)];
  const average = metroLink(slug)?.dataset['average'];
  return [[metroLabel(slug)], ...(average ? [[`Average score ${average}`] as const] : [])];
}

const parts: PlaceParts = {
  api: data(frame, 'api'),
  site: data(frame, 'site'),
  verticals,
  fillOf: classes.fillOf,
  onZip: (code) => {
    choose({ area, zip: code });
    showOnMap(code);
  },
  onCloseZip: () => choose({ area, zip: null }),
  onCloseArea: () => choose({ area: null, zip: null }),
  outline: (shape) => scoreMap?.outline(shape),
  onAllMetros: () => fly(parseBbox(data(frame, 'bbox'))),
};

function renderPlace(): void {
  const at = metro === null ? null : { slug: metro, label: metroLabel(metro) };
  render(
    <PlacePanel place={{ vertical, metro: at, area, zip, scoreLine }} parts={parts} />,
    placeElement,
  );
}

/** Shows the figures of a ZIP code or of an area. Null for both: of the metro on the map */
function choose(chosen: Pick<LinkedView, 'area' | 'zip'>, line: CardLine | null = null): void {
  const isSame = chosen.zip === zip && chosen.area?.label === area?.label;
  ({ area, zip } = chosen);
  if (!isSame) {
    scoreLine = line;
    scoreMap?.choose(zip);
    renderPlace();
    history.pushState(null, '', address());
  }
  if (zip !== null || area !== null) revealPlace();
}

/**
 * Scrolls to the start of the panel. Otherwise, figures appear above the visible part of a list that was scrolled; on a
 * phone, below the screen.
 */
function revealPlace(): void {
  find('.panel', HTMLElement).scrollTop = 0;
  const { bottom } = find('.controls', HTMLElement).getBoundingClientRect();
  if (NARROW.matches)
    scrollTo({ top: scrollY + bottom, behavior: STILL.matches ? 'auto' : 'smooth' });
}

function showMetro(slug: string): void {
  const bbox = extents.get(slug);
  if (!bbox || !scoreMap) return;
  choose({ area: null, zip: null });
  revealPlace();
  flyTo(metroCamera(bbox, scoreMap.map));
}

function fly(bbox: Bbox): void {
  flyTo(scoreMap?.map.cameraForBounds(toBounds(bbox), { padding: paddingPx(), maxZoom: 11 }));
}

function flyTo(camera: CameraOptions | undefined): void {
  if (!camera || !scoreMap) return;
  if (STILL.matches) scoreMap.map.jumpTo(camera);
  else scoreMap.map.flyTo({ ...camera, maxDuration: 2500 });
}

/** Moves the map to a ZIP code of the current metro, unless the ZIP code is in view. */
function showOnMap(code: string): void {
  if (!scoreMap) return;
  const { map } = scoreMap;
  const [label] = map.querySourceFeatures('zips', {
    sourceLayer: 'zip-labels',
    filter: ['==', ['get', 'zip'], code],
  });
  if (label?.geometry.type !== 'Point') {
    const bbox = metro === null ? undefined : extents.get(metro);
    if (bbox) flyTo(metroCamera(bbox, map));
    return;
  }
  const [lng = 0, lat = 0] = label.geometry.coordinates;
  if (!map.getBounds().contains([lng, lat])) map.easeTo({ center: [lng, lat] });
}

function showFound({ kind, label, zip: code, metro: slug, bbox }: FoundPlace): void {
  if (kind === 'metro' && slug !== null) {
    showMetro(slug);
    return;
  }
  choose({ area: isAreaKind(kind) ? { kind, label } : null, zip: code });
  if (bbox) fly(bbox);
}

/** Returns the page's address with the current view. */
function address(): string {
  const { pathname, search } = location;
  if (!scoreMap) return pathname + search + formatView({ ...opening, area, zip });
  const { lng, lat } = scoreMap.map.getCenter();
  return (
    pathname +
    search +
    formatView({ camera: { zoom: scoreMap.map.getZoom(), lng, lat }, area, zip })
  );
}

function followMap({ map }: ScoreMap): void {
  const center = map.getCenter();
  const at = map.getZoom() < ZIPS_MIN_ZOOM ? null : metroAt(center, extents);
  if (at === metro) return;
  metro = at;
  renderPlace();
}

/** Shows another vertical. The server's page for it contains its title and its list of metros. */
async function showVertical(slug: string): Promise<void> {
  const link = verticalLinks().find((each) => data(each, 'vertical') === slug);
  if (!link || slug === vertical) return;
  vertical = slug;
  renderPlace();
  try {
    const [response] = await Promise.all([fetchOk(link.href), scoreMap?.setVertical(slug)]);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    // Another vertical may have been chosen in the meantime.
    if (vertical !== slug) return;
    document.title = page.title;
    for (const selector of ['.controls h1', '.verticals', '#metros', '#legend-title']) {
      find(selector, HTMLElement).replaceWith(find(selector, HTMLElement, page));
    }
    find(`.verticals [data-vertical="${slug}"]`, HTMLElement).focus({ preventScroll: true });
  } catch {
    location.assign(link.href + location.hash);
  }
}

/** Links of verticals and metros change the map. With a modifier key, they open pages as usual. */
function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const { vertical: slug, metro: chosenMetro } = link?.dataset ?? {};
  if (link && slug !== undefined) {
    event.preventDefault();
    if (slug === vertical) return;
    history.pushState(null, '', link.pathname + location.search + location.hash);
    void showVertical(slug);
  } else if (chosenMetro !== undefined && extents.has(chosenMetro)) {
    event.preventDefault();
    showMetro(chosenMetro);
  }
}

/** Shows the view of an address from the history, or of an address that was edited. */
function followAddress({ map, choose: outlineZip }: ScoreMap): void {
  const view = parseView(location.hash);
  // This comes first, because the end of the move writes the ZIP code into the address.
  ({ area, zip } = view);
  scoreLine = null;
  outlineZip(zip);
  const camera = cameraOf(view, map);
  if (camera) map.jumpTo(camera);
  renderPlace();
  const slug = location.pathname.split('/').at(-1)!;
  void showVertical(verticals.has(slug) ? slug : [...verticals.keys()][0]!);
}

function follow(open: ScoreMap): void {
  scoreMap = open;
  open.map.on('moveend', () => {
    followMap(open);
    history.replaceState(null, '', address());
  });
  open.choose(zip);
  followMap(open);
  renderPlace();
  document.addEventListener('click', followLinks);
  addEventListener('popstate', () => followAddress(open));
}

render(
  <PlaceSearch action={`${data(frame, 'site')}/search`} launchedOnly onChoose={showFound} />,
  findById('search', HTMLElement),
);

opened.then(follow).catch(() => {
  find('.failure', HTMLElement, frame).textContent =
    'The map couldn’t be loaded. The list of metros links to pages with pictures.';
});
