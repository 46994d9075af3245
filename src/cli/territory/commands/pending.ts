/** `territory pending`: the review queue. */
import { Option } from 'commander';
import { z } from 'zod';
import { count } from '../../figures.ts';
import { entries } from '../../table.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { brandOption } from '../options.ts';
import { moreText, pagedCall, pageOptions } from '../paged-call.ts';
import { placeText } from '../place-text.ts';

const Review = z.object({
  brand: z.string(),
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  status: z.string(),
  note: z.string().nullable(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
});

const Reviews = z.object({
  reviews: z.array(Review),
  totalPending: z.number(),
  nextCursor: z.string().nullable(),
});

const text = reading(Reviews, ({ reviews, totalPending, nextCursor }, paper) =>
  paragraphs(
    paper.paint('bold', 'Reviews') +
      paper.paint('dim', `  (${count(totalPending)} pending in all)`),
    entries(
      paper,
      'ZIPs',
      reviews.map((review) => ({
        mark: review.zip,
        name: `${placeText(review)}  for ${review.brand}`,
        note: noteOf(review),
      })),
    ) || '  There is none of that kind.',
    moreText(nextCursor, paper),
  ),
);

function noteOf(review: z.output<typeof Review>): string {
  const { status, note, requestedBy, requestedAt, decidedBy, reason } = review;
  const asked = `asked by ${requestedBy} on ${requestedAt.slice(0, 10)}${note ? `: ${note}` : ''}`;
  if (decidedBy === null) return asked;
  return `${asked}; ${status} by ${decidedBy}${reason ? `: ${reason}` : ''}`;
}

export const pending: Command = {
  usage: 'pending',
  summary: 'ZIPs that wait for a person’s review',
  options: [
    brandOption(),
    new Option('--batch <id>', 'those of one application'),
    new Option('--status <status>', 'approved, rejected or withdrawn in place of pending'),
    ...pageOptions(),
  ],
  examples: ['pending', 'pending --brand desert-air-hvac', 'pending --status rejected --json'],
  call: (_operands, { brand, batch, status, ...paging }) =>
    pagedCall(
      'service_list_pending_review',
      { brand, batchId: batch, status },
      paging,
      'reviews',
      text,
    ),
};
