/** Draws the state and its changes on the map. */
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { createShading } from '../../../../browser/zip-choropleth.ts';
import { drawTerritories } from './draw-territories.ts';
import type { Market } from '../market.ts';
import { addRemovedImage, zipFeature } from './map-style.ts';
import { markedZips } from '../proposals/proposal.ts';
import { union } from '../selection/sets.ts';
import { shadingOf } from './shading.ts';
import { NO_ZIPS, store, type WorkspaceState } from '../state.ts';
import { unsavedZips } from '../territories/unsaved.ts';

/** Draws the state and its changes, and redraws everything in a new style. */
export function drawState(map: MapLibreMap, shading: ReturnType<typeof createShading>): void {
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
    const isCurrent = (['market', 'colorBy', 'whiteSpace'] as const).every(
      (part) => now[part] === state[part],
    );
    if (isCurrent && (now.proposal === null) === (state.proposal === null)) shading.show(shades);
  };
  const draw = (now: WorkspaceState, before?: WorkspaceState) => {
    const isOther = (...keys: (keyof WorkspaceState)[]) =>
      before === undefined || keys.some((key) => now[key] !== before[key]);
    if (isOther('market', 'colorBy', 'whiteSpace', 'proposal')) void shade(now);
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
    addRemovedImage(map);
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
