/** Brushes for areas and their outlines: a flat color or an ink. */
import type { FlatPoints } from '../../../spatial/flat.ts';
import { MAX_RING_POINTS, RING } from '../kernel-memory.ts';
import type { Kernels } from '../kernels.ts';
import type { Area, Move } from './area.ts';
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
export class TintBrush implements Brush {
  private readonly pixels: Pixels;
  private readonly tint: Tint;

  constructor(pixels: Pixels, tint: Tint) {
    this.pixels = pixels;
    this.tint = tint;
  }

  fill(area: Area): void {
    const { pixels, tint } = this;
    const { kernels } = pixels.memory;
    pixels.setTint(tint);
    kernels.startArea();
    if (addRings(pixels, area)) kernels.fillArea();
    else {
      kernels.dropArea();
      fillPolygon(pixels, devicePoints(area), tint);
    }
  }

  outline(area: Area): void {
    const { pixels, tint } = this;
    if (area.isPitched) {
      drawOutline(pixels, area, (x, y, share) => pixels.blend(y * pixels.width + x, tint, share));
      return;
    }
    pixels.setTint(tint);
    for (const ring of area.rings) passRing(pixels, ring, area.toDevice, drawHairlines);
  }
}

/** Returns whether the kernel has room for all rings. */
function addRings(pixels: Pixels, { rings, toDevice }: Area): boolean {
  for (const ring of rings) {
    if (!passRing(pixels, ring, toDevice, addEdges)) return false;
  }
  return true;
}

/** Passes points in the kernel's memory to it. @returns whether to continue */
type TakePoints = (kernels: Kernels, points: number, toDevice: Move) => boolean;

const addEdges: TakePoints = (kernels, points, { dx, dy, scale }) =>
  kernels.addEdges(points, dx, dy, scale) !== 0;

const drawHairlines: TakePoints = (kernels, points, { dx, dy, scale }) => {
  kernels.drawHairlines(points, dx, dy, scale);
  return true;
};

/** Draws with colors that vary. */
export class InkBrush implements Brush {
  private readonly pixels: Pixels;
  private readonly ink: Ink;
  /** 0 to 1 */
  private readonly opacity: number;

  constructor(pixels: Pixels, ink: Ink, opacity: number) {
    this.pixels = pixels;
    this.ink = ink;
    this.opacity = opacity;
  }

  fill(area: Area): void {
    inkPolygon(this.pixels, devicePoints(area), this.ink, this.opacity);
  }

  outline(area: Area): void {
    const { pixels, ink, opacity } = this;
    drawOutline(pixels, area, (x, y, share) => pixels.inkPixel(x, y, ink, opacity * share));
  }
}

const devicePoints = ({ device }: Area) => device.map(({ points }) => points);

/**
 * Passes a closed ring to a kernel, in parts that begin with the last point of the one before, until `take`
 * returns false.
 */
function passRing(
  { memory: { doubles, kernels } }: Pixels,
  ring: FlatPoints,
  toDevice: Move,
  take: TakePoints,
): boolean {
  const first = RING / 8;
  const { length } = ring;
  let to = first;
  for (let i = 0; i < length; i++) {
    doubles[to++] = ring[i]!;
    if (to === first + 2 * MAX_RING_POINTS) {
      if (!take(kernels, MAX_RING_POINTS, toDevice)) return false;
      doubles.copyWithin(first, to - 2, to);
      to = first + 2;
    }
  }
  doubles[to++] = ring[0]!;
  doubles[to++] = ring[1]!;
  return take(kernels, (to - first) / 2, toDevice);
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
