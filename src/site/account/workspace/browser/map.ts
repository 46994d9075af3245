/** The map of the workspace. It follows the state, and reports hovers and clicks. */
import type { GeoJSONSource, LngLat, Map as MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import { data, findById } from '../../../browser/dom.ts';
import {
  DARK,
  fetchJson,
  type MapLibre,
  NARROW,
  openMap,
  parseBbox,
  toBounds,
} from '../../../browser/map-view.ts';
import { createShading, type Shading } from '../../../browser/zip-choropleth.ts';
import { classIn } from '../../../browser/zip-classes.ts';
import { readLine, sidesIn, type BorderLinesAnswer } from './border-lines.ts';
import { config } from './config.ts';
import { territoriesByZip, type Draft } from './draft.ts';
import type { Bbox, Market } from './market.ts';
import {
  addPatternImages,
  BORDERS,
  NAMES,
  patternOpacity,
  workspaceStyle,
  zipFeature,
} from './map-style.ts';
import { verticalOf } from './measures.ts';
import { isNational, nationalClasses } from './national-classes.ts';
import { breaksOf, classOf, colorOfClass } from './shades.ts';
import { markedZips, shownDraft } from './proposal.ts';
import { combine, toggle } from './selection.ts';
import { NO_ZIPS, store, type OutsideZip, type WorkspaceState } from './state.ts';
import { PATTERNS, territoryColor, territoryPattern } from './territory-colors.ts';
import { namePoints } from './name-points.ts';
import { union } from './sets.ts';
import { unsavedZips } from './unsaved.ts';
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

/** Makes the map call a tool while the state names it. */
export const addMapTool = (name: string, tool: MapTool) => tools.set(name, tool);

/** The whole market with a margin; nothing is closer than a town. */
function cameraFor(map: MapLibreMap, bbox: Bbox) {
  const px = NARROW.matches ? 16 : 40;
  const padding = { top: px, right: px, bottom: px + coveredPx(map), left: px };
  return map.cameraForBounds(toBounds(bbox), { padding, maxZoom: 12 });
}

/** How much of the map the sheet covers on narrow screens. Under a full one, nothing can be framed. */
function coveredPx(map: MapLibreMap): number {
  if (!NARROW.matches) return 0;
  const { bottom, height } = map.getContainer().getBoundingClientRect();
  const { top } = findById('sheet', HTMLElement).getBoundingClientRect();
  return Math.max(0, Math.min(bottom - top, 0.6 * height));
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
    // The first market is already in view, and so is one with other columns.
    if (now.market && before.market === null && now.place !== config().place) {
      fly(now.market.bbox);
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

/** Draws the state and what changes in it, and everything again in a new style. */
function drawState(map: MapLibreMap, shading: ReturnType<typeof createShading>): void {
  const territories = drawTerritories(map);
  const flags = {
    selected: drawFlag(map, 'selected'),
    hovered: drawFlag(map, 'hovered'),
    changed: drawFlag(map, 'changed'),
    removed: drawFlag(map, 'removed'),
  };
  const shade = async (state: WorkspaceState) => {
    const shades = await shadingOf(state);
    const now = store.get();
    const isCurrent = now.market === state.market && now.colorBy === state.colorBy;
    if (isCurrent && (now.proposal === null) === (state.proposal === null)) shading.show(shades);
  };
  const draw = (now: WorkspaceState, before?: WorkspaceState) => {
    const isOther = (...keys: (keyof WorkspaceState)[]) =>
      before === undefined || keys.some((key) => now[key] !== before[key]);
    if (isOther('market', 'colorBy', 'proposal')) void shade(now);
    if (isOther('market', 'draft', 'proposal', 'colorBy')) territories.show(now);
    if (isOther('market', 'proposal', 'draft', 'saved')) {
      const { changed, removed } = marksOf(now);
      flags.changed(zipsOf(now.market, changed));
      flags.removed(zipsOf(now.market, removed));
    }
    if (isOther('market')) void territories.loadBorders(now);
    if (isOther('market', 'selection')) flags.selected(zipsOf(now.market, now.selection));
    if (isOther('market', 'hovered')) {
      flags.hovered(zipsOf(now.market, now.hovered === null ? [] : [now.hovered]));
    }
  };
  store.subscribe((now, before) => draw(now, before));
  // Fires again when the color scheme changes.
  map.on('style.load', () => {
    addPatternImages(map);
    territories.forget();
    for (const flag of Object.values(flags)) flag([]);
    draw(store.get());
  });
}

/** While a proposal is shown, its changes are marked instead of what isn't saved. */
function marksOf({ proposal, saved, draft }: WorkspaceState) {
  if (proposal) return { changed: markedZips(proposal), removed: NO_ZIPS };
  const { added, removed } = unsavedZips(saved, draft);
  return { changed: union(added, removed), removed };
}

const zipsOf = (market: Market | null, numbers: Iterable<number>): string[] =>
  market ? Array.from(numbers, (number) => market.zips[number]!) : [];

/** Colors the market by the measure and the rest of the country by class. */
async function shadingOf({ market, colorBy, proposal }: WorkspaceState): Promise<Shading> {
  const own = new Map<string, number | null>();
  // The colors of a difference are those of territories alone.
  if (colorBy === 'territory' || proposal) return { national: '', own };
  const values = market?.columns.get(colorBy);
  const breaks = breaksOf(colorBy, values ?? new Float64Array());
  // Without it, the market has colors of its own.
  const national = isNational(colorBy)
    ? await nationalClasses(colorBy, breaks).catch(() => '')
    : '';
  for (const [number, zip] of market?.zips.entries() ?? []) {
    // Figures may be withheld, but classes of public scores are free.
    const index = values ? classOf(values[number]!, breaks) : null;
    own.set(zip, index === null ? classIn(national, zip) : colorOfClass(index, breaks));
  }
  return { national, own };
}

/** Returns a function that gives these ZIP codes a state and takes it from the others. */
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

interface ZipTerritory {
  color: string;
  pattern: string;
  pending: boolean;
  /** Color of another brand that has the ZIP code too */
  other: string | null;
}

function drawTerritories(map: MapLibreMap) {
  let shown = new Map<string, ZipTerritory>();
  let borders: {
    market: Market;
    answer: BorderLinesAnswer;
    left: number[];
    right: number[];
  } | null = null;

  const drawBorders = (state: WorkspaceState) => {
    if (borders === null || borders.market.zips !== state.market?.zips) return;
    const { left, right } = borders;
    const byZip = territoriesByZip(shownDraft(state));
    const territoryOf = (zip: number) => byZip.get(zip)?.[0]?.number ?? 0;
    const colorOf = (number: number) =>
      number === 0 ? null : territoryColor(number, DARK.matches);
    for (const [id, zip] of left.entries()) {
      const [own, other] = [territoryOf(zip), territoryOf(right[id]!)];
      const isEdge = own !== other;
      map.setFeatureState(
        { source: BORDERS, id },
        {
          left: isEdge ? colorOf(own) : null,
          right: isEdge ? colorOf(other) : null,
          edge: isEdge,
        },
      );
    }
  };

  return {
    /** Forgets what an earlier style showed. */
    forget() {
      shown = new Map();
      if (borders) setLines(map, borders.answer);
    },
    show(state: WorkspaceState) {
      const { market, colorBy, proposal } = state;
      const draft = shownDraft(state);
      // A difference shows territories, whatever the colors meant before.
      const isFilled = colorBy === 'territory' || proposal !== null;
      setVisible(map, ['territory-fill', 'zip-grid'], isFilled);
      // Its light lines divide colors and would vanish on the plain land.
      setVisible(map, ['zip-outline'], !isFilled);
      for (const pattern of PATTERNS) {
        if (pattern === 'plain') continue;
        const opacity = patternOpacity(pattern, isFilled ? 1 : 0.6);
        map.setPaintProperty(`territory-${pattern}`, 'fill-opacity', opacity);
      }
      const next = market ? territoryStates(market, draft) : new Map<string, ZipTerritory>();
      for (const zip of shown.keys()) {
        if (!next.has(zip)) {
          map.setFeatureState(zipFeature(zip), { color: null, pattern: null, other: null });
        }
      }
      for (const [zip, territory] of next) {
        if (!isSame(shown.get(zip), territory)) {
          map.setFeatureState(zipFeature(zip), { ...territory });
        }
      }
      shown = next;
      drawBorders(state);
      const names = map.getSource<GeoJSONSource>(NAMES);
      names?.setData(
        market ? namePoints(market, draft) : { type: 'FeatureCollection', features: [] },
      );
    },
    async loadBorders({ market, place }: WorkspaceState) {
      if (!market || borders?.market.zips === market.zips) return;
      try {
        const answer = await fetchJson<BorderLinesAnswer>(`${config().paths.borders}?${place}`);
        if (store.get().market?.zips !== market.zips) return;
        borders = { market, answer, ...sidesIn(answer, market.numbers) };
        setLines(map, answer);
        drawBorders(store.get());
      } catch {
        // Territories still have their fills and names.
      }
    },
  };
}

function setVisible(map: MapLibreMap, layers: readonly string[], isVisible: boolean): void {
  for (const layer of layers) {
    map.setLayoutProperty(layer, 'visibility', isVisible ? 'visible' : 'none');
  }
}

function setLines(map: MapLibreMap, { lines }: BorderLinesAnswer): void {
  const features = lines.map((line, id) => ({
    type: 'Feature' as const,
    id,
    properties: {},
    geometry: { type: 'LineString' as const, coordinates: readLine(line) },
  }));
  map.getSource<GeoJSONSource>(BORDERS)?.setData({ type: 'FeatureCollection', features });
}

function territoryStates(market: Market, draft: Draft): Map<string, ZipTerritory> {
  const states = new Map<string, ZipTerritory>();
  for (const [zip, [first, second]] of territoriesByZip(draft)) {
    const { number, pending } = first!;
    states.set(market.zips[zip]!, {
      color: territoryColor(number, DARK.matches),
      pattern: territoryPattern(number),
      pending: pending.has(zip),
      other: second ? territoryColor(second.number, DARK.matches) : null,
    });
  }
  return states;
}

const isSame = (a: ZipTerritory | undefined, b: ZipTerritory) =>
  a?.color === b.color && a.pattern === b.pattern && a.pending === b.pending && a.other === b.other;

/** Returns the ZIP code at a point of the canvas in pixels, in the market or not. */
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
    // While the map moves, a ZIP code under the pointer is there by chance.
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
