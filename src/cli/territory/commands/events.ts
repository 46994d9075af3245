/** Lists events, or prints them as they happen. */
import { setTimeout as delay } from 'node:timers/promises';
import { Option } from 'commander';
import type { z } from 'zod';
import { pluralize } from '../../../text/words.ts';
import { formatTable } from '../../table.ts';
import { formatter, jsonCall, paragraphs, type Command, type Task } from '../command.ts';
import { collect } from '../options.ts';
import { minuteOf } from './webhooks/format.ts';

const schema = async () => (await import('../../../agent/webhooks/schema.ts')).EventFeedBody;
type Feed = z.output<Awaited<ReturnType<typeof schema>>>;
type Event = Feed['events'][number];

const about = ({ data }: Event): string => {
  const { brand, plan, zipCount } = data as {
    brand?: { name: string } | null;
    plan?: { name: string } | null;
    zipCount?: number;
  };
  return [brand?.name ?? plan?.name, zipCount === undefined ? '' : pluralize(zipCount, 'ZIP code')]
    .filter(Boolean)
    .join(', ');
};

const format = formatter(schema, ({ events, nextAfter }, layout) =>
  paragraphs(
    formatTable(
      layout,
      [
        { heading: 'Happened (UTC)', cell: ({ timestamp }) => minuteOf(timestamp) },
        { heading: 'Event', cell: ({ type }) => type },
        { heading: 'About', cell: about, dropOrder: 1 },
        { heading: 'Id', cell: ({ id }) => id, dropOrder: 2 },
      ],
      events,
    ) || 'No events.',
    layout.paint('dim', `  Later events: --after ${nextAfter}`),
  ),
);

const FEED = '/agent/events';
const PAGE = '200';
/** Twelve requests a minute, of the thirty that are allowed */
const POLL_MS = 5_000;

/** The answer once standard output is closed, as `| head` does */
const NOTHING = { bytes: Buffer.alloc(0), type: 'application/json' };

/** Prints each event as a line of JSON, until the process is stopped. */
const follow = (query: Record<string, string | undefined>, pollMs: number): Task => ({
  type: 'application/json',
  needsKey: true,
  format: async () => '',
  async perform(callService, print) {
    for (let { after } = query; ;) {
      const bytes = await callService({
        path: FEED,
        query: { ...query, after, limit: PAGE },
        type: 'application/json',
      });
      const page = JSON.parse(bytes.toString()) as Feed;
      for (const event of page.events) {
        if (!(await print(`${JSON.stringify(event)}\n`))) return NOTHING;
      }
      after = String(page.nextAfter);
      if (page.events.length < Number(PAGE)) await delay(pollMs);
    }
  },
});

export const events: Command = {
  usage: 'events',
  summary: 'list events, or print them as they happen with --follow',
  options: [
    new Option('--after <position>', 'continue after a position (default: the oldest event)'),
    new Option('--limit <events>', 'largest number of events (default: 100)').conflicts('follow'),
    new Option('--type <type>', 'only events of this type; repeatable').argParser(collect),
    new Option('--follow', 'print a line of JSON for each event, and wait for more'),
  ],
  examples: ['events', 'events --type territory.approved --after 42 --json'],
  call: (_operands, { after, limit, type, follow: isFollowing }) => {
    const query = { after, types: (type as string[] | undefined)?.join(',') };
    return isFollowing
      ? follow(query, POLL_MS)
      : { ...jsonCall(FEED, format, { ...query, limit }), needsKey: true };
  },
};
