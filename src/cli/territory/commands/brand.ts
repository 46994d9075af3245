/** `territory brand`: the ZIPs of a brand. */
import { Option } from 'commander';
import { z } from 'zod';
import { table } from '../../table.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { moreText, pagedCall, pageOptions } from '../paged-call.ts';
import { placeText } from '../place-text.ts';

const Zip = z.object({
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  status: z.string(),
  sharedWith: z.array(z.string()),
  isolated: z.boolean(),
  changedAt: z.string(),
  review: z.object({ status: z.string(), reason: z.string().nullable() }).nullable(),
});

const Territory = z.object({
  brand: z.string(),
  zips: z.array(Zip),
  nextCursor: z.string().nullable(),
});

const text = reading(Territory, ({ brand, zips, nextCursor }, paper) =>
  paragraphs(
    paper.paint('bold', `ZIPs of ${brand}`),
    table(
      paper,
      [
        { heading: 'ZIP', cell: ({ zip }) => zip },
        { heading: 'Place', cell: placeText },
        { heading: 'Status', cell: ({ status }) => status },
        { heading: 'Since', cell: ({ changedAt }) => changedAt.slice(0, 10), spare: 1 },
        { heading: 'Note', cell: notes },
      ],
      zips,
    ) || '  There is none of that kind.',
    moreText(nextCursor, paper),
  ),
);

const notes = ({ sharedWith, isolated, review }: z.output<typeof Zip>) =>
  [
    ...(isolated ? ['isolated'] : []),
    ...(sharedWith.length > 0 ? [`shared with ${sharedWith.join(', ')}`] : []),
    ...(review?.status === 'rejected' ? [`rejected: ${review.reason}`] : []),
  ].join('; ');

export const brand: Command = {
  usage: 'brand <brand>',
  summary: 'the ZIPs of a brand, with status and flags',
  options: [
    new Option('--status <status>', 'live, pending or removed (default: live and pending)'),
    new Option('--state <code>', 'in one state, such as TX'),
    new Option('--flag <flag>', 'shared or isolated'),
    new Option('--review <status>', 'by the latest review: pending, approved, rejected, withdrawn'),
    ...pageOptions(),
  ],
  examples: [
    'brand lone-star-roofing',
    'brand "Lone Star Roofing" --state TX --flag shared',
    'brand desert-air-hvac --status pending --json',
  ],
  call: ([brand], { status, state, flag, review, ...paging }) =>
    pagedCall(
      'service_get_brand_territory',
      { brand, status, state, flag, reviewStatus: review },
      paging,
      'zips',
      text,
    ),
};
