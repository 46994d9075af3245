/** Arrow keys on the map go from ZIP code to ZIP code, as in the table they go from row to row. */
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { Market } from './market.ts';
import { toggle, zipTowards } from './selection.ts';
import { store } from './state.ts';

const DIRECTIONS = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
} as const;

const PAN_PX = 100;
const PANS: Readonly<Record<keyof typeof DIRECTIONS, [x: number, y: number]>> = {
  ArrowUp: [0, -PAN_PX],
  ArrowDown: [0, PAN_PX],
  ArrowLeft: [-PAN_PX, 0],
  ArrowRight: [PAN_PX, 0],
};

const isArrow = (key: string): key is keyof typeof DIRECTIONS => key in DIRECTIONS;

export function followMapKeys(map: MapLibreMap): void {
  const canvas = map.getCanvas();
  // Before MapLibre's own handler, which would pan
  map.getCanvasContainer().addEventListener(
    'keydown',
    (event) => {
      const { market, hovered, selection } = store.get();
      if (event.target !== canvas || !market || event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      if (isArrow(event.key)) {
        if (event.shiftKey) map.panBy(PANS[event.key]);
        else goTo(map, market, DIRECTIONS[event.key]);
      } else if ((event.key === ' ' || event.key === 'Enter') && hovered !== null) {
        store.update({ selection: toggle(selection, hovered) });
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}

function goTo(
  map: MapLibreMap,
  market: Market,
  direction: (typeof DIRECTIONS)[keyof typeof DIRECTIONS],
): void {
  const { hovered } = store.get();
  const next =
    hovered === null || Number.isNaN(market.lon[hovered]!)
      ? nearestTo(market, map.getCenter())
      : zipTowards(market, hovered, direction);
  if (next === null) return;
  store.update({ hovered: next });
  const at: [number, number] = [market.lon[next]!, market.lat[next]!];
  if (!map.getBounds().contains(at)) map.panTo(at);
}

function nearestTo({ lon, lat }: Market, { lng: x, lat: y }: { lng: number; lat: number }) {
  const scale = Math.cos((y * Math.PI) / 180);
  let best: number | null = null;
  let least = Infinity;
  for (let zip = 0; zip < lon.length; zip++) {
    const distance = Math.hypot((lon[zip]! - x) * scale, lat[zip]! - y);
    if (!(distance < least)) continue;
    least = distance;
    best = zip;
  }
  return best;
}
