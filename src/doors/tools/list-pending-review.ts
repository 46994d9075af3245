import { z } from 'zod';
import { actorName } from '../../people/account/caller.ts';
import { NextCursor, pageFields } from '../../base/contract/paging.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { REVIEW_STATUSES } from '../../territories/brands/brand-zips.ts';
import { blockedReasons } from '../../territories/brands/review-queue.ts';
import {
  countPendingReviews,
  listReviews,
  type Review,
} from '../../territories/brands/review-list.ts';
import { brand, formatZip, placeFields } from './support/fields.ts';
import { tool } from './tool.ts';
import {
  formatCount,
  moreSuffix,
  nextPageLine,
  pluralize,
  truncate,
} from '../../base/text/words.ts';

const status = z.enum(REVIEW_STATUSES);

export const listPendingReview = tool({
  name: 'service_list_pending_review',
  title: 'List the review queue',
  summary: 'List ZIP codes pending review, oldest first',
  description:
    'Only people decide reviews. Use status rejected to get reasons, and batchId from ' +
    'service_apply_territory.',
  units: 1,
  write: false,
  input: z.object({
    brand: brand.optional(),
    batchId: z.uuid().optional(),
    status: status.default('pending'),
    ...pageFields(),
  }),
  output: z.object({
    reviews: z.array(
      z.object({
        id: z.string(),
        batchId: z.string(),
        brand: z.string(),
        brandName: z.string(),
        ...placeFields,
        status,
        note: z.string().nullable(),
        requestedBy: z.string(),
        requestedAt: z.string(),
        decidedBy: z.string().nullable(),
        decidedAt: z.string().nullable(),
        reason: z.string().nullable(),
      }),
    ),
    totalPending: z.int().meta({ description: 'For all brands in scope' }),
    nextCursor: NextCursor,
  }),
  example: { brand: 'desert-air-hvac' },
  async handle({ status, batchId, ...input }, { caller: { tenant, brandScope } }) {
    const named =
      input.brand === undefined ? null : await findBrand(tenant, brandScope, input.brand);
    const filter = { status, batchId, brandId: named?.id };
    const { rows: listed, nextCursor } = await listReviews(tenant, brandScope, filter, input);
    const blocked = await blockedReasons(tenant, status === 'pending' ? listed : []);
    const rows = listed.map((review) => withBlocked(review, blocked.get(review.id)));
    const totalPending = await countPendingReviews(tenant, brandScope);
    const text = [
      `${pluralize(rows.length, `${status} review`)}${named ? ` of ${named.name}` : ''}${moreSuffix(nextCursor)}; ` +
        `${formatCount(totalPending)} pending in total.`,
      ...rows.map(line),
      ...nextPageLine(nextCursor),
      ...(rows.length > 0 && status === 'pending'
        ? ['An owner, admin, or reviewer decides. Until then, the ZIP codes are not live.']
        : []),
    ].join('\n');
    return { data: { reviews: rows.map(reviewData), totalPending, nextCursor }, text };
  },
});

/** A pending review that a rule of a group blocks has that as its reason. */
const withBlocked = (review: Review, blocked: string | undefined): Review =>
  blocked === undefined ? review : { ...review, reason: `Can’t be approved now: ${blocked}.` };

const reviewData = ({ brand, requestedBy, requestedAt, decidedBy, decidedAt, ...row }: Review) => ({
  ...row,
  brand: brand.slug,
  brandName: brand.name,
  requestedBy: actorName(requestedBy),
  requestedAt: requestedAt.toISOString(),
  decidedBy: decidedBy?.name ?? null,
  decidedAt: decidedAt?.toISOString() ?? null,
});

/** The names of a group and a brand fit. */
const MAX_REASON = 200;

function line({ brand, requestedBy, requestedAt, ...review }: Review): string {
  const request = `requested by ${actorName(requestedBy)} on ${requestedAt.toISOString().slice(0, 10)}`;
  const note = review.note ? `, note: ${truncate(review.note)}` : '';
  const decided = review.decidedBy ? `; ${review.status} by ${review.decidedBy.name}` : '';
  const reason = review.reason ? `: ${truncate(review.reason, MAX_REASON)}` : '';
  return `- ${formatZip(review)} for ${brand.name}, ${request}${note}${decided}${reason}`;
}
