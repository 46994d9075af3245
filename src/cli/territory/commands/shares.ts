import { Option } from 'commander';
import { formatEntries } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatShareLink } from '../format-share-link.ts';
import { brandOption } from '../options.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';

const format = formatter(
  async () => (await import('../../../agent/tools/list-share-links.ts')).listShareLinks.output,
  ({ links, nextCursor }, layout) =>
    paragraphs(
      layout.paint('bold', 'Share links'),
      formatEntries(
        layout,
        'Latest first',
        links.map((link) => ({
          mark: link.code,
          name: formatShareLink(link),
          note: link.shareUrl,
        })),
      ) || '  No share links match.',
      formatNextPage(nextCursor, layout),
    ),
);

export const shares: Command = {
  usage: 'shares',
  summary: 'list share links',
  options: [
    brandOption(),
    new Option('--status <status>', 'expired, revoked, or all (default: active)'),
    ...pageOptions(),
  ],
  examples: ['shares', 'shares --brand lone-star-roofing --status all --json'],
  call: (_operands, { brand, status, ...paging }) =>
    pagedCall('service_list_share_links', { brand, status }, paging, 'links', format),
};
