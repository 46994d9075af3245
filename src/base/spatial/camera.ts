/** The view of a picture, and conversion between degrees and its pixels. */
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
  /** Direction that points up in the picture, in degrees clockwise from north. Default: 0 */
  bearing?: number;
  /** Tilt toward the horizon, in degrees. Default: 0, straight down */
  pitch?: number;
  /** Turn of the picture around its center, in degrees. Default: 0 */
  roll?: number;
}

/** In CSS pixels. A number is the padding on each side. */
export type Padding = number | PaddingBySide;

export interface PaddingBySide {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** The zoom range that MapLibre GL and MapLibre Native accept. */
const MIN_ZOOM = -2;
const MAX_ZOOM = 22;

/** The zoom for a single point, which shows a neighborhood. */
const POINT_ZOOM = 13;

/**
 * Returns the camera that shows a box as large as possible inside the padding. Padding that takes more than
 * half of a side is scaled down to half.
 */
export function fitBbox(bbox: Bbox, widthPx: number, heightPx: number, padding: Padding): Camera {
  const sides = typeof padding === 'number' ? equalPadding(padding) : padding;
  const [left, right] = fitPadding(sides.left, sides.right, widthPx);
  const [top, bottom] = fitPadding(sides.top, sides.bottom, heightPx);

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

  // Unequal padding moves the center of the box away from the center of the picture.
  const world = worldSizePx(zoom);
  const centerX = (west + east) / 2 + (right - left) / 2 / world;
  const centerY = (north + south) / 2 + (bottom - top) / 2 / world;
  return { center: [lngOfMercatorX(centerX), latOfMercatorY(centerY)], zoom };
}

const equalPadding = (px: number) => ({ top: px, right: px, bottom: px, left: px });

function fitPadding(before: number, after: number, sidePx: number): [number, number] {
  const shrink = Math.min(1, sidePx / 2 / (before + after));
  return [before * shrink, after * shrink];
}

/**
 * Constrains a camera as MapLibre does: zooms in until the world is as tall as the picture, then moves
 * the center until nothing beyond the world's top and bottom edges is visible.
 */
export function constrainCamera(camera: Camera, heightPx: number): Camera {
  const { zoom } = camera;
  const [lng, lat] = camera.center;
  const minZoom = Math.log2(heightPx / TILE_SIZE_PX);
  const constrained = Math.max(minZoom, MIN_ZOOM, Math.min(MAX_ZOOM, zoom));
  const reach = Math.min(0.5, heightPx / 2 / worldSizePx(constrained));
  const y = mercatorY(lat);
  const moved = Math.max(reach, Math.min(1 - reach, y));
  return { ...camera, center: [lng, moved === y ? lat : latOfMercatorY(moved)], zoom: constrained };
}

/** Converts between degrees and pixels of a picture, whose top left corner is (0, 0). */
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

  /** Converts from a fraction of the world's width. */
  xOfWorld(fraction: number): number {
    return fraction * this.worldPx - this.leftPx;
  }

  /** Converts from a fraction of the world's height. */
  yOfWorld(fraction: number): number {
    return fraction * this.worldPx - this.topPx;
  }

  lngLat(xPx: number, yPx: number): LngLat {
    return [
      lngOfMercatorX((xPx + this.leftPx) / this.worldPx),
      latOfMercatorY((yPx + this.topPx) / this.worldPx),
    ];
  }

  /** Converts a box to pixels. */
  rect([west, south, east, north]: Bbox): RectPx {
    return { minX: this.x(west), minY: this.y(north), maxX: this.x(east), maxY: this.y(south) };
  }

  /** The edges of the picture as fractions of the world's side. */
  worldEdges(): { west: number; east: number; north: number; south: number } {
    return {
      west: this.leftPx / this.worldPx,
      east: (this.leftPx + this.widthPx) / this.worldPx,
      north: this.topPx / this.worldPx,
      south: (this.topPx + this.heightPx) / this.worldPx,
    };
  }

  /** The visible part of the world plus a margin, in degrees. */
  bbox(marginPx: number): Bbox {
    const [west, north] = this.lngLat(-marginPx, -marginPx);
    const [east, south] = this.lngLat(this.widthPx + marginPx, this.heightPx + marginPx);
    return [west, south, east, north];
  }
}
