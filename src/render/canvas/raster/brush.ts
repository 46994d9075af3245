/** Brushes for areas and their outlines, which are one device pixel wide, as in MapLibre. */
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import { MAX_RING_POINTS, RING } from '../kernel-memory.ts';
import type { Kernels } from '../kernels.ts';
import type { Area, ScaledOffset } from './area.ts';
import type { Ink, Tint } from './ink.ts';
import type { Pixels } from './pixels.ts';
import { fillPolygon, inkPolygon } from './polygon.ts';
import { firstPixelFrom } from './pixel-grid.ts';
import { smoothStep } from './smooth-step.ts';

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
type TakePoints = (kernels: Kernels, points: number, toDevice: ScaledOffset) => boolean;

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
  toDevice: ScaledOffset,
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
type Dot = (x: number, y: number, share: number) => void;

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

/**
 * Draws one pixel for each column that a segment crosses, or for each row if the segment is steep.
 * Pixels get fainter with the distance of their center from the segment.
 *
 * If the ends of a segment have different distances from the camera, MapLibre measures from the point at
 * the same fraction of the segment in space, so long segments fade between their ends.
 *
 * @param nearness0, nearness1 1 / distance of the ends
 */
function drawHairline(
  pixels: Pixels,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  dot: Dot,
  nearness0 = 1,
  nearness1 = 1,
): void {
  const { clip } = pixels;
  const isSteep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
  const a = isSteep ? y0 : x0;
  const b = isSteep ? y1 : x1;
  const across0 = isSteep ? x0 : y0;
  const slope = ((isSteep ? x1 : y1) - across0) / (b - a);
  const from = Math.max(isSteep ? clip.minY : clip.minX, firstPixelFrom(Math.min(a, b)));
  const to = Math.min(isSteep ? clip.maxY : clip.maxX, firstPixelFrom(Math.max(a, b)));
  for (let step = from; step < to; step++) {
    const across = across0 + (step + 0.5 - a) * slope;
    // Halfway between two pixels, the left or lower one is drawn.
    const nearest = isSteep ? Math.ceil(across) - 1 : Math.floor(across);
    const x = isSteep ? nearest : step;
    const y = isSteep ? step : nearest;
    if (y < clip.minY || y >= clip.maxY) continue;
    if (x < pixels.firstColumn(y) || x >= pixels.endColumn(y)) continue;
    let strayPx = Math.abs(across - nearest - 0.5);
    if (nearness0 !== nearness1) {
      const share = (step + 0.5 - a) / (b - a);
      const inSpace = (share * nearness1) / (nearness0 + share * (nearness1 - nearness0));
      const stray = (inSpace - share) * (b - a);
      strayPx = Math.hypot(stray, across + stray * slope - nearest - 0.5);
    }
    dot(x, y, 1 - smoothStep(strayPx));
  }
}
