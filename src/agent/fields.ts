/**
 * The words that tools share for what they are given: one name, one meaning, one description. Every
 * description is sent to a model with each tool that has the field, so it is short.
 */
import { z } from 'zod';
import { findMetro } from '../market/metros.ts';
import { VERTICALS, type VerticalSlug } from '../scoring/verticals.ts';
import { stateNamed } from '../states.ts';
import { shortened } from '../words.ts';

const SLUGS = VERTICALS.map(({ slug }) => slug) as [VerticalSlug, ...VerticalSlug[]];

/** Labels, which our own answers tell, are taken for their slugs. */
export const vertical = z.preprocess(
  (given) => {
    const name = typeof given === 'string' ? given.trim().toLowerCase() : given;
    return VERTICALS.find(({ label }) => label.toLowerCase() === name)?.slug ?? name;
  },
  z.enum(SLUGS, { error: `must be one of ${SLUGS.join(', ')}` }),
);

/** An unknown one is answered with the list of them. */
export const metro = z
  .string()
  .max(60)
  .transform((text) => findMetro(text)?.slug ?? text)
  .meta({ description: 'Launched metro, e.g. dallas-tx' });

export const state = z
  .string()
  .max(60)
  .refine((text) => stateNamed(text), {
    error: ({ input }) =>
      `there is no state ${shortened(JSON.stringify(input), 40)}; give its code or name, such as TX or Texas`,
  })
  .transform((text) => stateNamed(text)!.usps)
  .meta({ description: 'USPS code' });

/** Tells what was given instead: in a list of hundreds a place alone says little. */
const noZip = ({ input }: { input?: unknown }) =>
  input === undefined
    ? undefined
    : `${shortened(JSON.stringify(input), 40)} is not a text of five digits, such as "75201"`;

export const zip = z.string({ error: noZip }).regex(/^[0-9]{5}$/, { error: noZip });

/** In one call of a tool or of the API; a change on the account’s pages has more */
export const MAX_ZIPS_PER_CALL = 500;

export const zips = z.array(zip).min(1).max(MAX_ZIPS_PER_CALL);

export const brand = z.string().min(1).max(120).meta({ description: 'Slug, name or id' });

export const minScore = z.int().min(0).max(100);

/** Null where the census has none. */
export const figure = z.number().nullable();

/** A ZIP in a ranking, best first */
export const rankedZip = z.object({
  rank: z.int(),
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  score: z.int(),
  households: figure,
});

/** A sentence or two of people's. The database keeps no text with a NUL or half a character in it. */
export const remark = z
  .string()
  .trim()
  .max(500)
  .refine((text) => !text.includes('\0') && !/\p{Cs}/u.test(text), 'must be readable text');

/** Every write has these. */
export const writeFields = {
  confirm: z.boolean().optional().meta({ description: 'Without true, only previews' }),
  idempotencyKey: remark.min(1).max(100).optional().meta({
    description: 'Any text of yours: with the same one again within a day, it is done once',
  }),
};
