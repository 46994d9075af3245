/** Glyphs for map labels. */
import { z } from 'zod';
import { GLYPHS_PER_RANGE, glyphRange } from '../../../data/basemap/glyphs.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { version, type AnswerCaches } from '../answers/answer-caches.ts';
import { MAPS } from './shared.ts';

const GLYPHS_TYPE = 'application/x-protobuf';
/** Map libraries request the first 65,536 code points. */
const LAST_RANGE = 65_536 - GLYPHS_PER_RANGE;

const rangeMessage =
  `must be a range of ${GLYPHS_PER_RANGE} code points, such as 0-255 or 256-511, up to ` +
  `${LAST_RANGE}-${LAST_RANGE + GLYPHS_PER_RANGE - 1}`;

const rangeParam = z
  .string()
  .transform((text, ctx) => {
    const first = Number(/^(0|[1-9]\d*)-/.exec(text)?.[1] ?? NaN);
    const isRange = first % GLYPHS_PER_RANGE === 0 && first <= LAST_RANGE;
    if (isRange && text === `${first}-${first + GLYPHS_PER_RANGE - 1}`) return first;
    ctx.addIssue(rangeMessage);
    return z.NEVER;
  })
  .meta({ description: 'First and last code point', example: '0-255' });

export function fontOperation(caches: AnswerCaches): Operation {
  const answer = caches.answers({ name: 'glyphs', type: GLYPHS_TYPE });
  return operation({
    ...MAPS,
    id: 'getGlyphs',
    path: '/fonts/{fontstack}/{range}.pbf',
    summary: 'Get font glyphs',
    description:
      'Returns signed distance fields for a range of 256 code points, in the format that MapLibre ' +
      'expects at a style’s `glyphs` URL. If `fontstack` lists several faces, the first available one ' +
      'is used. The response is empty if the font has no glyphs in the range.',
    params: z.object({
      fontstack: z
        .string()
        .meta({
          description: 'Font faces, separated by commas',
          example: 'Noto Sans Medium,Noto Sans Regular',
        }),
      range: rangeParam,
    }),
    query: z.object({ v: version }),
    answers: { 200: { description: 'The glyphs', type: GLYPHS_TYPE, cached: true } },
    errors: [404],
    errorExamples: { 404: 'There is no font "Arial". Use one of: Noto Sans Regular, …' },
    handle: ({ params: { fontstack, range }, query: { v } }) => {
      const stack = fontstack.split(',').map((face) => face.trim());
      return answer(`${stack.join()} ${range}`, () => glyphRange(stack, range), v);
    },
  });
}
