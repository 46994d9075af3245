/** The places that a label may take around its point. Pure; CSS pixels. */
import { rectOf, type RectPx } from '../../../spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../spatial/mercator.ts';
import type { Obstacle } from './collision.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from './units.ts';
import type { GlyphRun } from './label.ts';
import type { Wish } from './layout.ts';
import { horizontalShare, justifyOf, verticalShare, type Shape } from './shape.ts';
import { EXTENT, type TileFrame } from './tiles.ts';

export interface Site {
  /** What others must keep off, with its padding */
  obstacles: readonly Obstacle[];
  /** The same without the padding */
  inked: readonly Obstacle[];
  /** What is drawn there; nothing where it turns out not to fit its line */
  runs(): GlyphRun[];
}

/** In the order in which the label prefers them. */
export function sitesOf(
  { text, anchor, frame }: Wish,
  translate: readonly [number, number],
  { paddingPx }: { paddingPx: number },
): Site[] {
  const point = onPicture(frame, anchor, translate);
  const { sizes, shapes, positions, rotation } = text;
  const kept = sizes.kept / UNITS_PER_EM;
  const drawn = sizes.drawn / UNITS_PER_EM;
  const [anyShape] = shapes.values();
  const box = keptBox(anyShape!, kept, paddingPx, rotation, frame);
  const inked = keptBox(anyShape!, kept, 0, rotation, frame);
  const siteAt = (shape: Shape, boxShift: Point, glyphShift: Point): Site => ({
    obstacles: [moved(box, { x: point.x + boxShift.x, y: point.y + boxShift.y })],
    inked: [moved(inked, { x: point.x + boxShift.x, y: point.y + boxShift.y })],
    runs: () =>
      runsAround(shape, drawn, rotation, {
        x: point.x + glyphShift.x,
        y: point.y + glyphShift.y,
      }),
  });
  if (positions === null) return [siteAt(anyShape!, ORIGIN, ORIGIN)];
  return positions.map(({ anchor: side, offset }) => {
    // The padded box, not the text, is set against the point.
    const x = (0.5 - horizontalShare(side)) * (box.maxX - box.minX);
    const y = (0.5 - verticalShare(side)) * (box.maxY - box.minY);
    const shape = shapes.get(justifyOf(side)) ?? anyShape!;
    return siteAt(
      shape,
      { x: x + offset[0] * kept, y: y + offset[1] * kept },
      { x: (x / kept + offset[0]) * drawn, y: (y / kept + offset[1]) * drawn },
    );
  });
}

interface Point {
  x: number;
  y: number;
}

const ORIGIN: Point = { x: 0, y: 0 };

export function onPicture(
  { leftPx, topPx, pxPerUnit }: TileFrame,
  { x, y }: Point,
  [dx, dy]: readonly [number, number],
): Point {
  return { x: leftPx + x * pxPerUnit + dx, y: topPx + y * pxPerUnit + dy };
}

/** What a label keeps free around its point: the box around its turned shape. */
function keptBox(
  shape: Shape,
  scale: number,
  paddingPx: number,
  rotation: number,
  frame: TileFrame,
): RectPx {
  const left = shape.left * scale - paddingPx;
  const right = shape.right * scale + paddingPx;
  const top = shape.top * scale - paddingPx;
  const bottom = shape.bottom * scale + paddingPx;
  const corners = [left, top, right, top, left, bottom, right, bottom];
  const box = rectOf(rotation === 0 ? corners : turned(corners, rotation));
  // MapLibre keeps boxes in whole units of the tile, cut off toward the point.
  const unitsPerPx = EXTENT / (TILE_SIZE_PX * frame.overscaling);
  const whole = (px: number) => Math.trunc(px * unitsPerPx) / unitsPerPx;
  return {
    minX: whole(box.minX),
    minY: whole(box.minY),
    maxX: whole(box.maxX),
    maxY: whole(box.maxY),
  };
}

function moved(box: RectPx, { x, y }: Point): RectPx {
  return { minX: box.minX + x, minY: box.minY + y, maxX: box.maxX + x, maxY: box.maxY + y };
}

/** A shape turned clockwise around a point. */
function runsAround(shape: Shape, scale: number, rotation: number, { x, y }: Point): GlyphRun[] {
  const cos = Math.cos(rotation) * scale;
  const sin = Math.sin(rotation) * scale;
  return shape.pieces.map(({ piece, section, ...at }) => {
    const baseline = at.y + BASELINE_UNITS * section.scale;
    return {
      text: piece.text,
      x: x + at.x * cos - baseline * sin,
      y: y + at.x * sin + baseline * cos,
      angle: rotation,
      section,
    };
  });
}

function turned(points: readonly number[], radians: number): number[] {
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  return points.map((value, i) =>
    i % 2 === 0 ? value * cos - points[i + 1]! * sin : points[i - 1]! * sin + value * cos,
  );
}
