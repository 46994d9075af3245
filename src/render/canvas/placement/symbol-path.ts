/** The line along which a text or an icon is placed: on the screen, or on the map. */
import type { FlatPoints, Point } from '../../../spatial/flat.ts';
import { toPlanePx } from './collision-box.ts';
import type { AnchoredLine } from './glyphs-on-line.ts';
import type { PointRules } from './point-candidates.ts';
import type { Ground, Places } from '../symbol/stance.ts';
import type { SymbolLine, UnplacedSymbol } from './layout.ts';

/** In pixels of the picture for upright symbols, or in plane pixels for those that lie on the map. */
export interface SymbolPath extends AnchoredLine {
  /** Size of glyphs and icons, relative to that at the center of the picture */
  scale: number;
  /** Distances along the line, relative to those at the center */
  spacing: number;
  /** Size of upright symbols at the anchor, relative to that at the center */
  nearness: number;
  /** Returns where points appear; null if one is behind the camera. */
  toPicture(points: FlatPoints): FlatPoints | null;
  /** Returns the place on the map; null for upright symbols. */
  groundAt(point: Point): Ground | null;
}

/** Returns null if the anchor is behind the camera or too far away. */
export function anchoredLine(
  { anchor, frame }: UnplacedSymbol,
  { points, segment }: SymbolLine,
  { translate, stance, keepsSize }: Pick<PointRules, 'translate' | 'stance' | 'keepsSize'>,
  places: Places,
): SymbolPath | null {
  const at = toPlanePx(frame, anchor, translate);
  const place = places.at(at.x, at.y, stance, keepsSize);
  if (place === null) return null;
  const onPlane = mapPoints(points, (x, y) => toPlanePx(frame, { x, y }, translate));
  const { scale, ground } = place;
  const nearness = places.nearnessAt(at.x, at.y);
  if (ground !== null) {
    return {
      ...{ points: onPlane, anchor: at, segment, scale, nearness },
      spacing: 1 / nearness,
      toPicture: (plane) => projectPath(plane, places),
      groundAt: ({ x, y }) => ({ ...ground, x, y }),
    };
  }
  const line = { scale, spacing: nearness, nearness, toPicture: unchanged, groundAt: () => null };
  if (places.view.isLevel) return { ...line, points: onPlane, anchor: at, segment };
  // The part of the line around the anchor that is in front of the camera
  let [first, last] = [segment, segment + 1];
  const isInFront = (i: number) =>
    projectPath(onPlane.slice(2 * i, 2 * i + 2), places) !== null && 2 * i < onPlane.length;
  if (!isInFront(first) || !isInFront(last)) return null;
  while (first > 0 && isInFront(first - 1)) first--;
  while (2 * last + 2 < onPlane.length && isInFront(last + 1)) last++;
  const visible = projectPath(onPlane.slice(2 * first, 2 * last + 2), places)!;
  return { ...line, points: visible, anchor: place, segment: segment - first };
}

const unchanged = (points: FlatPoints) => points;

function projectPath(points: FlatPoints, { view }: Places): FlatPoints | null {
  const point = { x: 0, y: 0, w: 1 };
  let isInFront = true;
  const result = mapPoints(points, (x, y) => {
    view.project(x, y, 0, point);
    isInFront &&= point.w > view.near;
    return point;
  });
  return isInFront ? result : null;
}

function mapPoints(points: FlatPoints, map: (x: number, y: number) => Point): FlatPoints {
  const result: FlatPoints = [];
  for (let i = 0; i < points.length; i += 2) {
    const { x, y } = map(points[i]!, points[i + 1]!);
    result.push(x, y);
  }
  return result;
}
