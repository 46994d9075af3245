import { Option } from 'commander';
import type { AnswerOf } from '../../../agent/tool.ts';
import type { listPendingReview } from '../../../agent/tools/list-pending-review.ts';
import { formatCount } from '../../../text/words.ts';
import { formatEntries } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatPlace } from '../format-place.ts';
import { brandOption } from '../options.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';

type Reviews = AnswerOf<typeof listPendingReview>;

const format = formatter(
  async () =>
    (await import('../../../agent/tools/list-pending-review.ts')).listPendingReview.output,
  ({ reviews, totalPending, nextCursor }, layout) =>
    paragraphs(
      layout.paint('bold', 'Reviews') +
        layout.paint('dim', `  (${formatCount(totalPending)} pending in total)`),
      formatEntries(
        layout,
        'ZIP codes',
        reviews.map((review) => ({
          mark: review.zip,
          name: `${formatPlace(review)}  for ${review.brandName}`,
          note: formatNote(review),
        })),
      ) || '  No reviews match.',
      formatNextPage(nextCursor, layout),
    ),
);

function formatNote(review: Reviews['reviews'][number]): string {
  const { status, note, requestedBy, requestedAt, decidedBy, reason } = review;
  const request = `requested by ${requestedBy} on ${requestedAt.slice(0, 10)}${note ? `: ${note}` : ''}`;
  if (decidedBy === null) return reason ? `${request}. ${reason}` : request;
  return `${request}; ${status} by ${decidedBy}${reason ? `: ${reason}` : ''}`;
}

export const pending: Command = {
  usage: 'pending',
  summary: 'list requested ZIP codes in the review queue',
  options: [
    brandOption(),
    new Option('--batch <id>', 'the ZIP codes of one request'),
    new Option('--status <status>', 'approved, rejected, or withdrawn (default: pending)'),
    ...pageOptions(),
  ],
  examples: ['pending', 'pending --brand desert-air-hvac', 'pending --status rejected --json'],
  call: (_operands, { brand, batch, status, ...paging }) =>
    pagedCall(
      'service_list_pending_review',
      { brand, batchId: batch, status },
      paging,
      'reviews',
      format,
    ),
};
