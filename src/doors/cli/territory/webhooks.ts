/** Commands for events and webhooks. */
import { setTimeout as delay } from 'node:timers/promises';
import { Option } from 'commander';
import type { z } from 'zod';
import { pluralize } from '../../../base/text/words.ts';
import type {
  DeliveryListBody,
  EventFeedBody,
  WebhookBody,
  WebhookListBody,
  WebhookSecretBody,
} from '../../http/webhooks/schema.ts';
import { minuteOf } from '../names.ts';
import { formatTable, paragraphs } from '../table.ts';
import type { Answer, Command, Formats, Formatter, Given, Steps } from './command.ts';
import { formatNextPage } from './markets.ts';
import { formatRecord } from './record.ts';

const EXAMPLE = '8a6e0804-2bd0-4672-b79d-d97027f9071a';
const EXAMPLE_DELIVERY = 'd0b5a1de-90a1-4a8b-93a0-7f4a4fd5e5aa';

const FIELDS = { types: 'type', brands: 'brand' };
const TEXTS = { type: 'only events of this type', brand: 'only events of this brand' };

export const webhookCommands: readonly Command[] = [
  {
    usage: 'events',
    summary: 'list events, or print them as they happen with --follow',
    calls: ['listEvents'],
    names: { types: 'type' },
    texts: {
      after: 'continue after a position (default: the oldest event)',
      limit: 'largest number of events (default: 100)',
      type: `${TEXTS.type}; repeatable`,
    },
    read: { type: (text, before?: string) => (before ? `${before},${text}` : text) },
    more: [
      new Option('--follow', 'print a line of JSON for each event, and wait for more').conflicts(
        'limit',
      ),
    ],
    perform: (steps, { after, limit, types, follow: isFollowing }) =>
      isFollowing
        ? follow(steps, { after, types })
        : steps.call('listEvents', { after, limit, types }),
    examples: ['events'],
  },
  { usage: 'webhooks list', calls: ['listWebhooks'], examples: ['webhooks list'] },
  { usage: 'webhooks show', calls: ['getWebhook'], examples: [`webhooks show ${EXAMPLE}`] },
  {
    usage: 'webhooks deliveries',
    calls: ['listWebhookDeliveries'],
    examples: [`webhooks deliveries ${EXAMPLE}`],
  },
  {
    usage: 'webhooks delete',
    calls: ['deleteWebhook'],
    confirm: 'Deleting a webhook can’t be undone.',
    done: 'Deleted the webhook {webhook}.',
    examples: [`webhooks delete ${EXAMPLE} --confirm`, `webhooks delete ${EXAMPLE}`],
  },
  {
    usage: 'webhooks add',
    summary: 'send events to an address; prints the secret, once',
    calls: ['createWebhook'],
    names: FIELDS,
    texts: TEXTS,
    examples: [
      'webhooks add https://example.com/territory-events --description CRM',
      'webhooks add https://example.com/events --type territory.approved --brand lone-star-roofing',
    ],
  },
  {
    usage: 'webhooks edit',
    calls: ['editWebhook'],
    names: FIELDS,
    hides: ['on'],
    texts: TEXTS,
    more: [
      new Option('--all-types', 'events of all types').conflicts('type'),
      new Option('--all-brands', 'events of all brands').conflicts('brand'),
      new Option('--off', 'send nothing').conflicts('on'),
      new Option('--on', 'continue with the events that it missed'),
    ],
    edits: true,
    input: ({ allTypes, allBrands, on, off, types, brands }) => ({
      types: allTypes ? null : types,
      brands: allBrands ? null : brands,
      on: off ? false : on,
    }),
    examples: [
      `webhooks edit ${EXAMPLE} --description "CRM in production" --all-types`,
      `webhooks edit ${EXAMPLE} --off`,
    ],
  },
  {
    usage: 'webhooks rotate',
    summary: 'replace the secret; the old one also signs for 24 hours',
    calls: ['rotateWebhookSecret'],
    examples: [`webhooks rotate ${EXAMPLE}`],
  },
  {
    usage: 'webhooks test',
    summary: 'send an example event, and print the answer',
    calls: ['testWebhook'],
    texts: { type: 'type of the event (default: one that it gets)' },
    examples: [`webhooks test ${EXAMPLE}`, `webhooks test ${EXAMPLE} --type territory.removed`],
  },
  {
    usage: 'webhooks resend',
    calls: ['resendWebhookDelivery'],
    done: 'Delivery {delivery} is sent again within seconds.',
    examples: [`webhooks resend ${EXAMPLE} ${EXAMPLE_DELIVERY}`],
  },
];

