/** The segments and parameters of a static picture's URL. The API, the catalog, and the page share them. */
import { z } from 'zod';
import { STYLE_NAMES } from '../../data/basemap/styles.ts';
import { BASEMAPS } from '../../maps/cartography/picture-options.ts';
import { CLASS_METHODS } from '../../maps/cartography/classes.ts';
import { COMPOSITION_NAMES } from '../../maps/cartography/compositions.ts';
import { asOf } from '../../base/contract/as-of.ts';
import { exactQuery, oneOf } from '../../base/contract/exact-query.ts';
import { badRequest } from '../../errors.ts';
import { isDataField, type DataField } from '../own-data/data-fields.ts';
import { PICTURE_FORMATS, PICTURE_LIMITS, sizeProblems } from '../../render/scene.ts';
import type { PaddingBySide } from '../../base/spatial/camera.ts';
import { parseKinds, PLACES_FORM } from '../places/pins.ts';
import { parseMarkers, parseOverlay } from './overlay.ts';
import { parseSubject, SUBJECTS } from './subject.ts';
import { parseView, VIEW_FORMS } from './view.ts';
import { readWholeNumber } from '../../base/text/whole-number.ts';

/** Text that a function parses. Its `RangeError` becomes the parameter's error. */
export function textParsedBy<T>(parse: (text: string) => T) {
  return z.string().transform((text, ctx): T => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      ctx.addIssue(error.message);
      return z.NEVER;
    }
  });
}

/** CSS pixels. Smaller pictures have no room for a map. */
export const SIDE_PX = { min: 64, max: PICTURE_LIMITS.sidePx.max } as const;

/** Maximum number of device pixels of public pictures: 1280 x 800 at ratio 2 */
export const PUBLIC_DEVICE_PX = 4_100_000;

interface PictureSize {
  /** CSS pixels */
  width: number;
  height: number;
  /** Device pixels per CSS pixel */
  pixelRatio: number;
}

/** @throws RangeError with a message that completes a sentence about the parameter */
export function parseSize(text: string): PictureSize {
  const [, width, height, ratio = '1'] = /^(\d{1,5})x(\d{1,5})(?:@([123])x)?$/.exec(text) ?? [];
  const size = { width: Number(width), height: Number(height), pixelRatio: Number(ratio) };
  const isSide = (side: number) => side >= SIDE_PX.min && side <= SIDE_PX.max;
  if (!isSide(size.width) || !isSide(size.height)) {
    throw new RangeError(
      `must be {width}x{height}, each from ${SIDE_PX.min} to ${SIDE_PX.max}, with @2x or @3x for more pixels; for example 600x400@2x`,
    );
  }
  const [problem] = sizeProblems(size);
  if (problem !== undefined) throw new RangeError(`is too large: ${problem}`);
  return size;
}

/** @throws ServiceError 400 for a size that isn't public */
export function refuseLarge({ width, height, pixelRatio }: PictureSize): void {
  if (width * height * pixelRatio ** 2 <= PUBLIC_DEVICE_PX) return;
  throw badRequest(
    `size: public pictures have at most ${PUBLIC_DEVICE_PX.toLocaleString('en')} pixels, for example 1280x800@2x. Reduce the size or the ratio.`,
  );
}

const MAX_PADDING_PX = 500;

/**
 * A number for all sides, or four as in CSS: top, right, bottom, left. @throws RangeError, as `parseSize`
 */
function parsePadding(text: string): PaddingBySide {
  const sides = text.split(',').map((side) => readWholeNumber(side, 0, MAX_PADDING_PX));
  const [top, right = top, bottom = top, left = right] = sides as [number, ...number[]];
  if (sides.length <= 4 && !sides.includes(undefined)) {
    return { top, right: right!, bottom: bottom!, left: left! };
  }
  throw new RangeError(
    `must be one to four whole numbers of CSS pixels from 0 to ${MAX_PADDING_PX}, in the order of CSS; for example 40 or 80,20,20,20`,
  );
}

/** @throws RangeError, as `parseSize` */
function parseColor(text: string): DataField {
  if (isDataField(text)) return text;
  throw new RangeError('must be data:{slug} or rate:{slug}; for example data:jobs-2025');
}

/** What is below the ZIP codes */
export const basemapOption = z
  .enum(BASEMAPS, oneOf(BASEMAPS))
  .optional()
  .meta({
    description: 'Whether the map shows streets up close, where the service has them (by default)',
  });

const FLAG = ['true', 'false'] as const;
const flag = (fallback: (typeof FLAG)[number]) =>
  z
    .enum(FLAG, oneOf(FLAG))
    .default(fallback)
    .transform((text) => text === 'true');

const formatProblem = (text: string) =>
  text.includes('@')
    ? 'must come after the ratio; for example 600x400@2x.png'
    : oneOf(PICTURE_FORMATS).error;

const MAX_TITLE = 80;

