/** Brushes for areas and their outlines: a flat color or an ink. */
import type { FlatPoints } from '../../../spatial/flat.ts';
import { MAX_RING_POINTS, RING } from '../kernel-memory.ts';
import type { Area } from './area.ts';
import { drawHairline } from './hairline.ts';
import type { Ink } from './ink.ts';
import type { Pixels, Tint } from './pixels.ts';
import { fillPolygon, inkPolygon } from './polygon.ts';

export interface Brush {
  fill(area: Area): void;
  /** Draws a line one device pixel wide around each ring. */
  outline(area: Area): void;
}

/** Kernels draw with a flat color. */
export function tintBrush(pixels: Pixels, tint: Tint): Brush {
  const { kernels } = pixels.memory;
  return {
    fill: (area) => {
      const { dx, dy, scale } = area.toDevice;
      pixels.setTint(tint);
      kernels.startArea();
      const add = (points: number) => kernels.addEdges(points, dx, dy, scale) !== 0;
      if (area.rings.every((ring) => passRing(pixels, ring, add))) kernels.fillArea();
      else {
        kernels.dropArea();
        fillPolygon(pixels, devicePoints(area), tint);
      }
    },
    outline: (area) => {
      const { dx, dy, scale } = area.toDevice;
      if (area.isPitched) {
        drawOutline(pixels, area, (x, y, share) => pixels.blend(y * pixels.width + x, tint, share));
        return;
      }
      pixels.setTint(tint);
      const draw = (points: number) => {
        kernels.drawHairlines(points, dx, dy, scale);
        return true;
      };
      for (const ring of area.rings) passRing(pixels, ring, draw);
    },
  };
}

/** @param opacity 0 to 1 */
export function inkBrush(pixels: Pixels, ink: Ink, opacity: number): Brush {
  return {
    fill: (area) => inkPolygon(pixels, devicePoints(area), ink, opacity),
    outline: (area) =>
      drawOutline(pixels, area, (x, y, share) => pixels.inkPixel(x, y, ink, opacity * share)),
  };
}

const devicePoints = ({ device }: Area) => device.map(({ points }) => points);

/**
 * Passes a closed ring to a kernel, in parts that begin with the last point of the one before, until `take`
 * returns false.
 *
 * @param take gets the number of points in the kernel's memory
 */
function passRing(
  { memory: { doubles } }: Pixels,
  ring: FlatPoints,
  take: (points: number) => boolean,
): boolean {
  const first = RING / 8;
  const { length } = ring;
  let to = first;
  for (let i = 0; i < length; i++) {
    doubles[to++] = ring[i]!;
    if (to === first + 2 * MAX_RING_POINTS) {
      if (!take(MAX_RING_POINTS)) return false;
      doubles.copyWithin(first, to - 2, to);
      to = first + 2;
    }
  }
  doubles[to++] = ring[0]!;
  doubles[to++] = ring[1]!;
  return take((to - first) / 2);
}

/** Blends a pixel, weighted by `share` (0..1). */
export type Dot = (x: number, y: number, share: number) => void;

function drawOutline(pixels: Pixels, area: Area, dot: Dot): void {
  for (const { points, nearness } of area.device) {
    for (let i = 0; i < points.length; i += 2) {
      const next = i + 2 === points.length ? 0 : i + 2;
      const [x, y] = [points[i]!, points[i + 1]!];
      const [nextX, nextY] = [points[next]!, points[next + 1]!];
      if (nearness === null) drawHairline(pixels, x, y, nextX, nextY, dot);
      else drawHairline(pixels, x, y, nextX, nextY, dot, nearness[i / 2], nearness[next / 2]);
    }
  }
}
