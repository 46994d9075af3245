/** Requests and responses of the operations on locators. */
import { z } from 'zod';
import { actorName } from '../../../people/account/caller.ts';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { exampleOf, ZipCode } from '../../../base/contract/resources.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { MIN_ACCENT_CONTRAST } from '../../../territories/brands/branding.ts';
import { LANGUAGES, WORD_LENGTHS } from '../../../territories/serving/locator-words.ts';
import type { Asked, UnservedZip } from '../../../territories/serving/locator-questions.ts';
import { LOCATOR_STATUSES, type Locator } from '../../../territories/serving/locators.ts';
import { EXAMPLE_TOKEN } from '../../../territories/share/token.ts';
import { locatorLinks } from './embed.ts';

export const locatorParams = z.object({
  locator: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'Token, short code, or address of a locator', example: EXAMPLE_TOKEN }),
});

const word = (most: number, description: string) =>
  z.string().max(most).optional().meta({ description });

const LocatorWords = z.strictObject({
  heading: word(WORD_LENGTHS.heading, 'The question at the top'),
  label: word(WORD_LENGTHS.label, 'Above the field'),
  button: word(WORD_LENGTHS.button, 'On the button'),
  nobody: word(WORD_LENGTHS.nobody, 'The answer where no brand serves'),
});

const words = z
  .strictObject({ en: LocatorWords.optional(), es: LocatorWords.optional() })
  .meta({ description: 'Your own words in English and Spanish. Missing and empty ones are ours.' });
const title = z.string().min(1).max(120).meta({ description: 'For your own lists' });
const group = z
  .string()
  .max(120)
  .nullable()
  .meta({ description: 'Id or name of a group: answers for its brands' });
const brands = z
  .array(z.string().min(1).max(120))
  .min(1)
  .max(1_000)
  .nullable()
  .meta({
    description:
      'Slugs, names, or ids: answers for these brands. Without a group and brands, it answers for all brands.',
  });
const accent = z
  .string()
  .max(7)
  .nullable()
  .meta({
    description: `Accent color, such as \`#1d6f74\`, with a contrast of at least ${MIN_ACCENT_CONTRAST}:1 on white`,
  });
const candidateEmail = z
  .string()
  .max(254)
  .nullable()
  .meta({
    description:
      'Lets people ask whether an area is available, and gets the forms of those who want to buy a franchise. Null: they can’t ask.',
  });
const vertical = z
  .enum(VERTICALS.map(({ slug }) => slug))
  .nullable()
  .meta({ description: 'Slug of the vertical whose demand candidates learn as a class' });

export const NewLocatorRequest = z
  .strictObject({
    title,
    group: group.optional(),
    brands: brands.optional(),
    words: words.optional(),
    accent: accent.optional(),
    candidateEmail: candidateEmail.optional(),
    vertical: vertical.optional(),
  })
  .meta({
    id: 'NewLocatorRequest',
    examples: [
      {
        title: 'Website',
        brands: ['lone-star-roofing'],
        accent: '#1d6f74',
        words: { en: { heading: 'Find your roofer' }, es: { heading: 'Encuentre su techador' } },
      },
    ],
  });

export const LocatorChangeRequest = z
  .strictObject({
    title: title.optional(),
    group: group.optional(),
    brands: brands.optional(),
    words: words.optional(),
    accent: accent.optional(),
    candidateEmail: candidateEmail.optional(),
    vertical: vertical.optional(),
  })
  .meta({ id: 'LocatorChangeRequest', examples: [{ candidateEmail: 'growth@example.com' }] });

