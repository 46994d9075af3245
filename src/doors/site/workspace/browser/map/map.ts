/** The map of the workspace. It draws the state and its changes, and reports hovers, clicks, and arrow keys. */
import type { Map as MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import { data, findById } from '../../../browser/dom.ts';
import {
  hasStyle,
  type MapLibre,
  NARROW,
  openMap,
  parseBbox,
  toBounds,
} from '../../../browser/map-view.ts';
import type { MapPlace } from '../../../../../maps/cartography/place-pins.ts';
import { createShading } from '../../../browser/zip-choropleth.ts';
import { config } from '../config.ts';
import { bboxOf, type Bbox, type Market } from '../market.ts';
import { workspaceStyle, addMarkImages, zipFeature } from './map-style.ts';
import { verticalOf } from '../measures.ts';
import type { Draft } from '../territories/draft.ts';
import { markedZips } from '../proposals/proposal.ts';
import { combine, toggle } from '../selection/selection.ts';
import { NO_ZIPS, store, type OutsideZip, type WorkspaceState } from '../state.ts';
import { readAddress, type MapPosition } from './view-address.ts';
import { drawTerritories } from './draw-territories.ts';
import { union } from '../selection/sets.ts';
import { shadingOf } from './shading.ts';
import { refusedOnMap } from '../territories/refusals.ts';
import { unsavedZips } from '../territories/unsaved.ts';
import { followArrows } from '../../../browser/map-arrows.ts';
import { nearestPoint, pointTowards } from '../../../browser/points.ts';

export interface WorkspaceMap {
  map: MapLibreMap;
  maplibregl: MapLibre;
  /** Returns the ZIP code of the market at a point of the canvas in pixels. */
  zipAt(point: { x: number; y: number }): number | null;
  fly(bbox: Bbox): void;
  position(): MapPosition;
}

/** A tool for clicks on the map */
interface MapTool {
  /** @param zip null outside the market */
  click(zip: number | null, isAdding: boolean): void;
}

const tools = new Map<string, MapTool>();

/** Makes the map call a tool while it is selected in the state. */
const addMapTool = (name: string, tool: MapTool) => tools.set(name, tool);

/** The whole market with a margin, but no closer than a town. */
function cameraFor(map: MapLibreMap, bbox: Bbox) {
  const px = NARROW.matches ? 16 : 32;
  const covered = coveredPx(map);
  // On low maps, half of what the sheet leaves is for the market: without any room, there is no camera.
  const free = map.getContainer().clientHeight - covered;
  const tools = Math.max(0, Math.min(toolsPx(map), free / 2 - 2 * px));
  const padding = { top: px + tools, right: px, bottom: px + covered, left: px };
  return map.cameraForBounds(toBounds(bbox), { padding, maxZoom: 12 });
}

/**
 * How much of the map the sheet covers on narrow screens. A full sheet covers all of it, so it doesn't
 * count.
 */
function coveredPx(map: MapLibreMap): number {
  if (!NARROW.matches) return 0;
  const { bottom, height } = map.getContainer().getBoundingClientRect();
  const { top } = findById('sheet', HTMLElement).getBoundingClientRect();
  return Math.max(0, Math.min(bottom - top, 0.6 * height));
}

/** Height of the map's top that the tools cover: several rows on narrow screens. Counts at most a fifth of the map. */
function toolsPx(map: MapLibreMap): number {
  const { bottom } = findById('map-tools', HTMLElement).getBoundingClientRect();
  const { top, height } = map.getContainer().getBoundingClientRect();
  return Math.max(0, Math.min(bottom - top, 0.2 * height));
}

/** Whether it is in the part of the map that the tools and the sheet don't cover */
function isInView(map: MapLibreMap, bbox: Bbox): boolean {
  const { clientWidth, clientHeight } = map.getContainer();
  const top = toolsPx(map);
  const bottom = clientHeight - coveredPx(map);
  return toBounds(bbox).every((corner) => {
    const { x, y } = map.project(corner);
    return x >= 0 && x <= clientWidth && y >= top && y <= bottom;
  });
}

export async function openWorkspaceMap(frame: HTMLElement): Promise<WorkspaceMap> {
  const first = parseBbox(data(frame, 'bbox'));
  const { position } = readAddress(location.search);
  const { map, maplibregl, showPins } = await openMap(frame, {
    style: () => workspaceStyle(frame),
    hasPins: true,
    camera: (of) => cameraFor(of, store.get().market?.bbox ?? first),
    start: (of) =>
      position
        ? { center: [position.lng, position.lat], zoom: position.zoom }
        : cameraFor(of, first),
    label: 'Map of ZIP codes and territories',
    cooperative: false,
    showAllLabel: 'Show the whole market',
  });
  const zipAt: WorkspaceMap['zipAt'] = (point) => {
    const hit = hitAt(map, point);
    return hit === null ? null : (store.get().market?.numbers.get(hit.zip) ?? null);
  };
  const fly = (bbox: Bbox) => {
    const camera = cameraFor(map, bbox);
    if (camera) map.flyTo(camera);
  };
  const shading = createShading(map);
  drawState(map, shading);
  drawPlaces(showPins);
  followPointer(map, zipAt, (zip) =>
    verticalOf(store.get().colorBy) === null ? null : shading.classOf(zip),
  );
  store.subscribe((now, before) => {
    // The first market is already in view, and so is a market that only got other columns.
    if (now.market && before.market === null && now.place !== config().place) {
      fly(ownExtent(now.market, now.draft));
    }
    if (now.market && now.proposal && before.proposal === null) {
      const changed = bboxOf(now.market, markedZips(now.proposal));
      if (changed && !isInView(map, changed)) fly(changed);
    }
  });
  return {
    map,
    maplibregl,
    zipAt,
    fly,
    position() {
      const { lat, lng } = map.getCenter();
      return { lat, lng, zoom: map.getZoom() };
    },
  };
}

/** The places, unless the viewer hides them */
function drawPlaces(showPins: (pins: readonly MapPlace[]) => void): void {
  const draw = ({ places, showsPlaces }: WorkspaceState) => showPins(showsPlaces ? places : []);
  draw(store.get());
  store.subscribe((now, before) => {
    if (now.places !== before.places || now.showsPlaces !== before.showsPlaces) draw(now);
  });
}

/** The extent of one's territories in a market, which the map opens on; without any, the whole market */
const ownExtent = (market: Market, { territories }: Draft): Bbox =>
  bboxOf(
    market,
    territories.flatMap(({ zips }) => [...zips]),
  ) ?? market.bbox;

/** Returns the ZIP code at a point of the canvas in pixels, inside or outside the market. */
function hitAt(
  map: MapLibreMap,
  { x, y }: { x: number; y: number },
): Pick<OutsideZip, 'zip' | 'place'> | null {
  const [hit] = map.queryRenderedFeatures([x, y], { layers: ['zip-fill'] });
  if (!hit) return null;
  const { zip, place = '' } = hit.properties as { zip: string; place?: string };
  return { zip, place };
}

/** @param classOf returns the class of a ZIP code's score; null without one */
function followPointer(
  map: MapLibreMap,
  zipAt: WorkspaceMap['zipAt'],
  classOf: (zip: string) => number | null,
): void {
  map.on('mousemove', ({ point }: MapMouseEvent) => {
    // While the map moves, the ZIP code under the pointer is a coincidence.
    const hit = map.isMoving() ? null : hitAt(map, point);
    const hovered = hit === null ? null : (store.get().market?.numbers.get(hit.zip) ?? null);
    const isOutside = hit !== null && hovered === null;
    const { outside } = store.get();
    const now = isOutside ? { ...hit, scoreClass: classOf(hit.zip) } : null;
    store.update({ hovered, outside: now && outside?.zip === now.zip ? outside : now });
    map.getCanvas().classList.toggle('over-zip', hovered !== null);
  });
  map.on('mouseout', () => store.update({ hovered: null, outside: null }));
  const click = (point: { x: number; y: number }, { shiftKey, ctrlKey, metaKey }: MouseEvent) =>
    tools.get(store.get().tool)?.click(zipAt(point), shiftKey || ctrlKey || metaKey);
  map.on('click', ({ point, originalEvent }: MapMouseEvent) => click(point, originalEvent));
  // MapLibre takes a click with Shift for the start of a box to zoom to, and sends no click.
  map.on('boxzoomcancel', ({ originalEvent }) => {
    if (!(originalEvent instanceof MouseEvent)) return;
    const { left, top } = map.getCanvas().getBoundingClientRect();
    click({ x: originalEvent.clientX - left, y: originalEvent.clientY - top }, originalEvent);
  });
}

addMapTool('pointer', {
  click(zip, isAdding) {
    const { selection, selectionMode } = store.get();
    const isReplacing = selectionMode === 'replace' && !isAdding;
    if (zip === null) {
      if (isReplacing) store.update({ selection: NO_ZIPS });
      return;
    }
    const isAlone = selection.size === 1 && selection.has(zip);
    const next = isReplacing
      ? new Set(isAlone ? [] : [zip])
      : selectionMode === 'subtract'
        ? combine(selection, new Set([zip]), 'subtract')
        : toggle(selection, zip);
    store.update({ selection: next, hovered: zip });
  },
});

/** Draws the state and its changes, and redraws everything in a new style. */
function drawState(map: MapLibreMap, shading: ReturnType<typeof createShading>): void {
  const territories = drawTerritories(map);
  const flags = {
    selected: drawFlag(map, 'selected'),
    hovered: drawFlag(map, 'hovered'),
    changed: drawFlag(map, 'changed'),
    removed: drawFlag(map, 'removed'),
    refused: drawFlag(map, 'refused'),
  };
  const shade = async (state: WorkspaceState) => {
    const shades = await shadingOf(state);
    const now = store.get();
    const isCurrent = (['market', 'colorBy', 'whiteSpace'] as const).every(
      (part) => now[part] === state[part],
    );
    if (isCurrent && (now.proposal === null) === (state.proposal === null)) shading.show(shades);
  };
  const draw = (now: WorkspaceState, before?: WorkspaceState) => {
    const isOther = (...keys: (keyof WorkspaceState)[]) =>
      before === undefined || keys.some((key) => now[key] !== before[key]);
    const isHatchedOtherwise = isOther('refusals', 'draft', 'target') && now.whiteSpace !== null;
    if (isOther('market', 'colorBy', 'whiteSpace', 'proposal') || isHatchedOtherwise) {
      void shade(now);
    }
    if (isOther('market', 'draft', 'proposal', 'colorBy')) territories.show(now);
    if (isOther('market', 'proposal', 'draft', 'saved')) {
      const { changed, removed } = marksOf(now);
      flags.changed(zipsOf(now.market, changed));
      flags.removed(zipsOf(now.market, removed));
    }
    if (isOther('market', 'proposal', 'draft', 'target', 'refusals')) {
      flags.refused(zipsOf(now.market, now.proposal ? [] : refusedOnMap(now).keys()));
    }
    if (isOther('market')) void territories.loadBorders(now);
    if (isOther('market', 'selection')) flags.selected(zipsOf(now.market, now.selection));
    if (isOther('market', 'hovered')) {
      flags.hovered(zipsOf(now.market, now.hovered === null ? [] : [now.hovered]));
    }
  };
  store.subscribe((now, before) => {
    if (hasStyle(map)) draw(now, before);
  });
  // Fires again when the color scheme changes.
  map.on('style.load', () => {
    addMarkImages(map);
    territories.forget();
    for (const flag of Object.values(flags)) flag([]);
    draw(store.get());
  });
}

/** While a proposal is shown, its changes are marked instead of unsaved ones. */
function marksOf({ proposal, saved, draft }: WorkspaceState) {
  if (proposal) return { changed: markedZips(proposal), removed: NO_ZIPS };
  const { added, removed } = unsavedZips(saved, draft);
  return { changed: union(added, removed), removed };
}

const zipsOf = (market: Market | null, numbers: Iterable<number>): string[] =>
  market ? Array.from(numbers, (number) => market.zips[number]!) : [];

/** Returns a function that sets a state for these ZIP codes and removes it from all others. */
function drawFlag(map: MapLibreMap, name: string): (zips: readonly string[]) => void {
  let shown = new Set<string>();
  return (zips) => {
    const next = new Set(zips);
    for (const zip of shown) {
      if (!next.has(zip)) map.setFeatureState(zipFeature(zip), { [name]: false });
    }
    for (const zip of next) {
      if (!shown.has(zip)) map.setFeatureState(zipFeature(zip), { [name]: true });
    }
    shown = next;
  };
}

/** Moves between ZIP codes on the map with the arrow keys, just as they move between rows in the table. */
export function followMapKeys(map: MapLibreMap): void {
  followArrows(map, {
    isReady: () => store.get().market !== null,
    goTowards(direction) {
      const { market, hovered } = store.get();
      const points = market!;
      const next =
        hovered === null || Number.isNaN(points.lon[hovered]!)
          ? nearestPoint(points, map.getCenter())
          : pointTowards(points, hovered, direction);
      if (next === null) return;
      store.update({ hovered: next });
      const at: [number, number] = [points.lon[next]!, points.lat[next]!];
      if (!map.getBounds().contains(at)) map.panTo(at);
    },
    choose() {
      const { hovered, selection } = store.get();
      if (hovered === null) return false;
      store.update({ selection: toggle(selection, hovered) });
      return true;
    },
  });
}
