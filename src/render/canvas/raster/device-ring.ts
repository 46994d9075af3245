/** Moves rings from the plane to device pixels. */
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import type { Projected, View3 } from '../../../base/spatial/view.ts';
import { snapToSubpixel } from './pixel-grid.ts';

export interface DeviceRing {
  points: FlatPoints;
  /** 1 / distance of each point from the camera; null if all are equal */
  nearness: readonly number[] | null;
}

/** Moves a ring by (dx, dy), cuts it to what lies in front of the camera, and projects it. */
export function deviceRing(
  view: View3,
  ring: FlatPoints,
  dx: number,
  dy: number,
  pixelRatio: number,
): DeviceRing {
  if (view.isLevel) {
    const toDevice = (coordinate: number, i: number) =>
      snapToSubpixel((coordinate + (i % 2 === 0 ? dx : dy)) * pixelRatio);
    return { points: ring.map(toDevice), nearness: null };
  }
  const moved = ring.map((coordinate, i) => coordinate + (i % 2 === 0 ? dx : dy));
  const visible = view.pitch === 0 ? moved : view.clipRingToDepth(moved);
  const points: FlatPoints = [];
  const nearness: number[] = [];
  const at: Projected = { x: 0, y: 0, w: 1 };
  for (let i = 0; i < visible.length; i += 2) {
    view.project(visible[i]!, visible[i + 1]!, 0, at);
    points.push(snapToSubpixel(at.x * pixelRatio), snapToSubpixel(at.y * pixelRatio));
    nearness.push(1 / at.w);
  }
  return { points, nearness: view.pitch === 0 ? null : nearness };
}
