/** The line along which a text or an icon is placed: on the screen, or on the map. */
import type { FlatPoints, Point } from '../../../base/spatial/flat.ts';
import { toPlanePx } from './collision-box.ts';
import type { AnchoredLine } from './glyphs-on-line.ts';
import type { PointRules } from './point-candidates.ts';
import type { Ground, SymbolPositions } from '../symbol/stance.ts';
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
  places: SymbolPositions,
): SymbolPath | null {
  const at = toPlanePx(frame, anchor, translate);
  const place = places.at(at.x, at.y, stance, keepsSize);
  if (place === null) return null;
  const onPlane = mapPoints(points, (x, y) => toPlanePx(frame, { x, y }, translate));
  const { scale, ground } = place;
  const nearness = places.nearnessAt(at.x, at.y);
  if (ground !== null) {
    return {
      points: onPlane,
      anchor: at,
      segment,
      scale,
      nearness,
      spacing: 1 / nearness,
      toPicture: (plane) => projectPath(plane, places),
      groundAt: ({ x, y }) => ({ ...ground, x, y }),
    };
  }
  const line = { scale, spacing: nearness, nearness, toPicture: unchanged, groundAt: () => null };
  if (places.view.isLevel) return { ...line, points: onPlane, anchor: at, segment };
  const before = pointsInFront(onPlane, at, place, segment, -1, places);
  const after = pointsInFront(onPlane, at, place, segment + 1, 1, places);
  const visible = [...before.reverse(), ...after].flatMap(({ x, y }) => [x, y]);
  return { ...line, points: visible, anchor: place, segment: before.length - 1 };
}

/**
 * Returns the vertices of a line from one next to the anchor to its end, as they appear. At the first vertex behind
 * the camera, the line ends far away in its direction.
 */
function pointsInFront(
  onPlane: FlatPoints,
  anchorOnPlane: Point,
  anchor: Point,
  first: number,
  step: 1 | -1,
  places: SymbolPositions,
): Point[] {
  const points: Point[] = [];
  let [plane, picture] = [anchorOnPlane, anchor];
  for (let i = 2 * first; i >= 0 && i < onPlane.length; i += 2 * step) {
    const [x, y] = [onPlane[i]!, onPlane[i + 1]!];
    const [pictureX, pictureY] = projectPath([x, y], places) ?? [];
    if (pictureX === undefined) {
      points.push(farAhead(plane, { x, y }, picture, places));
      break;
    }
    plane = { x, y };
    picture = { x: pictureX, y: pictureY! };
    points.push(picture);
  }
  return points;
}

/** Farther than a text is long, in CSS pixels */
const FAR_PX = 1e5;

/** Returns a far point of the ray from a point, which appears at `picture`, toward another on the plane. */
function farAhead(from: Point, to: Point, picture: Point, { view }: SymbolPositions): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const behind = { x: 0, y: 0, w: 1 };
  view.project(from.x - (to.x - from.x) / length, from.y - (to.y - from.y) / length, 0, behind);
  const [dx, dy] = [picture.x - behind.x, picture.y - behind.y];
  const scale = FAR_PX / Math.hypot(dx, dy);
  return { x: picture.x + dx * scale, y: picture.y + dy * scale };
}

const unchanged = (points: FlatPoints) => points;

function projectPath(points: FlatPoints, { view }: SymbolPositions): FlatPoints | null {
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
