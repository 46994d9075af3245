/** Frames that insets may have: at a side of the picture, or in the space that other insets leave free. */
import { rectsMeet, snapToDevicePx, type RectPx } from '../../../base/spatial/flat.ts';
import type { Maps, PlacedMap, Side } from './maps.ts';
import { GAP_PX, type InsetRequest } from './request.ts';

export const MAX_INSETS = 3;
/** Share of the picture's longer side that insets take */
const SHARES = [0.18, 0.24, 0.3, 0.38];
/** Heights of the insets at a side, and widths of those at the bottom, relative to the room */
const LENGTHS = [0.42, 0.66, 0.84, 1];
const MAX_AT_SIDE = 2;
/** Number of free rectangles to try, and shares of their sides that an inset takes */
const MAX_FREE = 12;
const PARTS = [0.34, 0.5, 0.7, 1];
/** A smaller inset shows too little. */
const MIN_SIDE_PX = 150;

/** Yields frames for insets, each with the maps that may have them, the largest map first. */
export function* framesAtSides(
  maps: Maps,
): Generator<{ frames: RectPx[]; maps: readonly PlacedMap[] }> {
  const { room, taken, width, height } = maps.request;
  const isFree = (frame: RectPx) =>
    isLargeEnough(frame) && !taken.some((box) => rectsMeet(box, frame));
  for (const share of SHARES) {
    const acrossPx = snapToDevicePx(share * Math.max(width, height));
    for (const side of ['right', 'left', 'bottom'] as const) {
      const roomPx = side === 'bottom' ? room.maxY - room.minY : room.maxX - room.minX;
      if (acrossPx > roomPx) continue;
      const placed = maps.withRoomAt(side, acrossPx);
      for (const frames of framesAt(side, acrossPx, room)) {
        if (frames.every(isFree)) yield { frames, maps: placed };
      }
    }
  }
}

const isLargeEnough = ({ minX, minY, maxX, maxY }: RectPx) =>
  Math.min(maxX - minX, maxY - minY) >= MIN_SIDE_PX;

function* framesAt(side: Side, acrossPx: number, room: RectPx): Generator<RectPx[]> {
  const isBottom = side === 'bottom';
  const strip =
    side === 'right'
      ? { ...room, minX: room.maxX - acrossPx }
      : side === 'left'
        ? { ...room, maxX: room.minX + acrossPx }
        : { ...room, minY: room.maxY - acrossPx };
  const [start, end] = isBottom ? [strip.minX, strip.maxX] : [strip.minY, strip.maxY];
  const cut = (from: number, to: number): RectPx =>
    isBottom
      ? { ...strip, minX: snapToDevicePx(from), maxX: snapToDevicePx(to) }
      : { ...strip, minY: snapToDevicePx(from), maxY: snapToDevicePx(to) };
  for (const share of LENGTHS) {
    const length = share * (end - start);
    // The title is at the top left.
    const from = side === 'left' ? end - length : start;
    for (let count = 1; count <= MAX_AT_SIDE; count++) {
      const each = (length - (count - 1) * GAP_PX) / count;
      yield Array.from({ length: count }, (_, i) =>
        cut(from + i * (each + GAP_PX), from + i * (each + GAP_PX) + each),
      );
    }
  }
}

/** Frames for an inset in the space that a map with insets leaves free */
export function* framesInFreeSpace(
  map: PlacedMap,
  frames: readonly RectPx[],
  request: InsetRequest,
): Generator<RectPx> {
  if (!map.hasRoom(frames)) return;
  const longest = snapToDevicePx(SHARES.at(-1)! * Math.max(request.width, request.height));
  const rects = map.freeSpace(frames).filter(isLargeEnough).slice(0, MAX_FREE);
  for (const rect of rects) {
    // Insets below each other are equally wide.
    const aligned = frames
      .filter(({ minX, maxX }) => minX >= rect.minX && maxX <= rect.maxX)
      .map(({ minX, maxX }): [number, number] => [minX, maxX]);
    const columns = [...aligned, ...partsOf(rect.minX, rect.maxX, longest)];
    for (const [minX, maxX] of columns) {
      for (const [minY, maxY] of partsOf(rect.minY, rect.maxY, longest)) {
        yield { minX, minY, maxX, maxY };
      }
    }
  }
}

/** Parts of a range at its start and at its end, and the range itself unless it's too long */
function partsOf(from: number, to: number, longest: number): [number, number][] {
  const lengths = PARTS.map((share) => Math.min(longest, snapToDevicePx(share * (to - from))));
  return [...new Set(lengths)]
    .filter((length) => length >= MIN_SIDE_PX)
    .flatMap((length): [number, number][] =>
      length === to - from
        ? [[from, to]]
        : [
            [from, from + length],
            [to - length, to],
          ],
    );
}
