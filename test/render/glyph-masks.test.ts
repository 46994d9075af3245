import { createCanvas } from '@napi-rs/canvas';
import { expect, it } from 'vitest';
import { cssFont } from '../../src/render/canvas/fonts.ts';
import { glyphMasks } from '../../src/render/canvas/text/glyph-masks.ts';

const FACE = 'Noto Sans Regular';

/** The coverage of a letter that Skia draws by itself */
function drawAlone(letter: string, sizePx: number, quarters: number): number[] {
  const context = createCanvas(40, 40).getContext('2d');
  context.font = cssFont(FACE, sizePx);
  context.fillStyle = 'rgb(96,96,96)';
  context.fillText(letter, 10 + quarters / 4, 30);
  const { data } = context.getImageData(0, 0, 40, 40);
  return Array.from({ length: 1600 }, (_, i) => data[4 * i + 3]!);
}

it('a letter looks the same in every text', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].map((text) => ({ text }));
  for (const sizePx of [7.875, 9.5, 12.5, 15.625]) {
    const masks = glyphMasks(FACE, sizePx, 0, 3);
    for (const quarters of [0, 1, 2, 3]) masks.request(letters, Array(26).fill(quarters));
    for (const { text } of letters) {
      for (const quarters of [0, 1, 2, 3]) {
        const { left, top, width, height, coverage } = masks.at(text, quarters)!;
        const drawn = Array<number>(1600).fill(0);
        for (let i = 0; i < width * height; i++) {
          const [x, y] = [left + 10 + (i % width), top + 30 + Math.floor(i / width)];
          drawn[40 * y + x] = coverage[i]!;
        }
        expect(drawn, `${text} at ${sizePx}`).toEqual(drawAlone(text, sizePx, quarters));
      }
    }
  }
});
