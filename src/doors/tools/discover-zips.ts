import { z } from 'zod';
import { badRequest } from '../../errors.ts';
import { NextCursor, pageFields } from '../../base/contract/paging.ts';
import { MAX_MINUTES, MIN_MINUTES } from '../../data/routing/drive-times.ts';
import { findState } from '../../base/geodata/states.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import {
  discover,
  MAX_RADIUS_MILES,
  MIN_RADIUS_MILES,
  type Candidate,
  type Source,
} from '../../territories/brands/discover.ts';
import { metroBySlug } from '../../data/market/metros.ts';
import {
  brand,
  dataSet,
  figure,
  formatZip,
  holderFields,
  metro,
  minScore,
  placeFields,
  state,
  vertical,
  zip,
} from './support/fields.ts';
import { tool } from './tool.ts';
import { moreSuffix, nextPageLine, pluralize } from '../../base/text/words.ts';

export const discoverZips = tool({
  name: 'service_discover_zips',
  title: 'Discover ZIP codes',
  summary: 'Find ZIP codes to expand into, by radius, drive time, or city, best scores first',
  description:
    'Measures from nearZip, nearPoint, or city if given, else from the brand’s border. Omits ZIP ' +
    'codes that the brand holds, and those outside state and metro if given. A city without ' +
    'radiusMiles returns that city’s ZIP codes.',
  units: 1,
  write: false,
  input: z.object({
    vertical,
    brand: brand.optional(),
    nearZip: zip.optional(),
    nearPoint: z
      .strictObject({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
      .optional(),
    city: z.string().max(80).optional().describe('E.g. Plano, TX'),
    state: state.optional(),
    metro: metro.optional(),
    from: z.enum(['border', 'centroid']).optional().describe('Part of the brand; default border'),
    radiusMiles: z.number().min(MIN_RADIUS_MILES).max(MAX_RADIUS_MILES).optional(),
    minutes: z
      .number()
      .min(MIN_MINUTES)
      .max(MAX_MINUTES)
      .optional()
      .describe('Drive time. For a brand: from its middle in each metro'),
    minScore: minScore.optional(),
    compareWith: dataSet
      .optional()
      .describe('Own data set: omits ZIP codes at or above its metro’s median rate'),
    ...pageFields(),
  }),
  output: z.object({
    zips: z.array(
      z.object({
        ...placeFields,
        score: z.int(),
        households: z.number().nullable(),
        distanceMiles: z.number(),
        adjacent: z.boolean().describe('Borders the brand’s territory'),
        heldBy: z.array(z.string()).describe('Other brands'),
        heldByNames: z.array(z.string()),
        own: z.string().nullable().describe('Of compareWith'),
        milesToPlace: figure.describe('From the brand’s nearest place; null: none'),
        milesToCompetitor: figure,
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: { vertical: 'roofing', brand: 'lone-star-roofing', radiusMiles: 10, limit: 10 },
  async handle(input, { caller, driveTimes: times }) {
    const { tenant, brandScope } = caller;
    const named =
      input.brand === undefined ? null : await findBrand(tenant, brandScope, input.brand);
    const source = sourceOf(input);
    const radiusMiles = radiusOf(input, source);
    const { rows, nextCursor } = await discover(
      caller,
      brandScope,
      {
        vertical: input.vertical,
        brand: named,
        source,
        radiusMiles,
        drive: input.minutes === undefined ? undefined : { minutes: input.minutes, times },
        state: input.state,
        metro: input.metro,
        minScore: input.minScore,
        compareWith: input.compareWith,
      },
      input,
    );
    const heading = `${pluralize(rows.length, 'ZIP code')} ${whereText(source, radiusMiles, input.minutes)}${areaText(input)}`;
    const lines = [
      `${heading}, best first for ${input.vertical}${named ? `, not held by ${named.name}` : ''}${moreSuffix(nextCursor)}:`,
      ...rows.map(line),
      ...nextPageLine(nextCursor),
      rows.length === 0
        ? 'No matches. Widen the radius, drive, or area, or lower minScore.'
        : 'Next: request ZIP codes with service_apply_territory.',
    ];
    const zips = rows.map((row) => ({ ...row, ...holderFields(row.heldBy) }));
    return { data: { zips, nextCursor }, text: lines.join('\n') };
  },
});

interface SourceInput {
  brand?: string | undefined;
  nearZip?: string | undefined;
  nearPoint?: { lat: number; lng: number } | undefined;
  city?: string | undefined;
  from?: 'border' | 'centroid' | undefined;
  state?: string | undefined;
  minutes?: number | undefined;
}

/** Returns the radius. A drive, a state, or a metro can limit the search instead. */
const radiusOf = ({ radiusMiles, minutes, state, metro }: Limits, source: Source): number | null =>
  radiusMiles ??
  ('city' in source || minutes !== undefined || (state === undefined && metro === undefined)
    ? null
    : MAX_RADIUS_MILES);

interface Limits extends Area {
  radiusMiles?: number | undefined;
  minutes?: number | undefined;
}

interface Area {
  state?: string | undefined;
  metro?: string | undefined;
}

function areaText({ state, metro }: Area): string {
  const names = [
    ...(metro === undefined ? [] : [`the ${metroBySlug(metro).label} metro`]),
    ...(state === undefined ? [] : [findState(state)!.name]),
  ];
  return names.length === 0 ? '' : `, in ${names.join(' and ')} only`;
}

function sourceOf(input: SourceInput): Source {
  const { brand, nearZip, nearPoint, city, state, from, minutes } = input;
  const places = [nearZip, nearPoint, city, from].filter((place) => place !== undefined);
  if (places.length > 1) {
    throw badRequest('Give only one of nearZip, nearPoint, city, and from.');
  }
  if (nearZip !== undefined) return { zip: nearZip };
  if (nearPoint !== undefined) return nearPoint;
  if (city !== undefined) {
    const named = city.includes(',') || state === undefined ? city : `${city}, ${state}`;
    const [, name, within] = /^\s*([^,\p{C}]+?)\s*,\s*([a-z][a-z .]*?)\s*$/iu.exec(named) ?? [];
    const usps = findState(within ?? '')?.usps;
    if (!name || !usps)
      throw badRequest(`"${city}" is not a city with a state. Write it like Plano, TX.`);
    return { city: name, state: usps };
  }
  if (brand === undefined) {
    throw badRequest(
      'Give one of nearZip, nearPoint, city, and brand. service_score_territory ranks a whole metro, ' +
        'service_query_targeting a state.',
    );
  }
  return { brand: from ?? (minutes === undefined ? 'border' : 'areas') };
}

function whereText(
  source: Source,
  radiusMiles: number | null,
  minutes: number | undefined,
): string {
  const limits = [
    ...(radiusMiles === null ? [] : [pluralize(radiusMiles, 'mile')]),
    ...(minutes === undefined ? [] : [`a ${minutes}-minute drive`]),
  ];
  const around = limits.length === 0 ? 'of' : `within ${limits.join(' and ')} of`;
  if ('zip' in source) return `${around} ${source.zip}`;
  if ('lat' in source) return `${around} ${source.lat}, ${source.lng}`;
  if ('city' in source) return `${around} ${source.city}, ${source.state}`;
  const parts = { border: 'border', centroid: 'middle', areas: 'middle in each metro' };
  return `${around} the brand’s ${parts[source.brand]}`;
}

function line({
  score,
  distanceMiles,
  adjacent,
  heldBy,
  own,
  milesToPlace,
  milesToCompetitor,
  ...zip
}: Candidate): string {
  const notes = [
    `${distanceMiles} miles`,
    ...(adjacent ? ['borders the territory'] : []),
    ...(heldBy.length > 0 ? [`held by ${heldBy.map(({ name }) => name).join(', ')}`] : []),
    ...(own === null ? [] : [own]),
    ...(milesToPlace === null ? [] : [`${milesToPlace} miles to your place`]),
    ...(milesToCompetitor === null ? [] : [`${milesToCompetitor} to a competitor`]),
  ];
  return `- ${formatZip(zip)}: ${score} (${notes.join('; ')})`;
}
