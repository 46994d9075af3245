/**
 * Labels of ZIP codes in a picture. Each is placed in its ZIP code where there is the most room beside the
 * labels of the basemap and the furniture. A label that doesn't fit gets smaller, then loses its score, and
 * is omitted only if that isn't enough.
 */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature, MultiPolygon, Point, Polygon } from 'geojson';
import { rectOf, rectsMeet, type FlatPoints, type RectPx } from '../../base/spatial/flat.ts';
import type { Viewport } from '../../base/spatial/camera.ts';
import { largestPart } from '../../base/spatial/largest-part.ts';
import { roomiestBox } from '../../base/spatial/roomiest-box.ts';
import type { MapLayout } from './map-layout.ts';
import type { ViewData } from './view-data.ts';
import { measureEm } from '../../render/canvas/text/measure.ts';
import { createExpression } from '../../render/style-spec.ts';

/** Content of the label of a ZIP code. Without a score, the label shows only the ZIP code. */
export const ZIP_LABEL_CONTENTS = ['zip', 'score', 'both', 'none'] as const;
export type ZipLabelContent = (typeof ZIP_LABEL_CONTENTS)[number];

/** The default for readers who may see scores: a map of a single ZIP code has room for its score. */
export const defaultZipLabels = (zipCount: number): ZipLabelContent =>
  zipCount === 1 ? 'both' : 'zip';

/** Font sizes to try below the style's, in CSS pixels. Smaller digits are illegible on a screen. */
const SMALLER_PX = [8.5, 7.5];
/** The smallest size at which a label has two lines */
const MIN_TWO_LINES_PX = 8.5;
/** Space around the text: `text-padding` in the style, plus the engines' rounding */
const MARGIN_PX = 1.25;

interface ZipLabelRoom {
  viewport: Viewport;
  picture: RectPx;
  /** Areas that labels must avoid */
  obstacles: readonly RectPx[];
  /** Largest size of texts, relative to the style's: at least 1, the default */
  textScale?: number;
  view: Pick<ViewData, 'name' | 'rings'>;
  /** Knows most labels of maps with other obstacles, and of later maps */
  layout: MapLayout;
}

/** A label without the properties of its ZIP code, which may differ on the next map */
interface LabelPlace {
  label: string;
  labelSize: number;
  labelZoom: number;
  coordinates: [lng: number, lat: number];
}

interface ZipLabels {
  /** Points with the texts in `label` and their sizes in `labelSize`, in CSS pixels */
  labels: Feature<Point>[];
  /** ZIP codes without a label */
  unlabeled: Feature<Polygon | MultiPolygon>[];
}

/** @param zips in the picture, with `zip` and, if they have one, `score` in their properties */
export function labelZips(
  zips: readonly Feature<Polygon | MultiPolygon>[],
  content: ZipLabelContent,
  style: StyleSpecification,
  room: ZipLabelRoom,
): ZipLabels {
  const type = typeOf(style, room);
  const labels: Feature<Point>[] = [];
  const unlabeled: Feature<Polygon | MultiPolygon>[] = [];
  if (content === 'none') return { labels, unlabeled };
  for (const zip of zips) {
    const label = type && fitLabel(zip, textsOf(zip, content), type, room);
    if (label !== null) labels.push(label);
    else unlabeled.push(zip);
  }
  return { labels, unlabeled };
}

/** Font sizes of numbers, in CSS pixels */
const NUMBER_SIZES_PX = [9, 8, 7];

interface ZipNumbers {
  labels: Feature<Point>[];
  /** In the order of their numbers */
  numbered: Feature<Polygon | MultiPolygon>[];
  /** ZIP codes without room for a number */
  unlabeled: Feature<Polygon | MultiPolygon>[];
}

/** Assigns numbers, in order, to ZIP codes that have no label but have room for a number. */
export function numberZips(
  zips: readonly Feature<Polygon | MultiPolygon>[],
  { first, last }: { first: number; last: number },
  style: StyleSpecification,
  room: ZipLabelRoom,
): ZipNumbers {
  const type = typeOf(style, room);
  const numbers = type && typeWith(type.face, NUMBER_SIZES_PX);
  const result: ZipNumbers = { labels: [], numbered: [], unlabeled: [] };
  for (const zip of zips) {
    const number = first + result.numbered.length;
    const label =
      numbers && number <= last ? fitLabel(zip, [[String(number)]], numbers, room) : null;
    if (label === null) result.unlabeled.push(zip);
    else {
      result.numbered.push(zip);
      result.labels.push(label);
    }
  }
  return result;
}

/** Returns the texts to try, the best first. Each is a list of lines. */
function textsOf({ properties }: Feature, content: ZipLabelContent): string[][] {
  const { zip, score } = properties as { zip: string; score?: number | null };
  if (score == null || content === 'zip') return [[zip]];
  const shown = String(Math.round(score));
  return content === 'score' ? [[shown]] : [[zip, shown], [zip]];
}

interface LabelType {
  /** Differs from that of other types */
  key: string;
  face: string;
  /** Largest first, CSS pixels */
  sizesPx: readonly number[];
  /** A size above these, which labels have where there is much room */
  largePx?: number;
}

