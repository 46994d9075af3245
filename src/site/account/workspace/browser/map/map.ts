/** The map of the workspace. It follows the state, and reports hovers and clicks. */
import type { LngLat, Map as MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import { data, findById } from '../../../../browser/dom.ts';
import {
  type MapLibre,
  NARROW,
  openMap,
  parseBbox,
  toBounds,
} from '../../../../browser/map-view.ts';
import { createShading } from '../../../../browser/zip-choropleth.ts';
import { config } from '../config.ts';
import { drawState } from './draw-state.ts';
import { bboxOf, type Bbox } from '../market.ts';
import { workspaceStyle } from './map-style.ts';
import { verticalOf } from '../measures.ts';
import { markedZips } from '../proposals/proposal.ts';
import { combine, toggle } from '../selection/selection.ts';
import { NO_ZIPS, store, type OutsideZip } from '../state.ts';
import { readAddress, type MapPosition } from './view-address.ts';

export interface WorkspaceMap {
  map: MapLibreMap;
  maplibregl: MapLibre;
  /** Returns the ZIP code of the market at a point of the canvas in pixels. */
  zipAt(point: { x: number; y: number }): number | null;
  fly(bbox: Bbox): void;
  position(): MapPosition;
}

/** A tool for clicks on the map */
export interface MapTool {
  /** @param zip null outside the market */
  click(zip: number | null, event: { lngLat: LngLat; isAdding: boolean }): void;
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
  const { map, maplibregl } = await openMap(frame, {
    style: () => workspaceStyle(frame),
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
  followPointer(map, zipAt, (zip) =>
    verticalOf(store.get().colorBy) === null ? null : shading.classOf(zip),
  );
  store.subscribe((now, before) => {
    // The first market is already in view, and so is a market that only got other columns.
    if (now.market && before.market === null && now.place !== config().place) {
      fly(now.market.bbox);
    }
    if (now.market && now.proposal && before.proposal === null) {
      const changed = bboxOf(now.market, markedZips(now.proposal));
      if (changed && !isInView(map, changed)) fly(changed);
    }
  });
  return {
    ...{ map, maplibregl, zipAt, fly },
    position() {
      const { lat, lng } = map.getCenter();
      return { lat, lng, zoom: map.getZoom() };
    },
  };
}

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
  map.on('click', ({ point, lngLat, originalEvent }: MapMouseEvent) => {
    const { shiftKey, ctrlKey, metaKey } = originalEvent;
    tools
      .get(store.get().tool)
      ?.click(zipAt(point), { lngLat, isAdding: shiftKey || ctrlKey || metaKey });
  });
}

addMapTool('pointer', {
  click(zip, { isAdding }) {
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
