import { Option } from 'commander';
import type { AnswerOf } from '../../../agent/tool.ts';
import type { getBrandTerritory } from '../../../agent/tools/get-brand-territory.ts';
import { formatTable } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatPlace } from '../format-place.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';

type Territory = AnswerOf<typeof getBrandTerritory>;

const format = formatter(
  async () =>
    (await import('../../../agent/tools/get-brand-territory.ts')).getBrandTerritory.output,
  (territory, layout) =>
    paragraphs(
      layout.paint('bold', `ZIP codes of ${territory.brandName}`),
      formatTable(
        layout,
        [
          { heading: 'ZIP', cell: ({ zip }) => zip },
          { heading: 'Place', cell: formatPlace },
          { heading: 'Status', cell: ({ status }) => status },
          { heading: 'Since', cell: ({ changedAt }) => changedAt.slice(0, 10), dropOrder: 1 },
          { heading: 'Note', cell: formatNotes },
        ],
        territory.zips,
      ) || '  No ZIP codes match.',
      formatNextPage(territory.nextCursor, layout),
    ),
);

const formatNotes = ({
  sharedWithNames,
  isolated,
  hasBoundary,
  review,
}: Territory['zips'][number]) =>
  [
    ...(isolated ? ['isolated'] : []),
    ...(hasBoundary ? [] : ['no boundary']),
    ...(sharedWithNames.length > 0 ? [`shared with ${sharedWithNames.join(', ')}`] : []),
    ...(review?.status === 'rejected' ? [`rejected: ${review.reason}`] : []),
  ].join('; ');

export const brand: Command = {
  usage: 'brand <brand>',
  summary: 'list the ZIP codes of a brand with status and flags',
  options: [
    new Option('--status <status>', 'live, pending, or removed (default: live and pending)'),
    new Option('--state <code>', 'one state, such as TX'),
    new Option('--flag <flag>', 'shared, isolated, or no_boundary'),
    new Option('--review <status>', 'latest review: pending, approved, rejected, withdrawn'),
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
      format,
    ),
};
