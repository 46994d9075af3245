/** The public operations of locators: the web component's, and those for forms of one's own. */
import { z } from 'zod';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { ZipCode } from '../../../base/contract/resources.ts';
import { badRequest } from '../../../errors.ts';
import {
  askAvailability,
  askLocator,
  type LocatorAnswer,
  type LocatorParts,
} from '../../../territories/serving/ask-locator.ts';
import {
  candidateProblems,
  MAX_MESSAGE_LENGTH,
  sendCandidate,
} from '../../../territories/serving/locator-mail.ts';
import {
  AVAILABILITIES,
  DEMANDS,
  SENTENCES,
} from '../../../territories/serving/locator-sentences.ts';
import { LANGUAGES, languageOf, wordsIn } from '../../../territories/serving/locator-words.ts';
import { NO_SUCH_LOCATOR, openLocator } from '../../../territories/serving/locators.ts';
import { EXAMPLE_TOKEN } from '../../../territories/share/token.ts';
import { SHARED } from '../shared/answers.ts';
import { languageField } from './schema.ts';

const LOCATOR = {
  auth: 'none',
  tag: 'Locators',
  limit: SHARED.limit,
  params: z.object({
    token: z
      .string()
      .meta({ description: 'Token (a UUID) or short code of a locator', example: EXAMPLE_TOKEN }),
  }),
  errors: [404, 503],
  errorExamples: { 404: NO_SUCH_LOCATOR },
} as const;

/** Each answer depends on the visitor. A revoked locator closes at once. */
const HEADERS = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex', Vary: 'Accept-Language' };

const LocatorWords = z
  .object({
    language: z.enum(LANGUAGES),
    heading: z.string(),
    label: z.string(),
    button: z.string(),
    accent: z.string().nullable(),
    geocodes: z.boolean().meta({ description: 'Whether visitors may also enter an address' }),
    candidates: z.boolean().meta({ description: 'Whether people may ask if an area is available' }),
    labels: z
      .object({
        call: z.string(),
        website: z.string(),
        directions: z.string(),
        nearest: z.string(),
        hours: z.string(),
        answer: z.string(),
        malformed: z.string(),
        tooMany: z.string(),
        failed: z.string(),
      })
      .meta({ description: 'Words of the form in this language' }),
  })
  .meta({ id: 'LocatorWords', description: 'What the form of a locator shows' });

const labelsOf = (language: keyof typeof SENTENCES, geocodes: boolean) => {
  const { call, website, directions, nearest, hours, answer, malformed, tooMany, failed } =
    SENTENCES[language];
  const words = { call, website, directions, nearest, hours, answer, tooMany, failed };
  return { ...words, malformed: malformed(geocodes) };
};

const text = z.string().nullable();

