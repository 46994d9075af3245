/**
 * How texts and icons stand in a turned or pitched view: upright on the screen, or lying on the map
 * (`symbol/projection.ts` and the symbol shaders of maplibre-gl 6.17). In a level view, both look the same.
 */
import { toRadians } from '../../../base/spatial/perspective.ts';
import { rectOf, type RectPx, type Point } from '../../../base/spatial/flat.ts';
import type { Projected, View3 } from '../../../base/spatial/view.ts';
import type { LayerAtZoom } from '../style/property-values.ts';

/** The alignments of a layer's texts or icons */
export interface Stance {
  /** Whether they lie on the map: `*-pitch-alignment` */
  lies: boolean;
  /** Whether they turn with the map: `*-rotation-alignment` */
  turns: boolean;
}

export function stanceOf(layer: AlignedLayer, part: 'text' | 'icon'): Stance {
  const { readLayout: read } = layer;
  const rotation = rotationAlignment(layer, part);
  const pitch = read<string>(`${part}-pitch-alignment`)();
  const isOnLine = read<string>('symbol-placement')() !== 'point';
  const turns = rotation === 'map' || (rotation === 'auto' && isOnLine);
  return { turns, lies: pitch === 'map' || (pitch === 'auto' && turns) };
}

type AlignedLayer = Pick<LayerAtZoom, 'compiled' | 'readLayout'>;

/** Like MapLibre, treats a value that depends on the feature as `auto`. */
export function rotationAlignment({ compiled, readLayout }: AlignedLayer, part: 'text' | 'icon') {
  const name = `${part}-rotation-alignment`;
  const { kind } = compiled.properties.get(name)!;
  return kind === 'constant' || kind === 'camera' ? readLayout<string>(name)() : 'auto';
}

/** A position at which a text or an icon stands */
export interface SymbolPosition {
  /** In the picture, in CSS pixels */
  x: number;
  y: number;
  /** Size relative to that at the center of the picture */
  scale: number;
  /** Clockwise, in radians */
  turn: number;
  /** Null for an upright symbol */
  ground: Ground | null;
}

/** A position on the map on which letters and icons lie */
export interface Ground {
  view: View3;
  /** Plane pixels */
  x: number;
  y: number;
  /** Directions to the right and down, on the plane */
  east: Point;
  south: Point;
  /** Width of a soft edge relative to that in a level view */
  softness: number;
}

/** Symbols are left out where they would be smaller than this, relative to those at the center. */
const MIN_NEARNESS = 0.6;
const MAX_SCALE = 4;

/** The places of a view. */
export class SymbolPositions {
  readonly view: View3;
  private readonly uprightAxes: Pick<Ground, 'east' | 'south'>;
  private readonly projected: Projected = { x: 0, y: 0, w: 1 };

  constructor(view: View3) {
    this.view = view;
    this.uprightAxes = axesOfView(view);
  }

  /**
   * Returns the place at a point of the plane; null if it is behind the camera or too far away.
   *
   * @param keepsSize whether near and far symbols are equally large
   */
  at(x: number, y: number, stance: Stance, keepsSize: boolean): SymbolPosition | null {
    if (this.view.isLevel) return { x, y, scale: 1, turn: 0, ground: null };
    const nearness = this.nearnessAt(x, y);
    if (nearness < MIN_NEARNESS) return null;
    const place = { x: this.projected.x, y: this.projected.y };
    const { w } = this.projected;
    if (stance.lies) {
      const scale = keepsSize ? 1 : Math.min(MAX_SCALE, 0.5 + 0.5 * w);
      return { ...place, scale, turn: 0, ground: this.groundAt(x, y, w, stance) };
    }
    const scale = keepsSize ? 1 : Math.min(MAX_SCALE, nearness);
    return { ...place, scale, turn: stance.turns ? this.eastAngle(x, y) : 0, ground: null };
  }

  /** Size of an upright symbol at a point of the plane, relative to that at the center */
  nearnessAt(x: number, y: number): number {
    if (this.view.isLevel) return 1;
    this.view.project(x, y, 0, this.projected);
    const { w } = this.projected;
    return w <= this.view.near ? 0 : 0.5 + 0.5 / w;
  }

