/**
 * Input fields that tools share, so that a name has the same meaning everywhere. A model receives the description with
 * every tool that has the field, so descriptions are short.
 */
import { MAX_ZIPS_PER_CALL } from '../../../base/contract/limits.ts';
import { z } from 'zod';
import { findMetro } from '../../../data/market/metros.ts';
import { VERTICALS, type VerticalSlug } from '../../../data/scoring/verticals.ts';
import { findState } from '../../../base/geodata/states.ts';
import type { DataField } from '../../../territories/own-data/data-fields.ts';
import type { Brand } from '../../../territories/brands/brands.ts';
import { placeName, truncate } from '../../../base/text/words.ts';

const SLUGS = VERTICALS.map(({ slug }) => slug) as [VerticalSlug, ...VerticalSlug[]];

/** A vertical's slug. Accepts its label too, because answers contain labels. */
export const vertical = z.preprocess(
  (value) => {
    const name = typeof value === 'string' ? value.trim().toLowerCase() : value;
    return VERTICALS.find(({ label }) => label.toLowerCase() === name)?.slug ?? name;
  },
  z.enum(SLUGS, { error: `must be one of ${SLUGS.join(', ')}` }),
);

/** A metro's slug or name. A later check rejects unknown metros and lists the known ones. */
export const metro = z
  .string()
  .max(60)
  .transform((text) => findMetro(text)?.slug ?? text)
  .meta({ description: 'Launched metro, e.g. dallas-tx' });

export const state = z
  .string()
  .max(60)
  .refine((text) => findState(text), {
    error: ({ input }) =>
      `${truncate(JSON.stringify(input), 40)} is not a state; use a code or name, such as TX or Texas`,
  })
  .transform((text) => findState(text)!.usps)
  .meta({ description: 'USPS code' });

/** The error for a malformed ZIP code. It contains the value, because an index is little help in a long list. */
const invalidZip = ({ input }: { input?: unknown }) =>
  input === undefined
    ? undefined
    : `${truncate(JSON.stringify(input), 40)} is not a string of five digits, such as "75201"`;

export const zip = z.string({ error: invalidZip }).regex(/^[0-9]{5}$/, { error: invalidZip });

export const zips = z.array(zip).min(1).max(MAX_ZIPS_PER_CALL);

export const brand = z.string().min(1).max(120).meta({ description: 'Slug, name, or id' });

/** An amount or a rate. A later check rejects unknown data sets and lists the known ones. */
export const dataField = z
  .string()
  .regex(/^(?:data|rate):./)
  .transform((name) => name as DataField);

/** A later check rejects unknown data sets and lists the known ones. */
export const dataSet = z.string().min(1).max(120);

/** Returns slugs for programs and names for people, in the same order. */
export const holderFields = (brands: readonly Brand[]) => ({
  heldBy: brands.map(({ slug }) => slug),
  heldByNames: brands.map(({ name }) => name),
});

export const minScore = z.int().min(0).max(100);

/** Rounds a number for an answer, because models read every digit. */
export const round = (value: number, decimals: number) =>
  Math.round(value * 10 ** decimals) / 10 ** decimals;

/** A figure, or null if the Census has no value */
export const figure = z.number().nullable();

/** A ZIP code and its post office */
export const placeFields = {
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
};

/** Formats a ZIP code as `75201 Dallas, TX`. */
export const formatZip = ({ zip, city, state }: ZipPlace) =>
  [zip, placeName(city, state)].filter(Boolean).join(' ');

interface ZipPlace {
  zip: string;
  city: string | null;
  state: string | null;
}

/** A ZIP code in a ranking, best first */
export const rankedZip = z.object({
  rank: z.int(),
  ...placeFields,
  score: z.int(),
  households: figure,
});

/** Data sets of the organization, at most as many as given */
export const dataSets = (most: number) =>
  z
    .array(dataSet)
    .max(most)
    .optional()
    .meta({ description: 'Short names, names, or ids of data sets to add' });

/** A short text by a person or model */
/** When a change takes effect */
export const onDay = z.iso
  .date()
  .optional()
  .meta({ description: 'The day it takes effect. Default: as soon as it may' });
export const changeId = z.string().nullable().meta({ description: 'The change, with on' });

export const remark = z.string().trim().max(500);

/** Fields of every write */
export const writeFields = {
  confirm: z
    .boolean()
    .optional()
    .meta({ description: 'true makes the change; otherwise, the response is a preview' }),
  idempotencyKey: remark
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Any text. Repeating it within a day makes the change only once' }),
};
