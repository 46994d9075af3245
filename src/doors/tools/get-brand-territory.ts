import { z } from 'zod';
import { asOf } from '../../base/contract/as-of.ts';
import { NextCursor, pageFields } from '../../base/contract/paging.ts';
import { findBrand, type Brand } from '../../territories/brands/brands.ts';
import { isNamed } from '../../territories/brands/named-brands.ts';
import {
  brandZips,
  FLAGS,
  REVIEW_STATUSES,
  ZIP_STATUSES,
  type BrandZip,
} from '../../territories/brands/brand-zips.ts';
import { brand, formatZip, placeFields, state } from './support/fields.ts';
import { tool } from './tool.ts';
import { moreSuffix, nextPageLine, pluralize } from '../../base/text/words.ts';

const status = z.enum(ZIP_STATUSES);
const reviewStatus = z.enum(REVIEW_STATUSES);
const day = z.string().nullable();

export const getBrandTerritory = tool({
  name: 'service_get_brand_territory',
  title: 'Get a brand’s territory',
  summary: 'List the ZIP codes of a brand with status, flags, and latest review',
  description:
    'Default: live and pending. shared: also held by another brand of the organization. isolated: ' +
    'borders no other ZIP code of the brand. no_boundary: held, but maps can’t draw it.',
  units: 1,
  write: false,
  input: z.object({
    brand,
    status: status.optional(),
    state: state.optional(),
    flag: z.enum(FLAGS).optional(),
    reviewStatus: reviewStatus.optional().meta({ description: 'Status of the latest review' }),
    asOf: asOf.optional(),
    ...pageFields(),
  }),
  output: z.object({
    brand: z.string(),
    brandName: z.string(),
    zips: z.array(
      z.object({
        ...placeFields,
        status,
        shared: z.boolean(),
        sharedWith: z.array(z.string()),
        sharedWithNames: z.array(z.string()),
        isolated: z.boolean(),
        hasBoundary: z.boolean(),
        changedAt: z.string(),
        liveOn: day.meta({ description: 'Goes live on, by a change' }),
        endsOn: day.meta({ description: 'Leaves on, by a change' }),
        review: z.object({ status: reviewStatus, reason: z.string().nullable() }).nullable(),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: { brand: 'lone-star-roofing', flag: 'shared' },
  async handle(input, { caller: { tenant, brandScope } }) {
    const named = await findBrand(tenant, brandScope, input.brand);
    const { rows, nextCursor } = await brandZips(tenant, named, input, input);
    const zips = rows.map((row) => zipData(row));
    const which = [input.flag, input.status].filter((word) => word !== undefined).join(' ');
    const text = [
      `${pluralize(zips.length, which ? `${which} ZIP code` : 'ZIP code')} of ${named.name} (${named.slug})${input.state ? ` in ${input.state}` : ''}${moreSuffix(nextCursor)}${zips.length > 0 ? ':' : '.'}`,
      ...zips.map(line),
      ...nextPageLine(nextCursor),
    ].join('\n');
    return { data: { brand: named.slug, brandName: named.name, zips, nextCursor }, text };
  },
});

type ZipData = ReturnType<typeof zipData>;

function zipData({ changedAt, sharedWith, planned, ...row }: BrandZip) {
  return {
    ...row,
    sharedWith: knownSharers(sharedWith, 'slug'),
    sharedWithNames: knownSharers(sharedWith, 'name'),
    changedAt: changedAt.toISOString(),
    liveOn: planned?.part === 'added' ? planned.on : null,
    endsOn: planned?.part === 'removed' ? planned.on : null,
  };
}

/** Returns the sharing brands, without the names that the caller may not know. */
function knownSharers(sharers: readonly Brand[], field: 'slug' | 'name'): string[] {
  const known = sharers.filter(isNamed).map((brand) => brand[field]);
  return known.length < sharers.length ? [...known, 'outside your brand scope'] : known;
}

function line({
  status,
  sharedWithNames,
  isolated,
  hasBoundary,
  review,
  ...more
}: ZipData): string {
  const { liveOn, endsOn, ...zip } = more;
  const notes = [
    status,
    ...(liveOn === null ? [] : [`live on ${liveOn}`]),
    ...(endsOn === null ? [] : [`leaves on ${endsOn}`]),
    ...(sharedWithNames.length > 0 ? [`shared with ${sharedWithNames.join(', ')}`] : []),
    ...(isolated ? ['isolated'] : []),
    ...(hasBoundary ? [] : ['no boundary']),
    ...(review?.status === 'rejected' ? [`last rejected: ${review.reason}`] : []),
  ];
  return `- ${formatZip(zip)}: ${notes.join('; ')}`;
}
