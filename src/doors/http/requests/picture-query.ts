/** Query parameters for pictures of metros and share links. Static pictures have more. */
import { z } from 'zod';
import { CLASS_METHODS } from '../../../maps/cartography/classes.ts';
import type { PictureOptions } from '../../../maps/cartography/picture-options.ts';
import { STYLE_NAMES } from '../../../data/basemap/styles.ts';
import { exactQuery, oneOf } from '../../../base/contract/exact-query.ts';
import {
  basemapOption,
  textParsedBy,
  parseSize,
  refuseLarge,
  SIDE_PX,
} from '../../../territories/static/options.ts';

const RATIOS = ['1', '2'] as const;

const plainSize = (text: string) => {
  const { width, height } = parseSize(text.replace('@', ' '));
  return { width, height };
};

const shape = {
  size: textParsedBy(plainSize)
    .prefault('1200x630')
    .meta({
      description: `Width and height in CSS pixels, each from ${SIDE_PX.min} to ${SIDE_PX.max}. Default: 1200x630`,
      example: '1200x630',
    }),
  ratio: z
    .enum(RATIOS, oneOf(RATIOS))
    .default('1')
    .meta({ description: 'Device pixels per CSS pixel' }),
  style: z.enum(STYLE_NAMES, oneOf(STYLE_NAMES)).default('light'),
  basemap: basemapOption,
};

export const pictureQuery = exactQuery(shape);

/** For pictures that color ZIP codes by score */
export const scorePictureQuery = exactQuery({
  ...shape,
  classes: z
    .enum(CLASS_METHODS, oneOf(CLASS_METHODS))
    .default('national')
    .meta({ description: 'How scores are divided into classes' }),
});

/** @throws ServiceError 400 for a picture with too many pixels */
export function pictureOptions({
  size,
  ratio,
  style,
  basemap,
}: z.output<typeof pictureQuery>): PictureOptions {
  const look = { style, basemap, ...size, pixelRatio: Number(ratio) };
  refuseLarge(look);
  return look;
}
