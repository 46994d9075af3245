/** The input of a picture, the same for every engine. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import type { Bbox } from '../base/spatial/bbox.ts';
import { fitBbox, constrainCamera, type Camera, type Padding } from '../base/spatial/camera.ts';
import type { RectPx } from '../base/spatial/flat.ts';
import type { TileAddress } from '../base/spatial/tile.ts';
import { InvalidSceneError } from './errors.ts';
import type { Arrangement } from './furniture/arrange.ts';
import type { MapFurniture } from './furniture/furniture.ts';
import type { TileSet } from './vector-tiles.ts';

/** Plain data only, because scenes are sent to workers by structured clone. */
export interface Scene {
  style: StyleSpecification;
  /** Data by source id. A source without an entry keeps the data in the style document. */
  sources: Readonly<Record<string, SourceData>>;
  view: View;
  /** CSS pixels */
  width: number;
  height: number;
  /** Device pixels per CSS pixel: the picture measures `width * pixelRatio` pixels across. */
  pixelRatio: number;
  /** By name. The name starts with the sprite's id, as in `id:name`, unless the id is `default` */
  images?: Readonly<Record<string, StyleImage>>;
  /** Sentences that name what was left out of the data */
  warnings?: readonly string[];
  /** Glyphs for labels. Default: the fonts shipped with the project */
  glyphs?: GlyphRanges;
  /** Omits labels that the picture's edge would cut. By default, they are drawn cut, as on a screen */
  keepLabelsWhole?: boolean;
  furniture?: MapFurniture;
  /** Furniture that has already been arranged; replaces `furniture` */
  arranged?: Arrangement;
  /** Boxes of the territory. Furniture is placed where it hides the least of them. */
  territory?: readonly Bbox[];
  /** Scenes drawn on top, in this order */
  panels?: readonly PanelScene[];
  /** Default: `png`. `raw`: rows of RGBA from the top down, with colors divided by alpha */
  format?: PictureFormat | 'raw';
}

/** A scene inside another, with the same pixel ratio */
export interface PanelScene {
  scene: Scene;
  /** CSS pixels of the outer scene. Has the size of the inner one */
  frame: RectPx;
}

/** GeoJSON features in WGS 84, the tiles that cover the view, or the picture of an image source. */
export type SourceData = readonly Feature[] | TileSet | RasterTileSet | PictureData;

export const isFeatures = (data: SourceData): data is readonly Feature[] => Array.isArray(data);

export const isTileSet = (data: SourceData): data is TileSet =>
  'tiles' in data && !('tileSize' in data);

export const isRasterTileSet = (data: SourceData): data is RasterTileSet =>
  'tiles' in data && 'tileSize' in data;

export const isPicture = (data: SourceData): data is PictureData => 'pixels' in data;

/** Names data in messages. */
export function dataKind(data: SourceData): string {
  if (isFeatures(data)) return 'GeoJSON features';
  if (isTileSet(data)) return 'vector tiles';
  return 'tiles' in data ? 'raster tiles' : 'a picture';
}

/** Raster or elevation tiles. As in a `TileSet`, a missing tile is empty. */
export interface RasterTileSet extends Pick<TileSet, 'minzoom' | 'maxzoom'> {
  /** Side at which a tile is shown, in CSS pixels */
  tileSize: number;
  tiles: readonly RasterTile[];
  /** Elevation tiles only. Default: as the style declares */
  encoding?: DemEncoding;
}

/**
 * Encodes elevations in meters as colors: `red * r + green * g + blue * b - shift`, where r, g, and b are
 * bytes
 */
export interface DemEncoding {
  red: number;
  green: number;
  blue: number;
  shift: number;
}

export interface RasterTile extends TileAddress, PictureData {}

/** A decoded picture. */
export interface PictureData {
  width: number;
  height: number;
  /** Rows of premultiplied RGBA from the top down, in shared memory so that workers need no copies */
  pixels: Uint8ClampedArray;
}

/** An image that a style uses by name, as an icon or a pattern. */
export interface StyleImage extends PictureData {
  /** Pixels of the image per CSS pixel */
  pixelRatio: number;
  /** Whether the alpha channel is a signed distance field, drawn in a color of the style */
  sdf: boolean;
  /** Columns and rows that may stretch, and the area for text: in pixels of the image */
  stretchX?: readonly Span[];
  stretchY?: readonly Span[];
  content?: readonly [left: number, top: number, right: number, bottom: number];
  textFitWidth?: TextFit;
  textFitHeight?: TextFit;
}

