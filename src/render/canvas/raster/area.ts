/** A polygon, and where it appears on the picture. */
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import { deviceRing, type DeviceRing } from './device-ring.ts';

/** Adds (dx, dy) to a point, then multiplies it by `scale`. */
export interface ScaledOffset {
  dx: number;
  dy: number;
  scale: number;
}

export class Area {
  /** Outer ring first, then holes */
  readonly rings: readonly FlatPoints[];
  /** Turns the rings into device pixels; kernels round the result. */
  readonly toDevice: ScaledOffset;
  /** Whether points of the area may have different distances from the camera */
  readonly isPitched: boolean;
  private readonly project: () => DeviceRing[];
  private projected: DeviceRing[] | undefined;

  /** @param rings in pixels of the plane  @param move from the plane to device pixels of a level view */
  constructor(view: View3, rings: readonly FlatPoints[], move: ScaledOffset) {
    const { dx, dy, scale } = move;
    this.project = () => rings.map((ring) => deviceRing(view, ring, dx, dy, scale));
    this.isPitched = view.pitch !== 0;
    this.rings = view.isLevel ? rings : this.device.map(({ points }) => points);
    this.toDevice = view.isLevel ? move : STAY;
  }

  /** The rings in device pixels */
  get device(): readonly DeviceRing[] {
    return (this.projected ??= this.project());
  }
}

const STAY: ScaledOffset = { dx: 0, dy: 0, scale: 1 };
