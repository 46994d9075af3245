/** Where a picture looks: centre and zoom, and the step between degrees and the picture's pixels. */
import type { Bbox } from './bbox.ts';
import type { RectPx } from './flat.ts';
import {
  latOfMercatorY,
  lngOfMercatorX,
  mercatorX,
  mercatorY,
  TILE_SIZE_PX,
  worldSizePx,
  type LngLat,
} from './mercator.ts';

export interface Camera {
  center: LngLat;
  /** Fractional zoom of 512-pixel tiles */
  zoom: number;
}

/** CSS order does not apply here: each side is named. All in CSS pixels. */
export interface Padding {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** The range that both MapLibre engines accept. */
const MIN_ZOOM = -2;
const MAX_ZOOM = 22;

/** How far to zoom into a single point, which fits at any zoom: a neighbourhood. */
const POINT_ZOOM = 13;

/**
 * The camera that shows a box as large as possible inside the padding.
 *
 * Padding that would leave less than half of a side is scaled down in proportion, so that a small
 * picture still shows something.
 */
export function fitBbox(bbox: Bbox, widthPx: number, heightPx: number, padding: Padding): Camera {
  const [left, right] = fitPadding(padding.left, padding.right, widthPx);
  const [top, bottom] = fitPadding(padding.top, padding.bottom, heightPx);

  const west = mercatorX(bbox[0]);
  const east = mercatorX(bbox[2]);
  const north = mercatorY(bbox[3]);
  const south = mercatorY(bbox[1]);
  const scale = Math.min(
    (widthPx - left - right) / (east - west),
    (heightPx - top - bottom) / (south - north),
  );
  const zoom = Number.isFinite(scale)
    ? Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, Math.log2(scale / TILE_SIZE_PX)))
    : POINT_ZOOM;

  // Unequal paddings move the box's middle away from the picture's.
  const world = worldSizePx(zoom);
  const centerX = (west + east) / 2 + (right - left) / 2 / world;
  const centerY = (north + south) / 2 + (bottom - top) / 2 / world;
  return { center: [lngOfMercatorX(centerX), latOfMercatorY(centerY)], zoom };
}

function fitPadding(before: number, after: number, sidePx: number): [number, number] {
  const shrink = Math.min(1, sidePx / 2 / (before + after));
  return [before * shrink, after * shrink];
}

/**
 * The camera that MapLibre takes for one it is asked for: zoomed in until the world is as high as
 * the picture, and moved until nothing beyond the world's upper and lower edge shows.
 */
export function withoutPoles({ center: [lng, lat], zoom }: Camera, heightPx: number): Camera {
  const fillingZoom = Math.log2(heightPx / TILE_SIZE_PX);
  const constrained = Math.max(fillingZoom, MIN_ZOOM, Math.min(MAX_ZOOM, zoom));
  const reach = Math.min(0.5, heightPx / 2 / worldSizePx(constrained));
  const y = mercatorY(lat);
  const moved = Math.max(reach, Math.min(1 - reach, y));
  return { center: [lng, moved === y ? lat : latOfMercatorY(moved)], zoom: constrained };
}

/** Turns degrees into pixels of one picture: (0, 0) is its top left corner. */
export class Viewport {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly zoom: number;
  private readonly worldPx: number;
  private readonly leftPx: number;
  private readonly topPx: number;

  constructor(camera: Camera, widthPx: number, heightPx: number) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.zoom = camera.zoom;
    this.worldPx = worldSizePx(camera.zoom);
    this.leftPx = mercatorX(camera.center[0]) * this.worldPx - widthPx / 2;
    this.topPx = mercatorY(camera.center[1]) * this.worldPx - heightPx / 2;
  }

  x(lng: number): number {
    return mercatorX(lng) * this.worldPx - this.leftPx;
  }

  y(lat: number): number {
    return mercatorY(lat) * this.worldPx - this.topPx;
  }

  /** From fractions of the world's side */
  xOfWorld(fraction: number): number {
    return fraction * this.worldPx - this.leftPx;
  }

  yOfWorld(fraction: number): number {
    return fraction * this.worldPx - this.topPx;
  }

  lngLat(xPx: number, yPx: number): LngLat {
    return [
      lngOfMercatorX((xPx + this.leftPx) / this.worldPx),
      latOfMercatorY((yPx + this.topPx) / this.worldPx),
    ];
  }

  /** A box in pixels. */
  rect([west, south, east, north]: Bbox): RectPx {
    return { minX: this.x(west), minY: this.y(north), maxX: this.x(east), maxY: this.y(south) };
  }

  /** The picture's edges in fractions of the world's side */
  worldEdges(): { west: number; east: number; north: number; south: number } {
    return {
      west: this.leftPx / this.worldPx,
      east: (this.leftPx + this.widthPx) / this.worldPx,
      north: this.topPx / this.worldPx,
      south: (this.topPx + this.heightPx) / this.worldPx,
    };
  }

  /** What the picture shows and `marginPx` around it, in degrees. */
  bbox(marginPx: number): Bbox {
    const [west, north] = this.lngLat(-marginPx, -marginPx);
    const [east, south] = this.lngLat(this.widthPx + marginPx, this.heightPx + marginPx);
    return [west, south, east, north];
  }
}
