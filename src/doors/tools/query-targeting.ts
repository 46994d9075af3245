import { z } from 'zod';
import { badRequest } from '../../errors.ts';
import { resolveMarket } from '../../data/market/market.ts';
import { NextCursor, pageFields } from '../../base/contract/paging.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { FIGURE_TEXTS } from '../../data/ingest/figure-texts.ts';
import { isDataField, type DataValues } from '../../territories/own-data/data-fields.ts';
import {
  DISTANCE_FIELDS,
  DISTANCE_LABELS,
  isDistanceField,
} from '../../territories/own-data/place-distances.ts';
import {
  FILTER_FIELDS,
  type FilterField,
} from '../../territories/brands/targeting/demographic-filters.ts';
import { LOCAL_MILES } from '../../territories/own-data/white-space.ts';
import { heldZipStatuses } from '../../territories/brands/brand-zips.ts';
import { zipsNear } from '../../territories/brands/zips-in-radius.ts';
import {
  queryTargeting,
  type TargetedZip,
  type TargetingField,
} from '../../territories/brands/targeting/targeting.ts';
import {
  brand,
  dataField,
  figure,
  formatZip,
  metro,
  minScore,
  rankedZip,
  state,
  vertical,
  zips,
} from './support/fields.ts';
import { tool, type ToolContext } from './tool.ts';
import { formatCount, nextPageLine, pluralize } from '../../base/text/words.ts';

const range = z
  .strictObject({ min: z.number().optional(), max: z.number().optional() })
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
    error: 'must have min at most max',
  });

const NAMED_FIELDS = [...FILTER_FIELDS, ...DISTANCE_FIELDS] as const;

/** The name of a figure. `filters` lists the names, and a second list would cost every client its tokens. */
const filterField = z
  .string()
  .refine((name) => isDataField(name) || NAMED_FIELDS.some((field) => field === name), {
    error: `must be one of ${NAMED_FIELDS.join(', ')}, data:<data set>, or rate:<data set>`,
  })
  .transform((name) => name as TargetingField);

export const queryTargetingTool = tool({
  name: 'service_query_targeting',
  title: 'Query targeting',
  summary: 'Rank ZIP codes by the organization’s own weights, with demographic filters',
  description:
    'Use for demographic filters or own weights (default: public weights). Give one of metro, state, ' +
    'brand, and zips. Returns the filtered figures. Percentages are 0 to 100; money is in dollars. ' +
    'data:SLUG is an amount of an own data set, rate:SLUG per 1,000 owner households.',
  units: 1,
  write: false,
  input: z.object({
    vertical,
    metro: metro.optional(),
    state: state.optional(),
    brand: brand.optional(),
    aroundMiles: z
      .number()
      .positive()
      .max(100)
      .optional()
      .describe('With brand: also ZIP codes up to this far from its territory'),
    zips: zips.optional(),
    filters: z
      .partialRecord(z.union([z.enum(NAMED_FIELDS), dataField]), range)
      .optional()
      .describe('E.g. {"ownerOccupiedPct": {"min": 60}}'),
    minScore: minScore.optional(),
    fields: z
      .array(filterField)
      .max(NAMED_FIELDS.length)
      .optional()
      .describe('Other figures to return, named as in filters'),
    ...pageFields(),
  }),
  output: z.object({
    ownWeights: z.boolean(),
    zips: z.array(
      rankedZip.extend({
        publicScore: figure,
        figures: z.record(z.string(), figure).describe('Those of filters and fields'),
      }),
    ),
    total: z.int().describe('ZIP codes on all pages'),
    filteredOut: z.int(),
    withoutScore: z.int(),
    nextCursor: NextCursor,
    localData: z
      .array(z.string())
      .describe(
        'Data sets without amounts within 25 miles of most of these ZIP codes: there, a rate of 0 isn’t white space',
      ),
    vintage: z.string(),
  }),
  example: {
    vertical: 'roofing',
    metro: 'dallas-tx',
    filters: { ownerOccupiedPct: { min: 60 }, medianHomeValue: { min: 250_000, max: 800_000 } },
    limit: 10,
  },
  async handle(input, context) {
    const { db, caller } = context;
    const area = await areaOf(input, context);
    const query = { ...input, zips: area.zips };
    const { rows, data, ...found } = await queryTargeting(db, caller, query, input);
    const { total, filteredOut, withoutScore, nextCursor, ownWeights, localData, vintage } = found;
    const weights = ownWeights ? `${caller.organization.name}’s own weights` : 'the public weights';
    const text = [
      `${pluralize(total, 'ZIP code')} of ${area.name} for ${input.vertical} by ${weights}, best first ` +
        `(${formatCount(filteredOut)} filtered out, ${formatCount(withoutScore)} without a score):`,
      ...rows.map(
        ({ rank, score, publicScore, figures, ...zip }) =>
          `${rank}. ${formatZip(zip)}: ${score}` +
          (ownWeights ? ` (public ${publicScore ?? 'none'})` : '') +
          figuresText(figures, data),
      ),
      ...nextPageLine(nextCursor),
      ...localData.map(
        (name) =>
          `${name} is local: it has no amounts within ${LOCAL_MILES} miles of most of these ZIP codes. A rate of 0 there isn’t white space.`,
      ),
      total === 0
        ? 'No matches. Widen the filters or lower minScore.'
        : 'Next: request ZIP codes with service_apply_territory.',
      `Source: ${vintage}.`,
    ].join('\n');
    return { data: { zips: rows, ...found }, text };
  },
});

const figuresText = (figures: TargetedZip['figures'], data: readonly DataValues[]) =>
  Object.entries(figures)
    .map(([field, value]) => {
      const own = data.find((values) => values.field === field);
      // The text of a rate says what it is of, so the name is enough.
      if (own) return `; ${own.set.name} ${own.format(value)}`;
      if (isDistanceField(field)) {
        return `; ${value === null ? 'unknown' : value.toFixed(1)} ${DISTANCE_LABELS[field]}`;
      }
      const { label, format } = FIGURE_TEXTS[field as FilterField];
      return `; ${label} ${format(value)}`;
    })
    .join('');

interface Area {
  metro?: string | undefined;
  state?: string | undefined;
  brand?: string | undefined;
  aroundMiles?: number | undefined;
  zips?: readonly string[] | undefined;
}

async function areaOf(
  { metro, state, brand, aroundMiles, zips }: Area,
  { db, caller }: ToolContext,
): Promise<{ name: string; zips: readonly string[] }> {
  if ([metro, state, brand, zips].filter((value) => value !== undefined).length !== 1) {
    throw badRequest('Give exactly one of metro, state, brand, and zips.');
  }
  if (brand !== undefined) {
    const found = await findBrand(caller.tenant, caller.brandScope, brand);
    const held = [...(await heldZipStatuses(caller.tenant, found)).keys()];
    if (aroundMiles === undefined) return { name: found.name, zips: held };
    const near = await zipsNear(caller.tenant.common, held, aroundMiles, null);
    return {
      name: `${found.name} and up to ${pluralize(aroundMiles, 'mile')} around`,
      zips: [...new Set([...held, ...near])].sort(),
    };
  }
  if (aroundMiles !== undefined) throw badRequest('aroundMiles: give a brand, too.');
  const market =
    metro !== undefined ? { metro } : state !== undefined ? { state } : { zips: zips! };
  const { name, zips: found } = await resolveMarket(db, market);
  return { name: name ?? pluralize(found.length, 'ZIP code'), zips: found };
}