  /** Returns the box in the picture that a box around a point of the plane occupies. */
  boxAt(x: number, y: number, box: RectPx, shift: Point | null, stance: Stance): RectPx | null {
    const place = this.at(x, y, stance, false);
    if (place === null) return null;
    // The size of a moved text isn't corrected for its distance.
    const scale = place.ground !== null && shift !== null ? 1 : place.scale;
    const { x: dx, y: dy } = shift ?? UNMOVED;
    const [left, right] = [(box.minX + dx) * scale, (box.maxX + dx) * scale];
    const [top, bottom] = [(box.minY + dy) * scale, (box.maxY + dy) * scale];
    if (place.ground === null && place.turn === 0) {
      return {
        minX: place.x + left,
        minY: place.y + top,
        maxX: place.x + right,
        maxY: place.y + bottom,
      };
    }
    const corners = [
      left,
      top,
      right,
      top,
      left,
      bottom,
      right,
      bottom,
      (left + right) / 2,
      top,
      (left + right) / 2,
      bottom,
      left,
      (top + bottom) / 2,
      right,
      (top + bottom) / 2,
    ];
    for (let i = 0; i < corners.length; i += 2) {
      const corner = offsetFrom(place, corners[i]!, corners[i + 1]!);
      if (corner === null) return null;
      corners[i] = corner.x;
      corners[i + 1] = corner.y;
    }
    return rectOf(corners);
  }

  groundAt(x: number, y: number, w: number, { turns }: Stance): Ground {
    const { view } = this;
    const axes = turns ? MAP_AXES : this.uprightAxes;
    return { view, x, y, ...axes, softness: w / Math.cos(toRadians(view.pitch)) };
  }

  /** Angle of the map's east in the picture */
  private eastAngle(x: number, y: number): number {
    const { x: fromX, y: fromY } = this.projected;
    const toEast = { x: 0, y: 0, w: 1 };
    this.view.project(x + EAST_STEP_PX, y, 0, toEast);
    return Math.atan2(toEast.y - fromY, toEast.x - fromX);
  }
}

/** About a tile unit */
const EAST_STEP_PX = 1 / 16;

const UNMOVED = { x: 0, y: 0 };

const MAP_AXES = { east: { x: 1, y: 0 }, south: { x: 0, y: 1 } };

/** The directions on the plane that appear as right and down. */
function axesOfView({ bearing, pitch, roll }: View3): Pick<Ground, 'east' | 'south'> {
  const [cosBearing, sinBearing] = [Math.cos(toRadians(bearing)), Math.sin(toRadians(bearing))];
  const [cosRoll, sinRoll] = [Math.cos(toRadians(roll)), Math.sin(toRadians(roll))];
  const cosPitch = Math.cos(toRadians(pitch));
  const unit = (x: number, y: number) => ({ x: x / Math.hypot(x, y), y: y / Math.hypot(x, y) });
  return {
    east: unit(
      cosBearing * cosPitch * cosRoll - sinBearing * sinRoll,
      sinBearing * cosPitch * cosRoll + cosBearing * sinRoll,
    ),
    south: unit(
      -cosBearing * cosPitch * sinRoll - sinBearing * cosRoll,
      -sinBearing * cosPitch * sinRoll + cosBearing * cosRoll,
    ),
  };
}

/** Returns where an offset from a place appears; null behind the camera. */
export function offsetFrom(
  { x, y, turn, ground }: Pick<SymbolPosition, 'x' | 'y' | 'turn' | 'ground'>,
  dx: number,
  dy: number,
): Projected | null {
  if (ground !== null) return onGround(ground, dx, dy);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return { x: x + dx * cos - dy * sin, y: y + dx * sin + dy * cos, w: 1 };
}

export function onGround(
  { view, x, y, east, south }: Ground,
  dx: number,
  dy: number,
): Projected | null {
  const point = { x: 0, y: 0, w: 1 };
  view.project(x + east.x * dx + south.x * dy, y + east.y * dx + south.y * dy, 0, point);
  return point.w <= view.near ? null : point;
}
