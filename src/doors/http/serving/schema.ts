/** Requests and responses of lookups. */
import { z } from 'zod';
import { exactQuery } from '../../../base/contract/exact-query.ts';
import { exampleOf, ZipCode } from '../../../base/contract/resources.ts';
import { PLACE_COLUMNS } from '../own-data/upload-schema.ts';
import { badRequest } from '../../../errors.ts';
import {
  SERVING_STATUSES,
  type NearbyPlace,
  type Served,
  type ServingBrand,
} from '../../../territories/serving/answer.ts';
import { signedParameters } from '../../../territories/static/options.ts';
import type { Question } from '../../../territories/serving/serving.ts';
import { GRANTS } from '../../../territories/brands/terms/terms.ts';
import { explainServed } from '../../../territories/serving/words.ts';

/** Largest number of questions in a call. Files have more. */
export const MAX_QUESTIONS = 10_000;
/** Of those, addresses, which the geocoder finds one after another */
export const MAX_ADDRESSES = 500;

const zip = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .meta({ description: 'A ZIP code, such as `75201` or `75201-1234`' });
const point = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .meta({ description: 'Longitude and latitude in degrees, such as `-96.8,32.78`' });
const address = z
  .string()
  .min(1)
  .max(300)
  .optional()
  .meta({ description: 'An address, which the service’s geocoder finds, for units' });

const QUESTION = { zip, point, address } as const;
const QuestionFields = z.strictObject(QUESTION);

export const ServingQuery = exactQuery(QUESTION);

export const ServingCsvQuery = exactQuery({
  ...QUESTION,
  zip: z
    .string()
    .min(1)
    .max(5_000)
    .optional()
    .meta({ description: 'ZIP codes, separated by commas, at most 500' }),
  headings: z
    .enum(['true', 'false'])
    .default('true')
    .meta({ description: '`false` leaves out the line of headings' }),
  ...signedParameters,
});

export const RouteQuery = exactQuery(PLACE_COLUMNS);

export const ServingRequest = z
  .strictObject({
    ...QUESTION,
    questions: z
      .array(QuestionFields)
      .min(1)
      .max(MAX_QUESTIONS)
      .optional()
      .meta({
        description: `Up to ${MAX_QUESTIONS.toLocaleString('en')} questions instead of one`,
      }),
  })
  .meta({
    id: 'ServingRequest',
    examples: [{ questions: [{ zip: '75201' }, { point: '-96.8,32.78' }] }],
  });

/** @throws ServiceError 400 unless exactly one field is given, or for a point that isn't one */
export function questionOf(
  { zip, point, address }: z.output<typeof QuestionFields>,
  at = '',
): Question {
  const given = [zip, point, address].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw badRequest(`${at}Give one of zip, point, and address${given.length > 1 ? ' only' : ''}.`);
  }
  if (zip !== undefined) return { zip };
  return point === undefined ? { address: address! } : { point: pointOf(point, at) };
}

/** @throws ServiceError 400 for too many addresses; as `questionOf` */
export function questionsOf({ questions, ...one }: z.output<typeof ServingRequest>): Question[] {
  if (questions === undefined) return [questionOf(one)];
  if (Object.values(one).some((value) => value !== undefined)) {
    throw badRequest('questions: give either a list or one question, not both.');
  }
  const asked = questions.map((question, i) => questionOf(question, `questions.${i}: `));
  const addresses = asked.filter((question) => 'address' in question).length;
  if (addresses <= MAX_ADDRESSES) return asked;
  throw badRequest(
    `questions: at most ${MAX_ADDRESSES} of them can be addresses, not ${addresses}. Send the others in further calls, or as a file.`,
  );
}

const NUMBER = String.raw`\s*([-+]?\d{1,3}(?:\.\d+)?)\s*`;
const POINT = new RegExp(`^${NUMBER},${NUMBER}$`);

function pointOf(text: string, at: string) {
  const [, lng, lat] = POINT.exec(text) ?? [];
  const point = { lng: Number(lng), lat: Number(lat) };
  if (Math.abs(point.lng) <= 180 && Math.abs(point.lat) <= 90) return point;
  throw badRequest(`${at}point: must be a longitude and a latitude, such as -96.8,32.78.`);
}

const text = z.string().nullable();
const miles = z.number().nonnegative();
const Coordinates = z.object({ lng: z.number(), lat: z.number() });

const Place = Coordinates.extend({
  name: z.string(),
  kind: z.enum(['office', 'store', 'depot', 'other']),
  address: text,
  phone: text,
  url: text,
  hours: text,
  miles,
});

const Brand = z.object({
  brand: z.string().meta({ description: 'Slug' }),
  brandName: z.string(),
  publicName: z.string().meta({ description: 'The name that customers know' }),
  phone: text,
  email: text,
  url: text,
  groups: z.array(z.string()).meta({ description: 'Names of its groups' }),
});

const LiveBrandBody = Brand.extend({
  since: z.iso.datetime().meta({ description: 'When its holding went live' }),
  granted: z
    .enum(GRANTS)
    .nullable()
    .meta({ description: 'What its agreement grants; null: not stated' }),
  endsOn: z.iso.date().nullable().meta({ description: 'The last day of its term; null: no end' }),
  nearestPlace: Place.nullable().meta({
    description:
      'Of the brand, or of the whole organization if the brand has none; never a competitor',
  }),
});