export const LocatorBody = z
  .object({
    token: z.uuid(),
    code: z.string().meta({ description: 'Short code, accepted instead of the token' }),
    title: z.string(),
    status: z.enum(LOCATOR_STATUSES),
    url: z.url().meta({ description: 'The page, in English and Spanish' }),
    answerUrl: z.url().meta({ description: 'Answers as JSON, for a form of your own' }),
    embedCode: z.string().meta({ description: 'HTML with the web component, for your website' }),
    iframeCode: z.string().meta({ description: 'HTML with a frame, for websites without scripts' }),
    allBrands: z.boolean(),
    group: z.string().nullable().meta({ description: 'Name of the group' }),
    brands: z
      .array(z.object({ brand: z.string().meta({ description: 'Slug' }), brandName: z.string() }))
      .meta({ description: 'The brands that it answers for now' }),
    words,
    accent: z.string().nullable(),
    candidateEmail: z.string().nullable(),
    vertical: z.string().nullable(),
    asked: z.int().meta({ description: 'Number of questions in the last 30 days' }),
    unserved: z
      .int()
      .meta({ description: 'How many of these were about ZIP codes that no brand served' }),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    changedBy: z.string(),
    changedAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'Locator',
    examples: [
      {
        token: EXAMPLE_TOKEN,
        code: '4f7k2m9x0q',
        title: 'Website',
        status: 'active',
        url: 'https://territory.example.com/find/4f7k2m9x0q',
        answerUrl: 'https://territory.example.com/locators/4f7k2m9x0q/answer',
        embedCode:
          '<script type="module" src="https://territory.example.com/locator.js"></script>\n' +
          '<territory-locator src="https://territory.example.com/locators/4f7k2m9x0q"></territory-locator>',
        iframeCode:
          '<iframe src="https://territory.example.com/find/4f7k2m9x0q?embed=1" title="Find your roofer"></iframe>',
        allBrands: false,
        group: null,
        brands: [{ brand: 'lone-star-roofing', brandName: 'Lone Star Roofing' }],
        words: { en: { heading: 'Find your roofer' } },
        accent: '#1d6f74',
        candidateEmail: null,
        vertical: null,
        asked: 412,
        unserved: 38,
        createdBy: 'Pat',
        createdAt: '2026-11-22T10:00:00.000Z',
        changedBy: 'Pat',
        changedAt: '2026-11-22T10:00:00.000Z',
        revokedAt: null,
      },
    ],
  });

export const LocatorListBody = z
  .object({ locators: z.array(LocatorBody) })
  .meta({ id: 'LocatorList', examples: [{ locators: [exampleOf(LocatorBody)] }] });

export const UnservedBody = z
  .object({
    zips: z.array(
      z.object({
        zip: ZipCode,
        place: z.string().meta({ description: 'Empty if unknown' }),
        times: z.int().meta({ description: 'Number of questions about it' }),
        lastDay: z.iso.date().meta({ description: 'Day of the last one (UTC)' }),
      }),
    ),
  })
  .meta({
    id: 'LocatorUnserved',
    examples: [{ zips: [{ zip: '75034', place: 'Frisco, TX', times: 17, lastDay: '2026-11-28' }] }],
  });

export const unservedBody = (zips: readonly UnservedZip[]): z.output<typeof UnservedBody> => ({
  zips: [...zips],
});

const NOTHING: Asked = { asked: 0, unserved: 0 };

export function locatorBody(
  locator: Locator,
  roots: Roots,
  asked: Asked = NOTHING,
): z.output<typeof LocatorBody> {
  const { id, code, title, status, allBrands, words, accent, candidateEmail, vertical } = locator;
  const links = locatorLinks(locator, roots);
  return {
    token: id,
    code,
    title,
    status,
    url: links.page,
    answerUrl: `${links.api}/answer`,
    embedCode: links.component,
    iframeCode: links.iframe,
    allBrands,
    group: locator.group?.name ?? null,
    brands: locator.brands.map(({ slug, name }) => ({ brand: slug, brandName: name })),
    words,
    accent,
    candidateEmail,
    vertical,
    ...asked,
    createdBy: actorName(locator.createdBy),
    createdAt: locator.createdAt.toISOString(),
    changedBy: actorName(locator.changedBy),
    changedAt: locator.changedAt.toISOString(),
    revokedAt: locator.revokedAt?.toISOString() ?? null,
  };
}

/** The language codes that pages and operations accept */
export const languageField = z
  .enum(LANGUAGES)
  .optional()
  .meta({
    description: 'Default: as the `Accept-Language` header says, or English',
    example: 'es',
  });