const LocatorAnswerBody = z
  .object({
    status: z
      .enum(['served', 'unserved', 'unknown'])
      .meta({ description: '`unknown`: there is no such ZIP code, or the address wasn’t found' }),
    language: z.enum(LANGUAGES),
    zip: text,
    where: z.string().meta({ description: 'The ZIP code with its city, or the address' }),
    message: z.string().meta({ description: 'The answer as a sentence, for the visitor' }),
    brands: z.array(
      z.object({
        name: z.string(),
        phone: text,
        phoneUrl: text.meta({ description: '`tel:` link' }),
        url: text,
        nearestPlace: z
          .object({
            name: z.string(),
            address: text,
            phone: text,
            phoneUrl: text,
            url: text,
            hours: text,
            lng: z.number(),
            lat: z.number(),
            distance: z.string().meta({ description: 'In words' }),
            directionsUrl: z.url(),
          })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'LocatorAnswer', description: 'Who serves a ZIP code or an address' });

const ANSWER_EXAMPLE: z.output<typeof LocatorAnswerBody> = {
  status: 'served',
  language: 'en',
  zip: '75201',
  where: '75201 (Dallas, TX)',
  message: 'Lone Star Roofing serves 75201 (Dallas, TX).',
  brands: [
    {
      name: 'Lone Star Roofing',
      phone: '(214) 555-0100',
      phoneUrl: 'tel:2145550100',
      url: 'https://example.com/dallas',
      nearestPlace: {
        name: 'Dallas office',
        address: '1500 Marilla St, Dallas, TX 75201',
        phone: null,
        phoneUrl: null,
        url: null,
        hours: 'Mon–Fri 8–5',
        lng: -96.797,
        lat: 32.776,
        distance: 'About a mile away',
        directionsUrl: 'https://www.google.com/maps/dir/?api=1&destination=32.776,-96.797',
      },
    },
  ],
};

/** Opens the app for directions on phones, and a map elsewhere */
export const directionsUrl = ({ lng, lat }: { lng: number; lat: number }) =>
  `https://www.google.com/maps/dir/?api=1&destination=${lat},${lng}`;

/** Letters on the keys of phones (ITU-T E.161) */
const KEYS = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'];

/** Returns a link that calls a number as people write it, such as `1-800-555-ROOF` or `(214) 555-0100 x12`. */
export function phoneUrl(phone: string | null): string | null {
  if (phone === null) return null;
  const [, number, extension] = /^(.*?)\s*(?:(?:ext|x|#)\.?\s*(\d+))?$/i.exec(phone.trim())!;
  const digits = number!
    .toLowerCase()
    .replaceAll(/[a-z]/g, (letter) => String(2 + KEYS.findIndex((key) => key.includes(letter))))
    .replaceAll(/[^\d+]/g, '');
  return `tel:${digits}${extension === undefined ? '' : `;ext=${extension}`}`;
}

/** Keeps only declared fields, so that what the lookup learns doesn't become public by accident. */
const answerBody = (
  { brands, ...answer }: LocatorAnswer,
  language: keyof typeof SENTENCES,
): z.output<typeof LocatorAnswerBody> =>
  LocatorAnswerBody.parse({
    ...answer,
    language,
    brands: brands.map(({ nearestPlace, ...brand }) => ({
      ...brand,
      phoneUrl: phoneUrl(brand.phone),
      nearestPlace: nearestPlace && {
        ...nearestPlace,
        phoneUrl: phoneUrl(nearestPlace.phone),
        distance: SENTENCES[language].away(nearestPlace.miles),
        directionsUrl: directionsUrl(nearestPlace),
      },
    })),
  });

const Availability = z
  .object({
    availability: z.enum(AVAILABILITIES),
    demand: z
      .enum(DEMANDS)
      .nullable()
      .meta({ description: 'Expected demand of an available area; null if unknown' }),
    language: z.enum(LANGUAGES),
    zip: text,
    where: z.string(),
    message: z.string(),
  })
  .meta({
    id: 'LocatorAvailability',
    examples: [
      {
        availability: 'available',
        demand: 'high',
        language: 'en',
        zip: '75034',
        where: '75034 (Frisco, TX)',
        message: '75034 (Frisco, TX) is available.',
      },
    ],
  });

const CandidateRequest = z
  .strictObject({
    name: z.string().min(1).max(120),
    email: z.string().min(3).max(254),
    phone: z.string().max(40).default(''),
    message: z.string().max(MAX_MESSAGE_LENGTH).default(''),
    zip: ZipCode.optional().meta({ description: 'The area that the person asked about' }),
  })
  .meta({
    id: 'LocatorCandidate',
    examples: [{ name: 'Pat Lee', email: 'pat@example.com', zip: '75034' }],
  });

const CandidateSent = z
  .object({ sent: z.literal(true) })
  .meta({ id: 'LocatorCandidateSent', examples: [{ sent: true }] });

const zipField = ZipCode.meta({ description: 'ZIP code', example: '75201' });

export const publicLocatorOperations = (parts: LocatorParts): Operation[] => [
  operation({
    ...LOCATOR,
    id: 'getLocator',
    method: 'get',
    path: '/locators/{token}',
    summary: 'Get the words of a locator',
    description: 'Returns what a form of the locator shows, in the visitor’s language.',
    query: z.object({ lang: languageField }),
    answers: {
      200: {
        description: 'The words',
        schema: LocatorWords,
        example: {
          language: 'en',
          heading: 'Who serves your area?',
          label: 'ZIP code',
          button: 'Find',
          accent: '#1d6f74',
          geocodes: false,
          candidates: false,
          labels: labelsOf('en', false),
        },
      },
    },
    handle: async ({ params: { token }, query: { lang }, headers }) => {
      const { locator } = await openLocator(parts.db, token);
      const language = languageOf(lang, headers['accept-language']);
      const geocodes = parts.geocoder !== undefined;
      const { heading, label, button } = wordsIn(locator.words, language, geocodes);
      const body = {
        language,
        heading,
        label,
        button,
        accent: locator.accent,
        geocodes,
        candidates: locator.candidateEmail !== null,
        labels: labelsOf(language, geocodes),
      };
      return { status: 200, headers: HEADERS, body };
    },
  }),
  operation({
    ...LOCATOR,
    id: 'askLocator',
    method: 'get',
    path: '/locators/{token}/answer',
    summary: 'Ask a locator who serves a place',
    description:
      'Returns the brands of the locator that serve a ZIP code or an address, for a form of your own. Pages of any ' +
      'website may read it. The answer never lists ZIP codes. A visitor may ask about 10 different places an hour and ' +
      '30 a day; asking the same again is free. Addresses need a geocoder.',
    query: z.object({
      zip: zipField.optional(),
      address: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .meta({ description: 'Street address with its city' }),
      lang: languageField,
    }),
    answers: {
      200: { description: 'The answer', schema: LocatorAnswerBody, example: ANSWER_EXAMPLE },
    },
    errors: [400, 404, 503],
    handle: async ({ params: { token }, query: { zip, address, lang }, headers, client }) => {
      const open = await openLocator(parts.db, token);
      if ((zip === undefined) === (address === undefined)) {
        throw badRequest('Give either zip or address.');
      }
      const language = languageOf(lang, headers['accept-language']);
      const question = zip === undefined ? { address: address!.trim().toLowerCase() } : { zip };
      const answer = await askLocator(parts, open, question, language, client);
      return { status: 200, headers: HEADERS, body: answerBody(answer, language) };
    },
  }),
  operation({
    ...LOCATOR,
    id: 'getLocatorAvailability',
    method: 'get',
    path: '/locators/{token}/availability',
    summary: 'Ask whether an area is available',
    description:
      'For people who want to buy a franchise, if the locator lets them ask: whether an area is taken, reserved, or ' +
      'available, and the demand as a class. It counts like a question to the locator.',
    query: z.object({ zip: zipField, lang: languageField }),
    answers: { 200: { description: 'The answer', schema: Availability } },
    handle: async ({ params: { token }, query: { zip, lang }, headers, client }) => {
      const open = await openLocator(parts.db, token);
      const language = languageOf(lang, headers['accept-language']);
      const answer = await askAvailability(parts, open, zip, language, client);
      return { status: 200, headers: HEADERS, body: { ...answer, language } };
    },
  }),
  operation({
    ...LOCATOR,
    id: 'sendLocatorCandidate',
    method: 'post',
    path: '/locators/{token}/candidates',
    summary: 'Write to an organization about a franchise',
    description:
      'Sends the form to the organization by email, if the locator lets people ask. It isn’t stored. A visitor may ' +
      'send three forms an hour.',
    body: CandidateRequest,
    bodyExamples: {
      candidate: {
        summary: 'A candidate',
        value: { name: 'Pat Lee', email: 'pat@example.com', zip: '75034' },
      },
    },
    answers: { 200: { description: 'The message is on its way', schema: CandidateSent } },
    handle: async ({ params: { token }, body, client }) => {
      const open = await openLocator(parts.db, token);
      const form = {
        name: body.name.trim(),
        email: body.email.trim(),
        phone: body.phone.trim(),
        message: body.message.trim(),
        zip: body.zip ?? '',
      };
      const [problem] = Object.entries(candidateProblems(form, 'en'));
      if (problem) throw badRequest(problem.join(': '));
      await sendCandidate(parts, open, form, client);
      return { status: 200, headers: HEADERS, body: { sent: true as const } };
    },
  }),
];