const labelLayer = ({ layers }: StyleSpecification) => layers.find(({ id }) => id === 'zip-names');

/** The zoom below which a map has no labels */
export const minLabelZoom = (style: StyleSpecification) => labelLayer(style)?.minzoom ?? 0;

/** Returns the type of the labels at a zoom; null if the style shows none there. */
function typeOf(
  style: StyleSpecification,
  { viewport: { zoom }, textScale = 1 }: ZipLabelRoom,
): LabelType | null {
  const layer = labelLayer(style);
  if (layer?.type !== 'symbol' || zoom < minLabelZoom(style)) return null;
  const { 'text-size': size, 'text-font': font } = layer.layout!;
  const compiled = createExpression(size, 'layers[0].layout.text-size');
  if (compiled.result === 'error') throw new Error('zip-names has an invalid text-size.');
  const largest = compiled.value.evaluate({ zoom }, { type: 'Point', properties: {} }) as number;
  const sizesPx = [largest, ...SMALLER_PX.filter((px) => px < largest)];
  const face = (font as string[])[0]!;
  return typeWith(face, sizesPx, textScale > 1 ? largest * textScale : undefined);
}

function typeWith(face: string, sizesPx: readonly number[], largePx?: number): LabelType {
  const key = [face, sizesPx, largePx].join(' ');
  return largePx === undefined ? { key, face, sizesPx } : { key, face, sizesPx, largePx };
}

function fitLabel(
  zip: Feature<Polygon | MultiPolygon>,
  texts: readonly string[][],
  type: LabelType,
  room: ZipLabelRoom,
): Feature<Point> | null {
  const { layout, view } = room;
  const name = `${zip.properties!.zip} ${view.name}`;
  const rings = () => ringsOf(zip, room);
  const outline = layout.once(`outline ${name}`, () => {
    const [outer] = rings();
    return outer === undefined ? null : rectOf(outer);
  });
  if (outline === null) return null;
  const { face, sizesPx, largePx } = type;
  const obstacles: RectPx[] = [];
  let key = `${name} ${texts.join('|')} ${type.key}`;
  for (const box of room.obstacles) {
    if (!rectsMeet(box, outline)) continue;
    obstacles.push(box);
    key += ` ${sidesOf(box)}`;
  }
  const find = (sizes: readonly number[]) =>
    findPlace(rings(), texts, { face, sizesPx: sizes }, { ...room, obstacles });
  const place = layout.once(
    key,
    () =>
      // The place for the large size isn't always the roomiest for small ones, so each scale ends with the same search.
      (largePx === undefined ? null : find([largePx, ...sizesPx])) ?? find(sizesPx),
  );
  return labelAt(place, zip);
}

/** The sides of obstacles as text, which takes long to make. Each obstacle meets several ZIP codes. */
const sides = new WeakMap<RectPx, string>();

function sidesOf(box: RectPx): string {
  const { minX, minY, maxX, maxY } = box;
  const text = sides.get(box) ?? `${minX},${minY},${maxX},${maxY}`;
  sides.set(box, text);
  return text;
}

/** The largest part of a ZIP code, in the picture */
function ringsOf(
  { geometry, properties }: Feature<Polygon | MultiPolygon>,
  { viewport, view }: ZipLabelRoom,
): readonly FlatPoints[] {
  const zip = properties!.zip as string;
  const rings = view.rings.get(zip) ?? largestPart(geometry, viewport) ?? [];
  view.rings.set(zip, rings);
  return rings;
}

function labelAt(place: LabelPlace | null, { properties }: Feature): Feature<Point> | null {
  if (place === null) return null;
  const { coordinates, label, labelSize, labelZoom } = place;
  return {
    type: 'Feature',
    properties: { ...properties, label, labelSize, labelZoom },
    geometry: { type: 'Point', coordinates },
  };
}

function findPlace(
  rings: readonly FlatPoints[],
  texts: readonly string[][],
  { face, sizesPx }: Pick<LabelType, 'face' | 'sizesPx'>,
  { viewport, picture, obstacles }: ZipLabelRoom,
): LabelPlace | null {
  const fullPx = sizesPx[0]!;
  for (const lines of texts) {
    const allowed = sizesPx.filter((px) => lines.length === 1 || px >= MIN_TWO_LINES_PX);
    const widthEm = Math.max(...lines.map((line) => measureEm(line, face)));
    const boxAt = (px: number) => ({
      width: widthEm * px + 2 * MARGIN_PX,
      height: lines.length * px + 2 * MARGIN_PX,
    });
    const box = boxAt(fullPx);
    const smallest = boxAt(allowed.at(-1)!);
    const place = roomiestBox(rings, {
      ...box,
      bounds: picture,
      obstacles,
      minScale: Math.max(smallest.width / box.width, smallest.height / box.height),
    });
    if (place === null) continue;
    const labelSize = allowed.find((px) => {
      const { width, height } = boxAt(px);
      return width <= box.width * place.scale && height <= box.height * place.scale;
    });
    if (labelSize !== undefined) {
      const label = lines.join('\n');
      const labelZoom = Math.floor(viewport.zoom);
      return { label, labelSize, labelZoom, coordinates: viewport.lngLat(place.x, place.y) };
    }
  }
  return null;
}
