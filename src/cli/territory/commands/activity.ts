import { Option } from 'commander';
import { formatCount } from '../../../text/words.ts';
import { formatEntries, formatTable } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { brandOption } from '../options.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';

const format = formatter(
  async () => (await import('../../../agent/tools/get-activity.ts')).getActivity.output,
  ({ entries, totals, nextCursor }, layout) =>
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
      formatTable(
        layout,
        [
          { heading: 'Total', cell: ({ brandName }) => brandName ?? 'Organization' },
          { heading: 'Action', cell: ({ action }) => action },
          { heading: 'Changes', cell: ({ changes }) => formatCount(changes), right: true },
          { heading: 'ZIP codes', cell: ({ zips }) => formatCount(zips), right: true },
        ],
        totals ?? [],
      ),
      formatNextPage(nextCursor, layout),
    ),
);

export const activity: Command = {
  usage: 'activity',
  summary: 'list changes by this key or by everyone',
  options: [
    new Option('--organization', 'changes by everyone in the organization'),
    brandOption(),
    new Option('--actor <actor>', 'changes by one person or key: name or id'),
    new Option('--since <time>', 'from a day, a time, or days ago: 2026-11-16 or 7d'),
    new Option('--until <time>', 'up to a day (included), a time, or days ago'),
    new Option('--action <action>', 'one kind of change, such as territory_removed'),
    ...pageOptions(),
  ],
  examples: [
    'activity',
    'activity --organization --since 7d',
    'activity --organization --brand lone-star-roofing --limit 5',
    'activity --organization --action territory_removed --all --json',
  ],
  call: (_operands, { organization, ...options }) => {
    const { brand, actor, since, until, action, ...paging } = options;
    const scope = organization ? 'organization' : 'own';
    const input = { scope, brand, actor, since, until, action };
    return pagedCall('service_get_activity', input, paging, 'entries', format);
  },
};