const NamedZip = z.object({ zip: ZipCode, place: z.string() });

export const ServingBody = z
  .object({
    status: z
      .enum(SERVING_STATUSES)
      .meta({
        description:
          '`live`: brands serve it. Otherwise, `blocked`: another brand holds it, and a group blocks overlaps; `held`: ' +
          'another brand holds it; `reserved`: a group keeps it; `free`: nobody holds it; `unknown`: no known ZIP code ' +
          'was found',
      }),
    foundBy: z
      .enum(['zip', 'point', 'address'])
      .meta({ description: 'How the ZIP code was found' }),
    zip: ZipCode.nullable(),
    place: z.string().meta({ description: 'City and state; empty if unknown' }),
    address: text.meta({ description: 'The address as it was found' }),
    point: Coordinates.nullable().meta({
      description: 'The point in question, or the center of the ZIP code',
    }),
    around: NamedZip.nullable().meta({
      description: 'For a ZIP code without an area, such as one of PO boxes: the area that counts',
    }),
    brands: z.array(LiveBrandBody).meta({ description: 'The brands that hold it live, by slug' }),
    otherHolders: z
      .array(z.string())
      .meta({
        description:
          'Names of others that hold a `blocked` or `held` ZIP code; `another brand` if you may not know it',
      }),
    group: text.meta({ description: 'The group that blocks or reserves it' }),
    reserve: z.object({ reason: z.string(), until: z.iso.date() }).nullable(),
    planned: z
      .array(
        z.object({
          brand: z.string().meta({ description: 'Slug' }),
          brandName: z.string(),
          liveOn: z.iso.date().nullable().meta({ description: 'The day from which it serves it' }),
          endsOn: z.iso
            .date()
            .nullable()
            .meta({ description: 'The day from which it no longer does' }),
        }),
      )
      .meta({
        description: 'Approved changes of brands on days to come, the earliest first; usually none',
      }),
    nearest: NamedZip.extend({ brand: Brand, miles })
      .nullable()
      .meta({ description: 'If no brand serves it: the one with the nearest live ZIP code' }),
    reason: z
      .string()
      .meta({
        description:
          'Why no brand serves it, or what is special about the answer, as sentences; empty if nothing is',
      }),
  })
  .meta({
    id: 'Serving',
    examples: [
      {
        status: 'live',
        foundBy: 'point',
        zip: '75201',
        place: 'Dallas, TX',
        address: null,
        point: { lng: -96.8, lat: 32.78 },
        around: null,
        brands: [
          {
            brand: 'lone-star-roofing',
            brandName: 'Lone Star Roofing',
            publicName: 'Lone Star Roofing of Dallas',
            phone: '214-555-0100',
            email: 'dallas@example.com',
            url: 'https://example.com/dallas',
            groups: ['Franchisees'],
            since: '2026-08-21T14:00:00.000Z',
            granted: 'exclusive' as const,
            endsOn: null,
            nearestPlace: {
              name: 'Dallas office',
              kind: 'office',
              address: '1500 Marilla Street, Dallas, TX',
              phone: null,
              url: null,
              hours: 'Mon–Fri 8–17',
              lng: -96.797,
              lat: 32.776,
              miles: 0.33,
            },
          },
        ],
        otherHolders: [],
        group: null,
        reserve: null,
        planned: [
          {
            brand: 'lone-star-roofing',
            brandName: 'Lone Star Roofing',
            liveOn: null,
            endsOn: '2027-01-01',
          },
        ],
        nearest: null,
        reason: '',
      },
    ],
  });

export const ServingListBody = z
  .object({ answers: z.array(ServingBody).meta({ description: 'In the order of the questions' }) })
  .meta({ id: 'ServingList', examples: [{ answers: [exampleOf(ServingBody)] }] });

/** More digits would suggest that places are known to the inch. */
const rounded = (distance: number) => Math.round(100 * distance) / 100;

const brandBody = ({ slug, name, publicName, phone, email, url, groups }: ServingBrand) => ({
  brand: slug,
  brandName: name,
  publicName,
  phone,
  email,
  url,
  groups,
});

const placeBody = (place: NearbyPlace) => ({ ...place, miles: rounded(place.miles) });

export const servingBody = (served: Served): z.output<typeof ServingBody> => {
  const { brands, nearest, planned, note: _, ...others } = served;
  return {
    ...others,
    brands: brands.map((brand) => ({
      ...brandBody(brand),
      since: brand.since.toISOString(),
      granted: brand.granted,
      endsOn: brand.endsOn,
      nearestPlace: brand.nearestPlace && placeBody(brand.nearestPlace),
    })),
    planned: planned.map(({ brand, part, on }) => ({
      brand: brand.slug,
      brandName: brand.name,
      liveOn: part === 'added' ? on : null,
      endsOn: part === 'removed' ? on : null,
    })),
    nearest: nearest && {
      ...nearest,
      brand: brandBody(nearest.brand),
      miles: rounded(nearest.miles),
    },
    reason: explainServed(served),
  };
};
