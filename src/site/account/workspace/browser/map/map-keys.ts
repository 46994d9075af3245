/** Moves between ZIP codes on the map with the arrow keys, just as they move between rows in the table. */
import type { Map as MapLibreMap } from 'maplibre-gl';
import { followArrows } from '../../../../browser/map-arrows.ts';
import { nearestPoint, pointTowards } from '../../../../browser/points.ts';
import { toggle } from '../selection/selection.ts';
import { store } from '../state.ts';

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