type Feed = z.output<typeof EventFeedBody>;

const PAGE = 200;
/** Twelve requests a minute, of the thirty that are allowed */
const POLL_MS = 5_000;

/** Prints each event as a line of JSON, until the process is stopped or standard output is closed, as `| head` does. */
async function follow({ call, print }: Steps, query: Given): Promise<Answer> {
  for (let { after } = query; ;) {
    const { bytes } = await call('listEvents', { ...query, after, limit: PAGE });
    const page = JSON.parse(bytes.toString()) as Feed;
    for (const event of page.events) {
      if (!(await print(`${JSON.stringify(event)}\n`))) {
        return { bytes: Buffer.alloc(0), type: 'application/json' };
      }
    }
    after = page.nextAfter;
    if (page.events.length < PAGE) await delay(POLL_MS);
  }
}

function aboutEvent({ data }: Feed['events'][number]): string {
  const { brand, plan, zipCount } = data as {
    brand?: { name: string } | null;
    plan?: { name: string } | null;
    zipCount?: number;
  };
  return [brand?.name ?? plan?.name, zipCount === undefined ? '' : pluralize(zipCount, 'ZIP code')]
    .filter(Boolean)
    .join(', ');
}

const feed: Formatter<Feed> = ({ events, nextAfter }, layout) =>
  paragraphs(
    formatTable(
      layout,
      events,
      {
        'Happened (UTC)': ({ timestamp }) => minuteOf(timestamp),
        Event: 'type',
        'About?': aboutEvent,
        'Id?': 'id',
      },
      'No events.',
    ),
    layout.paint('dim', `  Later events: --after ${nextAfter}`),
  );

type Webhook = z.output<typeof WebhookBody>;

const HEALTH: Readonly<Record<Webhook['health'], string>> = {
  new: 'nothing sent yet',
  working: 'working',
  failing: 'failing',
  off: 'off',
};

const OFF: Readonly<Record<NonNullable<Webhook['off']>['because'], string>> = {
  person: 'a person turned it off',
  failing: 'a delivery failed for three days',
  gone: 'the receiver answered 410',
};

const list: Formatter<z.output<typeof WebhookListBody>> = ({ webhooks }, layout) =>
  formatTable(
    layout,
    webhooks,
    {
      Webhook: 'id',
      Health: ({ health }) => HEALTH[health],
      Waiting: 'waiting',
      'Description?': ({ description, url }) => description ?? new URL(url).host,
      'Given up?': 'failed',
      'Address?': 'url',
    },
    'No webhooks yet. Add one with: territory webhooks add',
  );

const show: Formatter<Webhook> = ({ off, ...webhook }, layout) =>
  formatRecord(
    {
      ...webhook,
      health: off
        ? `off since ${minuteOf(off.at)} UTC: ${OFF[off.because]}`
        : HEALTH[webhook.health],
      types: webhook.types ?? 'all',
      brands: webhook.brands ?? 'all',
    },
    layout,
  );

const secret: Formatter<z.output<typeof WebhookSecretBody>> = (answer, layout) =>
  paragraphs(
    show(answer.webhook, layout, ''),
    `  Secret  ${layout.paint('bold', answer.secret)}`,
    'Store the secret in the receiver. It isn’t shown again.',
  );

const deliveries: Formatter<z.output<typeof DeliveryListBody>> = (answer, layout) =>
  paragraphs(
    formatTable(
      layout,
      answer.deliveries,
      {
        Delivery: 'id',
        Event: ({ event }) => event.type,
        State: 'state',
        'Brand?': ({ brand }) => brand?.name ?? '',
        'Happened (UTC)?': ({ event }) => minuteOf(event.timestamp),
        'Answer?': ({ attempted }) => attempted && String(attempted.status ?? attempted.problem),
      },
      'No deliveries.',
    ),
    formatNextPage(answer.nextCursor, layout),
  );

export const webhookFormats: Formats = {
  listEvents: feed,
  listWebhooks: list,
  getWebhook: show,
  editWebhook: show,
  createWebhook: secret,
  rotateWebhookSecret: secret,
  listWebhookDeliveries: deliveries,
};
