/** Query parameters of embeddable pictures. */
import { z } from 'zod';
import { STYLE_NAMES } from '../../basemap/styles.ts';

/** A few sizes, so that caches work: link previews, articles, and squares for social media */
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
    .meta({ description: 'Device pixels per CSS pixel' }),
  style: z.enum(STYLE_NAMES, oneOf(STYLE_NAMES)).default('light'),
});

export function pictureOptions({ size, ratio, style }: z.output<typeof pictureQuery>) {
  const [width, height] = size.split('x').map(Number) as [number, number];
  return { style, width, height, pixelRatio: Number(ratio) };
}
