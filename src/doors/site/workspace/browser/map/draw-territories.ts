/** Territories on the map: fills with patterns, outlines along the borders of ZIP codes, and names. */
import type { FilterSpecification, GeoJSONSource, Map as MapLibreMap } from 'maplibre-gl';
import {
  PATTERNS,
  withoutCities,
  type Pattern,
} from '../../../../../maps/cartography/territory-look.ts';
import { DARK, hasStyle } from '../../../browser/map-view.ts';
import { readLine, sidesIn, type BorderLinesAnswer } from './border-lines.ts';
import { config } from '../config.ts';
import { territoriesByZip, type Draft } from '../territories/draft.ts';
import type { Market } from '../market.ts';
import {
  BORDERS,
  NAMES,
  OUTLINE,
  OUTLINE_SIDES,
  outlineLineWidth,
  patternLayer,
  patternOpacity,
  zipFeature,
} from './map-style.ts';
import { namePoints } from './name-points.ts';
import { shownDraft } from '../proposals/proposal.ts';
import { getJson } from '../requests.ts';
import { store, type WorkspaceState } from '../state.ts';
import { territoryColor, territoryPattern } from './swatch.tsx';

interface ZipTerritory {
  color: string;
  pattern: Pattern | null;
  pending: boolean;
  /** Whether a change that waits adds or removes it */
  planned: boolean;
  /** Color of another brand that also holds the ZIP code */
  other: string | null;
}

export function drawTerritories(map: MapLibreMap) {
  const { firstTerritories, brands } = config();
  let numbers = firstTerritories.map(({ number }) => number);
  /** Names that cities may have, too */
  let names = firstTerritories
    .map(({ name }) => name)
    .filter((name) => brands.every((brand) => brand.name !== name));
  let shown = new Map<string, ZipTerritory>();
  let cities = cityLayers(map);
  let borders: {
    market: Market;
    answer: BorderLinesAnswer;
    left: number[];
    right: number[];
  } | null = null;

  const drawBorders = (state: WorkspaceState) => {
    if (!hasStyle(map) || borders === null || borders.market.zips !== state.market?.zips) return;
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
        { left: isEdge ? colorOf(own) : null, right: isEdge ? colorOf(other) : null, edge: isEdge },
      );
    }
  };

  return {
    /** Forgets the content of the previous style. */
    forget() {
      shown = new Map();
      cities = cityLayers(map);
      if (borders) setLines(map, borders.answer);
    },
    show(state: WorkspaceState) {
      const { market, colorBy, proposal } = state;
      const draft = shownDraft(state);
      // A comparison shows territories, whatever the colors showed before.
      const isFilled = colorBy === 'territory' || proposal !== null;
      setVisible(map, ['territory-fill', 'zip-grid'], isFilled);
      // The light lines separate colors and would be invisible on plain land.
      setVisible(map, ['zip-outline', ...OUTLINE_SIDES], !isFilled);
      map.setPaintProperty(OUTLINE, 'line-width', outlineLineWidth(!isFilled));
      // Changes of visibility and of filters make the map prepare all tiles again, so those for the first
      // territories are made before these are loaded. Until another market is loaded, nothing changes.
      if (market) {
        const own = draft.territories.filter(
          // Brands are rarely named after a city.
          ({ name, brand, zips }) => zips.size > 0 && name !== brand?.name,
        );
        numbers = draft.territories.map(({ number }) => number);
        names = own.map(({ name }) => name);
      }
      const used = new Set(numbers.map(territoryPattern));
      for (const pattern of PATTERNS) {
        if (pattern === null) continue;
        const layer = patternLayer(pattern);
        setVisible(map, [layer], used.has(pattern));
        map.setPaintProperty(layer, 'fill-opacity', patternOpacity(pattern, isFilled ? 1 : 0.6));
      }
      const next = market ? territoryStates(market, draft) : new Map<string, ZipTerritory>();
      for (const zip of shown.keys()) {
        if (!next.has(zip)) {
          map.setFeatureState(zipFeature(zip), {
            color: null,
            pattern: null,
            planned: false,
            other: null,
          });
        }
      }
      for (const [zip, territory] of next) {
        if (!isSame(shown.get(zip), territory)) {
          map.setFeatureState(zipFeature(zip), { ...territory });
        }
      }
      shown = next;
      drawBorders(state);
      cities.hide(names);
      map
        .getSource<GeoJSONSource>(NAMES)
        ?.setData(market ? namePoints(market, draft) : { type: 'FeatureCollection', features: [] });
    },
    async loadBorders({ market, place }: WorkspaceState) {
      if (!market || borders?.market.zips === market.zips) return;
      try {
        const answer = await getJson<BorderLinesAnswer>(`${config().paths.borders}?${place}`);
        if (store.get().market?.zips !== market.zips) return;
        borders = { market, answer, ...sidesIn(answer, market.numbers) };
        setLines(map, answer);
        drawBorders(store.get());
      } catch {
        // Territories still have fills and names.
      }
    },
  };
}

/** The layers of the current style with names of cities */
function cityLayers(map: MapLibreMap) {
  const layers = new Map<string, FilterSpecification | undefined>();
  let hidden = '[]';
  return {
    /** Hides the cities with the names of territories. */
    hide(names: readonly string[]): void {
      const key = JSON.stringify(names);
      if (key === hidden) return;
      hidden = key;
      if (layers.size === 0) {
        for (const layer of map.getStyle().layers) {
          if (!('source-layer' in layer) || layer['source-layer'] !== 'places') continue;
          layers.set(layer.id, layer.filter);
        }
      }
      for (const [id, filter] of layers) map.setFilter(id, withoutCities(filter, names));
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
    const { number, pending, planned } = first!;
    states.set(market.zips[zip]!, {
      color: territoryColor(number, DARK.matches),
      pattern: territoryPattern(number),
      pending: pending.has(zip),
      planned: planned?.has(zip) === true || second?.planned?.has(zip) === true,
      other: second ? territoryColor(second.number, DARK.matches) : null,
    });
  }
  return states;
}

const isSame = (a: ZipTerritory | undefined, b: ZipTerritory) =>
  a?.color === b.color &&
  a.pattern === b.pattern &&
  a.pending === b.pending &&
  a.planned === b.planned &&
  a.other === b.other;
