/** The images of the basemap styles. */
import { z } from 'zod';
import { loadSprite, type Sprite } from '../../../data/basemap/sprite.ts';
import { STYLE_NAMES } from '../../../data/basemap/styles.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { assembledJson } from '../../../base/contract/prepared.ts';
import { notFound } from '../../../errors.ts';
import { version, type AnswerCaches } from '../answers/answer-caches.ts';
import { MAPS } from './shared.ts';

const name = z
  .string()
  .meta({
    description: 'Style; `@2x` after it for screens with two or more pixels per CSS pixel',
    example: 'light@2x',
  });

const SpriteIndex = z
  .record(
    z.string(),
    z.looseObject({
      x: z.int(),
      y: z.int(),
      width: z.int(),
      height: z.int(),
      pixelRatio: z.number(),
    }),
  )
  .meta({
    id: 'SpriteIndex',
    description:
      'Position and size of each image in the sheet, as in the MapLibre Style Specification',
  });

const shared = {
  ...MAPS,
  params: z.object({ name }),
  query: z.object({ v: version }),
  errors: [404],
  errorExamples: { 404: 'There is no sprite "light@3x". Use one of: light, light@2x, …' },
} as const;

/** MapLibre derives both addresses from the `sprite` of a style. */
export function spriteOperations(caches: AnswerCaches): Operation[] {
  const indexes = caches.answers({ name: 'sprite-indexes' });
  const sheets = caches.answers({ name: 'sprites', type: 'image/png' });
  return [
    operation({
      ...shared,
      id: 'getSpriteIndex',
      path: '/sprites/{name}.json',
      summary: 'Get the index of a sprite',
      description:
        'Returns where the sheet contains each image of a basemap style: road shields, the hatching ' +
        'of pending ZIP codes, and the patterns of territories.',
      answers: {
        200: {
          description: 'The index',
          cached: true,
          schema: SpriteIndex,
          example: { hatch: { x: 2, y: 0, width: 8, height: 8, pixelRatio: 1 } },
        },
      },
      handle: ({ params, query: { v } }) =>
        indexes(
          params.name,
          async () => {
            const { index } = await spriteNamed(params.name);
            return assembledJson(SpriteIndex, JSON.stringify(index));
          },
          v,
        ),
    }),
    operation({
      ...shared,
      id: 'getSprite',
      path: '/sprites/{name}.png',
      summary: 'Get a sprite',
      description: 'Returns the images of a basemap style side by side.',
      answers: { 200: { description: 'The sheet', type: 'image/png', cached: true } },
      handle: ({ params, query: { v } }) =>
        sheets(params.name, async () => (await spriteNamed(params.name)).sheet, v),
    }),
  ];
}

/** @throws ServiceError 404 */
async function spriteNamed(wanted: string): Promise<Sprite> {
  const style = STYLE_NAMES.find((known) => wanted === known || wanted === `${known}@2x`);
  if (style === undefined) {
    const names = STYLE_NAMES.flatMap((known) => [known, `${known}@2x`]);
    throw notFound(`There is no sprite "${wanted}". Use one of: ${names.join(', ')}.`);
  }
  return loadSprite(style, wanted === style ? 1 : 2);
}
