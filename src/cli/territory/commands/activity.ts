import { Option } from 'commander';
import { formatEntries } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { brandOption } from '../options.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';

const format = formatter(
  async () => (await import('../../../agent/tools/get-activity.ts')).getActivity.output,
  ({ entries, nextCursor }, layout) =>
    paragraphs(
      layout.paint('bold', 'Activity') + layout.paint('dim', '  (times are UTC)'),
      formatEntries(
        layout,
        'Latest first',
        entries.map(({ at, by, summary, removalId, undoable }) => ({
          mark: at.slice(0, 16).replace('T', ' '),
          name: by,
          note: undoable
            ? `${summary.replace(/\.?$/, '.')} A person can undo removal ${removalId}.`
            : summary,
        })),
      ) || '  No changes. --organization includes the changes of everyone.',
      formatNextPage(nextCursor, layout),
    ),
);

export const activity: Command = {
  usage: 'activity',
  summary: 'list changes by this key or by everyone',
  options: [
    new Option('--organization', 'changes by everyone in the organization'),
    brandOption(),
    new Option('--action <action>', 'one kind of change, such as territory_removed'),
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
      format,
    ),
};
