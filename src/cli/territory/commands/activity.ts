/** `territory activity`: the trail of changes. */
import { Option } from 'commander';
import { z } from 'zod';
import { entries } from '../../table.ts';
import { paragraphs, reading, type Command } from '../command.ts';
import { brandOption } from '../options.ts';
import { moreText, pagedCall, pageOptions } from '../paged-call.ts';

const Trail = z.object({
  entries: z.array(
    z.object({
      at: z.string(),
      by: z.string(),
      summary: z.string(),
      removalId: z.string().nullable(),
      undoable: z.boolean(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

const text = reading(Trail, ({ entries: trail, nextCursor }, paper) =>
  paragraphs(
    paper.paint('bold', 'Changes') + paper.paint('dim', '  (times are UTC)'),
    entries(
      paper,
      'The latest first',
      trail.map(({ at, by, summary, removalId, undoable }) => ({
        mark: at.slice(0, 16).replace('T', ' '),
        name: by,
        note: undoable ? `${summary} A person can undo it: removal ${removalId}.` : summary,
      })),
    ) || '  There is none. --organization shows those of everybody.',
    moreText(nextCursor, paper),
  ),
);

export const activity: Command = {
  usage: 'activity',
  summary: 'what was changed, by this key or by everybody',
  options: [
    new Option('--organization', 'of everybody, not only of this key'),
    brandOption(),
    new Option('--action <action>', 'of one kind, such as territory_removed'),
    ...pageOptions(),
  ],
  examples: [
    'activity',
    'activity --organization --brand lone-star-roofing --limit 5',
    'activity --organization --action territory_removed --all --json',
  ],
  call: (_operands, { organization, brand, action, ...paging }) =>
    pagedCall(
      'service_get_activity',
      { scope: organization ? 'organization' : 'own', brand, action },
      paging,
      'entries',
      text,
    ),
};
