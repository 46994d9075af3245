/**
 * The images of the basemap styles: road shields, the hatching of pending ZIP codes, the patterns of
 * territories, and the pins of places. The drawings are `styles/sprite/NAME.svg`, in the colors of a palette; `styles/sprite/index.json`
 * lists most of them with the parts that stretch, as in the sprite index of the MapLibre Style Specification.
 */
import { decodePicture } from '../../render/document/picture-files.ts';
import type { SpriteEntry } from '../../render/document/sprite-index.ts';
import { cutSheet } from '../../render/document/sprite-sheet.ts';
import type { Span, StyleImage } from '../../render/scene.ts';
import { sharp } from '../../render/sharp.ts';
import { PLACE_KINDS, PLACE_SYMBOLS } from './place-symbols.ts';
import { readJson, readWithPalette, type StyleName } from './styles.ts';

/** Pixels of a sheet per CSS pixel */
type SpriteRatio = 1 | 2;

export interface Sprite {
  index: Readonly<Record<string, SpriteEntry>>;
  /** PNG with all images side by side */
  sheet: Buffer;
  images: Readonly<Record<string, StyleImage>>;
}

interface Drawing {
  /** Default: the image's name */
  drawing?: string;
  /** Path of a symbol in the drawing */
  symbol?: string;
  stretchX?: [from: number, to: number][];
  content?: [left: number, top: number, right: number, bottom: number];
}

const PINS = Object.fromEntries(
  PLACE_KINDS.map((kind): [string, Drawing] => [
    `place-${kind}`,
    { drawing: kind === 'competitor' ? 'competitor-pin' : 'pin', symbol: PLACE_SYMBOLS[kind].path },
  ]),
);

const loaded = new Map<string, Promise<Sprite>>();

/** Returns the sprite of a style, for devices of this pixel ratio. All callers share it. */
export function loadSprite(style: StyleName, pixelRatio: number): Promise<Sprite> {
  const ratio: SpriteRatio = pixelRatio > 1 ? 2 : 1;
  const key = `${style} ${ratio}`;
  let sprite = loaded.get(key);
  if (sprite === undefined) {
    sprite = drawSprite(style, ratio);
    loaded.set(key, sprite);
    // The next caller tries again.
    sprite.catch(() => loaded.delete(key));
  }
  return sprite;
}

/** Empty pixels between images, so that scaling doesn't blend an image with its neighbor */
const GAP = 2;
/** The resolution at which a unit of an SVG is one pixel */
const SVG_DPI = 72;

async function drawSprite(style: StyleName, ratio: SpriteRatio): Promise<Sprite> {
  const drawings = Object.entries({
    ...readJson<Record<string, Drawing>>('styles/sprite/index.json'),
    ...PINS,
  });
  const index: Record<string, SpriteEntry> = {};
  const parts: { input: Buffer; left: number; top: number }[] = [];
  const size = { width: 0, height: 0 };
  for (const [name, { drawing = name, symbol = '', stretchX, content }] of drawings) {
    const svg = readWithPalette(`styles/sprite/${drawing}.svg`, style, { symbol });
    const drawn = sharp(Buffer.from(svg), { density: SVG_DPI * ratio }).png();
    const { data: input, info } = await drawn.toBuffer({ resolveWithObject: true });
    const x = size.width + GAP;
    index[name] = {
      x,
      y: 0,
      width: info.width,
      height: info.height,
      pixelRatio: ratio,
      sdf: false,
      ...(stretchX && { stretchX: stretchX.map(([from, to]): Span => [from * ratio, to * ratio]) }),
      ...(content && { content: content.map((edge) => edge * ratio) as Drawing['content'] }),
    };
    parts.push({ input, left: x, top: 0 });
    size.width = x + info.width;
    size.height = Math.max(size.height, info.height);
  }
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const sheet = await sharp({ create: { ...size, channels: 4, background } })
    .composite(parts)
    .png()
    .toBuffer();
  const picture = await decodePicture(sheet, 'colors');
  return { index, sheet, images: Object.fromEntries(cutSheet(Object.entries(index), picture)) };
}
