/**
 * The words that tools share for what they are given: one name, one meaning, one description. Every
 * description is sent to a model with each tool that has the field, so it is short.
 */
import { z } from 'zod';
import { ZipCode } from '../contract/resources.ts';
import { VERTICALS, type VerticalSlug } from '../scoring/verticals.ts';
import { MAX_ZIPS } from '../territory/zip-list.ts';

const SLUGS = VERTICALS.map(({ slug }) => slug) as [VerticalSlug, ...VerticalSlug[]];

export const vertical = z.enum(SLUGS, { error: `must be one of ${SLUGS.join(', ')}` });

/** An unknown one is answered with the list of them. */
export const metro = z.string().max(60).meta({ description: 'Launched metro, e.g. dallas-tx' });

export const zips = z.array(ZipCode).min(1).max(MAX_ZIPS);

export const brand = z.string().min(1).max(120).meta({ description: 'Slug, name or id' });

/** A sentence or two of people's. The database keeps no text with a NUL or half a character in it. */
export const remark = z
  .string()
  .trim()
  .max(500)
  .refine((text) => !text.includes('\0') && !/\p{Cs}/u.test(text), 'must be readable text');

/** Every write has these. */
export const writeFields = {
  confirm: z.boolean().optional().meta({ description: 'Without true, only previews' }),
  idempotencyKey: remark
    .max(100)
    .optional()
    .meta({ description: 'Any text of yours: with the same one again, it is done once' }),
};
