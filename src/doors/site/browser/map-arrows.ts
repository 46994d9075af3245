/**
 * Moves between the ZIP codes of a map with arrow keys; with Shift, they pan the map. Enter and Space
 * choose a ZIP code.
 */
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { Direction } from './points.ts';

const DIRECTIONS = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
} as const;

const PAN_PX = 100;
const PANS: Readonly<Record<Direction, [x: number, y: number]>> = {
  up: [0, -PAN_PX],
  down: [0, PAN_PX],
  left: [-PAN_PX, 0],
  right: [PAN_PX, 0],
};

const isArrow = (key: string): key is keyof typeof DIRECTIONS => key in DIRECTIONS;

export const pan = (map: MapLibreMap, direction: Direction) => map.panBy(PANS[direction]);

interface ArrowKeys {
  /** Whether ZIP codes can be reached. Otherwise, keys have their usual effect. */
  isReady(): boolean;
  goTowards(direction: Direction): void;
  /** Returns false if there is no ZIP code to choose. */
  choose(): boolean;
}

export function followArrows(map: MapLibreMap, { isReady, goTowards, choose }: ArrowKeys): void {
  const canvas = map.getCanvas();
  // With this role, screen readers pass arrow keys to the page.
  canvas.setAttribute('role', 'application');
  // In the capture phase, before MapLibre's own handler, which would pan.
  map.getCanvasContainer().addEventListener(
    'keydown',
    (event) => {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (target !== canvas || ctrlKey || metaKey || altKey || !isReady()) return;
      if (isArrow(key)) {
        if (shiftKey) pan(map, DIRECTIONS[key]);
        else goTowards(DIRECTIONS[key]);
      } else if ((key !== ' ' && key !== 'Enter') || !choose()) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}
