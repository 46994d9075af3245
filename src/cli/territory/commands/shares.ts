/** `territory shares`: the public links that there are. */
import { Option } from 'commander';
import { z } from 'zod';
import { entries } from '../../table.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { brandOption } from '../options.ts';
import { moreText, pagedCall, pageOptions } from '../paged-call.ts';
import { ShareLink, shareText } from '../share-link.ts';

const Shares = z.object({ links: z.array(ShareLink), nextCursor: z.string().nullable() });

const text = reading(Shares, ({ links, nextCursor }, paper) =>
  paragraphs(
    paper.paint('bold', 'Share links'),
    entries(
      paper,
      'The latest first',
      links.map((link) => ({ mark: link.code, name: shareText(link), note: link.shareUrl })),
    ) || '  There is none of that kind.',
    moreText(nextCursor, paper),
  ),
);

export const shares: Command = {
  usage: 'shares',
  summary: 'the public share links',
  options: [
    brandOption(),
    new Option('--status <status>', 'expired, revoked or all in place of active'),
    ...pageOptions(),
  ],
  examples: ['shares', 'shares --brand lone-star-roofing --status all --json'],
  call: (_operands, { brand, status, ...paging }) =>
    pagedCall('service_list_share_links', { brand, status }, paging, 'links', text),
};