export const staticParams = z.object({
  style: z.enum(STYLE_NAMES, oneOf(STYLE_NAMES)).meta({ description: 'Style', example: 'light' }),
  subject: textParsedBy(parseSubject).meta({
    description: Object.values(SUBJECTS)
      .map(({ pattern, meaning }) => `\`${pattern}\`: ${meaning}`)
      .join('; '),
    example: SUBJECTS.metro.example,
  }),
  view: textParsedBy(parseView).meta({
    description: `${VIEW_FORMS.map((form) => `\`${form}\``).join(', or ')}. \`auto\` shows the whole subject. A box may be in brackets. At zoom 0, the world is 512 CSS pixels wide`,
    example: 'auto',
  }),
  size: textParsedBy(parseSize).meta({
    description: `Width and height in CSS pixels, each from ${SIDE_PX.min} to ${SIDE_PX.max}; \`@2x\` or \`@3x\` after them for two or three pixels per CSS pixel`,
    example: '600x400',
  }),
  format: z
    .enum([...PICTURE_FORMATS, 'jpeg'], { error: ({ input }) => formatProblem(String(input)) })
    .meta({ description: 'Format. `jpeg` means `jpg`', example: 'png' })
    .transform((name) => (name === 'jpeg' ? 'jpg' : name)),
});

/** Options for the content of a picture */
export const staticOptions = {
  title: z
    .string()
    .max(MAX_TITLE, `must have at most ${MAX_TITLE} characters`)
    .optional()
    .meta({ description: 'Title; empty for none. Default: the name of the subject' }),
  legend: flag('true').meta({ description: 'Whether to draw the legend' }),
  labels: flag('true').meta({ description: 'Whether to draw names and ZIP codes' }),
  basemap: basemapOption,
  classes: z
    .enum(CLASS_METHODS, oneOf(CLASS_METHODS))
    .optional()
    .meta({
      description:
        'How scores are divided into classes: fifths of the country, equal numbers of the ZIP codes on the map, or equal ranges of scores. Default: national',
    }),
  color: textParsedBy(parseColor)
    .optional()
    .meta({
      description:
        'Colors the ZIP codes of a private picture by a data set of the organization: `data:{slug}`, or `rate:{slug}` for amounts per 1,000 owner households',
    }),
  scalebar: z
    .enum(FLAG, oneOf(FLAG))
    .optional()
    .meta({ description: 'Whether to draw a scale bar. Default: depends on the composition' }),
  insets: flag('true').meta({
    description:
      'Whether to enlarge parts of the map that are too dense for labels, in pictures of at least 800x500 CSS pixels with the view `auto`',
  }),
  composition: z
    .enum(COMPOSITION_NAMES, oneOf(COMPOSITION_NAMES))
    .optional()
    .meta({
      description:
        'Arrangement of title, legend, and sources. Default: depends on the picture’s shape',
    }),
  padding: textParsedBy(parsePadding)
    .optional()
    .meta({
      description:
        'Space around the subject, or around the box of the view, in CSS pixels: one number, or up to four in the order of CSS. Has no effect on `lng,lat,zoom`',
      example: '40',
    }),
  transparent: flag('false').meta({
    description: 'Whether to draw only the ZIP codes, on a transparent background; not for jpg',
  }),
  places: textParsedBy(parseKinds)
    .optional()
    .meta({
      description: `Places of the organization to show as pins with names, on a private picture: ${PLACES_FORM}. \`own\` is all but competitors, which no signed URL shows`,
    }),
  asOf: asOf.optional().meta({
    description:
      'Draws the territory of a brand as of a past day (its end) or moment. Default: now',
    // A picture of a metro area, such as the example of the subject, has no earlier days.
    example: undefined,
  }),
  markers: textParsedBy(parseMarkers)
    .optional()
    .meta({
      description:
        'Points to mark: `lng,lat[,color[,letter or digit]]`, separated by semicolons. A color is `e11d48` or `fa0`',
      example: '-96.8,32.78,e11d48,A',
    }),
  overlay: textParsedBy(parseOverlay)
    .optional()
    .meta({
      description:
        'GeoJSON to draw on top, with the simplestyle properties `stroke`, `stroke-width`, `stroke-opacity`, `fill`, `fill-opacity`, `marker-color`, and `marker-symbol`',
      example: '{"type":"LineString","coordinates":[[-97.33,32.75],[-96.8,32.78]]}',
    }),
};

/** The parameters that make a URL a signed URL: see `signed-url.ts` */
export const signedParameters = {
  signer: z
    .uuid({ error: 'must be the id in a signed URL' })
    .optional()
    .meta({ description: 'Id of the signer, in a signed URL' }),
  expires: z
    .string()
    .regex(/^\d{1,12}$/, 'must be a time in Unix seconds')
    .transform(Number)
    .optional()
    .meta({ description: 'Time at which a signed URL expires, in Unix seconds' }),
  signature: z.string().optional().meta({ description: 'Signature of the rest of a signed URL' }),
};

export const staticQuery = exactQuery({ ...staticOptions, ...signedParameters });

/** A picture as described by its URL */
export type StaticPicture = z.output<typeof staticParams> &
  Omit<z.output<typeof staticQuery>, 'signer' | 'expires' | 'signature'>;
