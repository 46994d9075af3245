/** A small sprite for tests: flags, a frame that stretches around texts, and a distance field. */
import sharp from 'sharp';

type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

interface Drawing {
  width: number;
  height: number;
  /** Color at the middle of a pixel, in units of ratio 1 */
  colorAt: (x: number, y: number) => Rgba;
  more?: object;
}

const RED: Rgba = [255, 0, 0, 255];
const BLUE: Rgba = [0, 0, 255, 255];
const FAINT: Rgba = [255, 240, 200, 160];

export const DRAWINGS: Readonly<Record<string, Drawing>> = {
  flag: { width: 20, height: 12, colorAt: (x) => (x < 10 ? RED : BLUE) },
  frame: {
    width: 24,
    height: 20,
    colorAt: (x, y) => (x < 3 || y < 3 ? RED : x > 21 || y > 17 ? BLUE : FAINT),
    more: { stretchX: [[4, 20]], stretchY: [[4, 16]], content: [4, 4, 20, 16] },
  },
  // 33 pixels wide, not 32: with 32, edges would lie exactly between pixels, where rounding is arbitrary
  wide: {
    width: 33,
    height: 16,
    colorAt: (x, y) => (Math.abs(x - 16.5) < 3 ? BLUE : y < 2 || y > 14 ? RED : FAINT),
    more: {
      stretchX: [
        [4, 11],
        [22, 29],
      ],
      stretchY: [[4, 12]],
      content: [4, 3, 29, 13],
      textFitHeight: 'proportional',
      textFitWidth: 'stretchOnly',
    },
  },
  // 192 on the outline of a disk with radius 8, and 32 per pixel around it
  'disk.sdf': {
    width: 28,
    height: 28,
    colorAt: (x, y) => [0, 0, 0, clamp(192 - 32 * (Math.hypot(x - 14, y - 14) - 8))],
    more: { sdf: true },
  },
};

const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

/** Returns `index` and `sheet`, with the images one below the other. */
export async function spriteFiles(pixelRatio = 1): Promise<{ index: object; sheet: Buffer }> {
  const index: Record<string, object> = {};
  const width = 36 * pixelRatio;
  const height = 80 * pixelRatio;
  const bytes = Buffer.alloc(4 * width * height);
  let y = 0;
  for (const [name, drawing] of Object.entries(DRAWINGS)) {
    const size = { width: drawing.width * pixelRatio, height: drawing.height * pixelRatio };
    index[name] = { x: 1, y, ...size, pixelRatio, ...scaleNumbers(drawing.more ?? {}, pixelRatio) };
    for (let row = 0; row < size.height; row++) {
      for (let column = 0; column < size.width; column++) {
        const color = drawing.colorAt((column + 0.5) / pixelRatio, (row + 0.5) / pixelRatio);
        bytes.set(color, 4 * ((y + row) * width + column + 1));
      }
    }
    y += size.height;
  }
  const sheet = await sharp(bytes, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { index, sheet };
}

/** Multiplies all numbers. */
function scaleNumbers(value: object, factor: number): object {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner === 'number' ? inner * factor : inner,
  );
}