export type Span = readonly [from: number, to: number];
export type TextFit = 'stretchOrShrink' | 'stretchOnly' | 'proportional';

/** Glyphs as signed distance fields: one protobuf per `{fontstack}/{range}` of a style. */
export type GlyphRanges = Readonly<Record<string, Uint8Array>>;

/** The font stacks of glyphs */
export const fontStacksOf = (glyphs: GlyphRanges) =>
  new Set(Object.keys(glyphs).map((key) => key.slice(0, key.lastIndexOf('/'))));

export const PICTURE_FORMATS = ['png', 'webp', 'jpg'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

export type View = Camera | FittedView;

/** The closest view that shows the whole box inside the padding */
export interface FittedView {
  bounds: Bbox;
  paddingPx?: Padding;
}

/** Beyond this pitch, in degrees, the horizon fills the picture. */
export const MAX_PITCH = 85;

/** @throws InvalidSceneError for a camera that neither engine draws */
export function cameraOf(scene: Pick<Scene, 'view' | 'width' | 'height'>): Camera {
  const { view, width, height } = scene;
  const { bearing = 0, pitch = 0, roll = 0 } = 'center' in view ? view : {};
  if (!(Number.isFinite(bearing) && Number.isFinite(roll) && pitch >= 0 && pitch <= MAX_PITCH)) {
    throw new InvalidSceneError([
      `the camera has bearing ${bearing}, pitch ${pitch}, and roll ${roll}: use numbers, and a pitch from 0 to ${MAX_PITCH} degrees`,
    ]);
  }
  // Bounds are shown whole, even if an area beyond a pole becomes visible.
  if (!('bounds' in view)) return constrainCamera(view, height);
  return fitBbox(view.bounds, width, height, view.paddingPx ?? 0);
}

/** Size limits of a picture. Larger ones would take memory and time from all others. */
export const PICTURE_LIMITS = {
  /** CSS pixels */
  sidePx: { min: 1, max: 2048 },
  pixelRatio: { min: 1, max: 3 },
  /** Pixels of the encoded picture: 4096 x 4096 */
  devicePx: 16_777_216,
} as const;

/** Describes each problem with a picture's size; empty for a valid size. */
export function sizeProblems(scene: Pick<Scene, 'width' | 'height' | 'pixelRatio'>): string[] {
  const { width, height, pixelRatio } = scene;
  const { sidePx, pixelRatio: ratios, devicePx } = PICTURE_LIMITS;
  const problems: string[] = [];
  for (const [name, side] of Object.entries({ width, height })) {
    if (!(Number.isInteger(side) && side >= sidePx.min && side <= sidePx.max)) {
      problems.push(`${name} must be a whole number from ${sidePx.min} to ${sidePx.max} pixels`);
    }
  }
  if (!(pixelRatio >= ratios.min && pixelRatio <= ratios.max)) {
    problems.push(`the pixel ratio must be from ${ratios.min} to ${ratios.max}`);
  }
  if (width * height * pixelRatio ** 2 > devicePx) {
    const largest = Math.floor(Math.sqrt(devicePx / (width * height)) * 100) / 100;
    const fix =
      largest >= ratios.min ? `use ratio ${largest} or a smaller size` : 'use a smaller size';
    problems.push(
      `${width} x ${height} at ratio ${pixelRatio} is more than 16 million pixels: ${fix}`,
    );
  }
  return problems;
}

/** Describes each source that has data in the scene but is not declared in its style. */
export function undeclaredSources({ style, sources }: Scene): string[] {
  return Object.keys(sources)
    .filter((id) => !Object.hasOwn(style.sources, id))
    .map(
      (id) =>
        `the scene has data for the source "${id}", which the style does not declare: add the source or remove the data`,
    );
}

/** @throws InvalidSceneError also for panels with another pixel ratio */
export function refuseSize(scene: Scene): void {
  const problems = sizeProblems(scene);
  const { pixelRatio, panels = [] } = scene;
  for (const { scene: panel } of panels) {
    if (panel.pixelRatio !== pixelRatio) {
      problems.push(
        `a panel has the pixel ratio ${panel.pixelRatio}: use ${pixelRatio}, the ratio of its picture`,
      );
    }
  }
  if (problems.length > 0) throw new InvalidSceneError(problems);
}
