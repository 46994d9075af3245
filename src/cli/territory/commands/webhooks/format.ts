/** Formats webhooks and deliveries. */
import type { z } from 'zod';
import { formatCount, joinFirst, pluralize } from '../../../../text/words.ts';
import type { Layout } from '../../../layout.ts';
import { formatTable, wrapText } from '../../../table.ts';
import { formatter, paragraphs } from '../../command.ts';
import { formatNextPage } from '../../paged-call.ts';

const schemas = () => import('../../../../agent/webhooks/schema.ts');
type Schemas = Awaited<ReturnType<typeof schemas>>;
type Webhook = z.output<Schemas['WebhookBody']>;
type Delivery = z.output<Schemas['DeliveryListBody']>['deliveries'][number];

/** `2026-11-29 10:00` */
export const minuteOf = (at: string) => at.slice(0, 16).replace('T', ' ');

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

export const formatList = formatter(
  async () => (await schemas()).WebhookListBody,
  ({ webhooks }, layout) =>
    formatTable(
      layout,
      [
        { heading: 'Webhook', cell: ({ id }) => id },
        { heading: 'Address', cell: ({ url }) => url, dropOrder: 3 },
        {
          heading: 'Description',
          cell: ({ description, url }) => description ?? new URL(url).host,
          dropOrder: 1,
        },
        { heading: 'Health', cell: ({ health }) => HEALTH[health] },
        { heading: 'Waiting', cell: ({ waiting }) => formatCount(waiting), right: true },
        {
          heading: 'Given up',
          cell: ({ failed }) => formatCount(failed),
          right: true,
          dropOrder: 2,
        },
      ],
      webhooks,
    ) || 'No webhooks yet. Add one with: territory webhooks add',
);

export const formatOne = formatter(
  async () => (await schemas()).WebhookBody,
  (webhook, layout) => webhookLines(webhook, layout),
);

/** Columns before the facts */
const INDENT = 14;

function webhookLines(webhook: Webhook, layout: Layout): string {
  const { id, url, description, types, brands, health, off, waiting, failed } = webhook;
  const facts: [string, string][] = [
    ['Address', url],
    ['Health', off ? `off since ${minuteOf(off.at)} UTC: ${OFF[off.because]}` : HEALTH[health]],
    ['Events', types === null ? 'all' : types.join(', ')],
    ['Brands', brands === null ? 'all' : joinFirst(brands.map(({ name }) => name))],
    ['Waiting', pluralize(waiting, 'delivery', 'deliveries')],
    ['Given up', pluralize(failed, 'delivery', 'deliveries')],
    ['Delivered', webhook.deliveredAt === null ? 'never' : `${minuteOf(webhook.deliveredAt)} UTC`],
    ...(webhook.oldSecretUntil === null
      ? []
      : [
          ['Old secret', `signs until ${minuteOf(webhook.oldSecretUntil)} UTC`] as [string, string],
        ]),
  ];
  return [
    layout.paint('bold', description ?? 'Webhook') + `  ${id}`,
    ...facts.flatMap(([name, value]) =>
      wrapText(value, layout.width - INDENT).map(
        (line, i) => `  ${(i === 0 ? name : '').padEnd(INDENT - 3)} ${line}`,
      ),
    ),
  ].join('\n');
}

export const formatSecret = formatter(
  async () => (await schemas()).WebhookSecretBody,
  ({ webhook, secret }, layout) =>
    paragraphs(
      webhookLines(webhook, layout),
      `  Secret      ${layout.paint('bold', secret)}`,
      'Store the secret in the receiver. It isn’t shown again.',
    ),
);

export const formatTest = formatter(
  async () => (await schemas()).TestBody,
  ({ accepted, status, ms, problem, answer, type }) =>
    paragraphs(
      accepted
        ? `The receiver accepted an example of ${type} (${status}, ${ms} ms).`
        : `The receiver didn’t accept an example of ${type}. ${problem}`,
      answer === null ? '' : `Its answer: ${answer}`,
    ),
);

const lastAnswer = ({ attempted }: Delivery) =>
  attempted === null
    ? ''
    : attempted.status === null
      ? attempted.problem!
      : String(attempted.status);

export const formatDeliveries = formatter(
  async () => (await schemas()).DeliveryListBody,
  ({ deliveries, nextCursor }, layout) =>
    paragraphs(
      formatTable(
        layout,
        [
          { heading: 'Delivery', cell: ({ id }) => id },
          { heading: 'Event', cell: ({ event }) => event.type },
          { heading: 'Brand', cell: ({ brand }) => brand?.name ?? '', dropOrder: 1 },
          {
            heading: 'Happened (UTC)',
            cell: ({ event }) => minuteOf(event.timestamp),
            dropOrder: 2,
          },
          { heading: 'State', cell: ({ state }) => state },
          { heading: 'Answer', cell: lastAnswer, dropOrder: 3 },
        ],
        deliveries,
      ) || 'No deliveries.',
      nextCursor === null ? '' : formatNextPage(nextCursor, layout).replace('--all, or\n  ', ''),
    ),
);
