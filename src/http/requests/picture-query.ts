/** How a picture that pages embed is asked for. */
import { z } from 'zod';
import { STYLE_NAMES } from '../../basemap/styles.ts';

/** Few, so that caches hold: link previews, articles, and squares for social media */
const SIZES = ['600x315', '1200x630', '1200x800', '400x400', '800x800'] as const;
const RATIOS = ['1', '2'] as const;

const oneOf = (values: readonly string[]) => ({ error: `must be one of ${values.join(', ')}` });

export const pictureQuery = z.object({
  size: z
    .enum(SIZES, oneOf(SIZES))
    .default('1200x630')
    .meta({ description: 'Width and height in CSS pixels' }),
  ratio: z
    .enum(RATIOS, oneOf(RATIOS))
    .default('1')
    .meta({ description: 'Pixels of the picture to a CSS pixel' }),
  style: z.enum(STYLE_NAMES, oneOf(STYLE_NAMES)).default('light'),
});

export function pictureOptions({ size, ratio, style }: z.output<typeof pictureQuery>) {
  const [width, height] = size.split('x').map(Number) as [number, number];
  return { style, width, height, pixelRatio: Number(ratio) };
}
