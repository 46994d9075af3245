/**
 * Selects the tiles that a turned or pitched view needs, as MapLibre does (covering_tiles.ts in maplibre-gl
 * 6.17): from the whole world down, each tile that the view touches. In steep views, distant tiles have a
 * lower zoom.
 */
import type { TileAddress } from './tile.ts';
import { FIELD_OF_VIEW, MAX_HORIZON_ANGLE, toRadians, verticalAngle } from './perspective.ts';
import type { HalfSpace, View3 } from './view.ts';

interface CoveringOptions {
  minzoom: number;
  maxzoom: number;
  /** Zoom that tiles at the center should have, before rounding */
  centerZoom: number;
  /** Default: floor */
  roundZoom?: (zoom: number) => number;
}

/** A tile in a view */
export interface CoveringTile extends TileAddress {
  /** Zoom for which it is drawn, which is higher than its own beyond the last zoom of its source */
  shownZoom: number;
}

/** How many times MapLibre repeats the world on each side */
export const WORLD_COPIES = 3;

/** A box on the plane, in plane pixels, with the height of objects that may stand on it */
interface Box {
  min: readonly [x: number, y: number, z: number];
  max: readonly [x: number, y: number, z: number];
}

/**
 * Returns the tiles in no particular order. In other copies of the world, `x` is outside the usual range.
 */
export function coveringTiles(view: View3, options: CoveringOptions): CoveringTile[] {
  const { minzoom, maxzoom, centerZoom, roundZoom = Math.floor } = options;
  const frustum = new Frustum(view);
  const zoomAt = hasMixedZooms(view) ? tileZooms(view, centerZoom) : () => centerZoom;
  const heightPx = assumedHeightMeters(view) * view.pxPerMeter;
  const tiles: CoveringTile[] = [];

  const visit = (z: number, x: number, y: number, isWhollyVisible: boolean): void => {
    const count = 2 ** z;
    const box: Box = {
      min: [view.xOfWorld(x / count), view.yOfWorld(y / count), 0],
      max: [view.xOfWorld((x + 1) / count), view.yOfWorld((y + 1) / count), heightPx],
    };
    const visibility = isWhollyVisible ? 'whole' : frustum.visibilityOf(box);
    if (visibility === 'none') return;
    const desiredZoom = Math.max(0, roundZoom(zoomAt(box)));
    if (z >= Math.min(maxzoom, desiredZoom)) {
      if (z >= minzoom) tiles.push({ z, x, y, shownZoom: Math.max(z, desiredZoom) });
      return;
    }
    for (let i = 0; i < 4; i++) {
      visit(z + 1, 2 * x + (i % 2), 2 * y + (i >> 1), visibility === 'whole');
    }
  };
  for (let world = -WORLD_COPIES; world <= WORLD_COPIES; world++) visit(0, world, 0, false);
  return tiles;
}

/** The visible space */
class Frustum {
  private readonly halfSpaces: readonly HalfSpace[];
  private readonly bounds: Box;

  constructor(view: View3) {
    this.halfSpaces = view.halfSpaces();
    const corners = view.corners();
    const axis = (i: 0 | 1 | 2) => corners.map((corner) => corner[i]);
    this.bounds = {
      min: [Math.min(...axis(0)), Math.min(...axis(1)), Math.min(...axis(2))],
      max: [Math.max(...axis(0)), Math.max(...axis(1)), Math.max(...axis(2))],
    };
  }

  visibilityOf({ min, max }: Box): 'none' | 'part' | 'whole' {
    let isWhole = true;
    for (const [a, b, c, d] of this.halfSpaces) {
      const lowest =
        d + a * (a > 0 ? min : max)[0] + b * (b > 0 ? min : max)[1] + c * (c > 0 ? min : max)[2];
      const highest =
        d + a * (a > 0 ? max : min)[0] + b * (b > 0 ? max : min)[1] + c * (c > 0 ? max : min)[2];
      if (highest < 0) return 'none';
      if (lowest < 0) isWhole = false;
    }
    if (isWhole) return 'whole';
    const { bounds } = this;
    const meets = [0, 1, 2].every((i) => bounds.min[i]! <= max[i]! && bounds.max[i]! >= min[i]!);
    return meets ? 'part' : 'none';
  }
}

/** In views flatter than this, buildings on tiles outside the picture are assumed to have this height. */
const HORIZON_ONSET_DEGREES = 15;
const ASSUMED_HEIGHT_METERS = 500;

function assumedHeightMeters({ pitch }: View3): number {
  const toHorizon = MAX_HORIZON_ANGLE - pitch - toDegrees(FIELD_OF_VIEW) / 2;
  const nearness = (HORIZON_ONSET_DEGREES - toHorizon) / HORIZON_ONSET_DEGREES;
  return Math.max(0, Math.min(1, nearness)) * ASSUMED_HEIGHT_METERS;
}

function hasMixedZooms(view: View3): boolean {
  const steepest = 78.5 - toDegrees(verticalAngle(view)) / 2;
  return view.pitch > Math.max(0, Math.min(60, steepest));
}

/** Maximum number of zooms in a picture, and maximum number of tiles relative to a level view */
const MAX_ZOOMS = 9.314;
const MAX_TILE_RATIO = 3;

/**
 * Returns a function for the zoom of a tile, by its distance from the camera
 * (developer-guides/covering-tiles.md).
 */
function tileZooms(view: View3, centerZoom: number): (box: Box) => number {
  const fov = FIELD_OF_VIEW;
  const horizon = toRadians(MAX_HORIZON_ANGLE);
  const [cameraX, cameraY, cameraZ] = view.cameraPosition();
  const toCenter = view.cameraToCenterPx;
  const falloff =
    2 * ((MAX_ZOOMS - 1) / Math.log2(Math.cos(horizon - fov) / Math.cos(horizon)) - 1);
  const pitch = Math.acos(cameraZ / toCenter);
  const highest = Math.min(horizon, pitch + fov / 2);
  const lowest = Math.min(highest, pitch - fov / 2);
  const levelCount = 2 * integralOfCosPower(falloff - 1, 0, fov / 2);
  const count = integralOfCosPower(falloff - 1, lowest, highest);
  const fewer = Math.log2(Math.max(1, count / levelCount / MAX_TILE_RATIO)) / 2;
  return ({ min, max }) => {
    const dx = Math.max(Math.min(max[0], cameraX), min[0]) - cameraX;
    const dy = Math.max(Math.min(max[1], cameraY), min[1]) - cameraY;
    const alongGround = Math.hypot(dx, dy);
    const toTile = Math.hypot(alongGround, cameraZ);
    return (
      centerZoom +
      Math.log2(toCenter / toTile / Math.max(0.5, Math.cos(fov / 2))) +
      (falloff * Math.log2(Math.cos(Math.atan(alongGround / cameraZ)))) / 2 -
      fewer
    );
  };
}

/** The integral of cos(x)^power, by ten midpoints as in MapLibre */
function integralOfCosPower(power: number, from: number, to: number): number {
  const step = (to - from) / 10;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += step * Math.cos(from + (i + 0.5) * step) ** power;
  return sum;
}

function toDegrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
