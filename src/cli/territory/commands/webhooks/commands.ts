/** Commands for webhooks. */
import { Option } from 'commander';
import { path } from '../../call.ts';
import { jsonCall, plainCall, type Command, type Formatter } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { collect } from '../../options.ts';
import { formatDeliveries, formatList, formatOne, formatSecret, formatTest } from './format.ts';

const type = 'application/json';

/** A call that changes something */
const post = (at: string, body: object, format: Formatter) => ({
  ...plainCall({ path: at, body, type }, format),
  needsKey: true,
});

const fieldOptions = () => [
  new Option('--description <text>', 'what it’s for'),
  new Option('--type <type>', 'only events of this type; repeatable').argParser(collect),
  new Option('--brand <brand>', 'only events of this brand; repeatable').argParser(collect),
];

const EXAMPLE = '8a6e0804-2bd0-4672-b79d-d97027f9071a';
const EXAMPLE_DELIVERY = 'd0b5a1de-90a1-4a8b-93a0-7f4a4fd5e5aa';

export const webhooksList: Command = {
  usage: 'webhooks list',
  summary: 'list your webhooks and their health',
  examples: ['webhooks list', 'webhooks list --json'],
  call: () => ({ ...jsonCall('/agent/webhooks', formatList), needsKey: true }),
};

export const webhooksShow: Command = {
  usage: 'webhooks show <webhook>',
  summary: 'show a webhook',
  examples: [`webhooks show ${EXAMPLE}`, `webhooks show ${EXAMPLE} --json`],
  call: ([webhook]) => ({
    ...jsonCall(path`/agent/webhooks/${webhook!}`, formatOne),
    needsKey: true,
  }),
};

export const webhooksDeliveries: Command = {
  usage: 'webhooks deliveries <webhook>',
  summary: 'list the deliveries of a webhook, latest first',
  options: [
    new Option('--state <state>', 'waiting, retrying, delivered, or failed (default: all)'),
    new Option('--limit <rows>', 'rows per page (default: 50)'),
    new Option('--cursor <cursor>', 'continue after the previous page'),
  ],
  examples: [
    `webhooks deliveries ${EXAMPLE}`,
    `webhooks deliveries ${EXAMPLE} --state failed --json`,
  ],
  call: ([webhook], { state, limit, cursor }) => ({
    ...jsonCall(path`/agent/webhooks/${webhook!}/deliveries`, formatDeliveries, {
      ...{ state, limit, cursor },
    }),
    needsKey: true,
  }),
};

export const webhooksAdd: Command = {
  usage: 'webhooks add <url>',
  summary: 'send events to an address; prints the secret, once',
  options: fieldOptions(),
  examples: [
    'webhooks add https://example.com/territory-events --description CRM',
    'webhooks add https://example.com/events --type territory.approved --brand lone-star-roofing',
  ],
  call: ([url], { description, type: types, brand: brands }) =>
    post('/agent/webhooks', { url, description, types, brands }, formatSecret),
};

export const webhooksEdit: Command = {
  usage: 'webhooks edit <webhook>',
  summary: 'change a webhook, or turn it off or on',
  options: [
    new Option('--url <url>', 'the new address'),
    ...fieldOptions(),
    new Option('--all-types', 'events of all types').conflicts('type'),
    new Option('--all-brands', 'events of all brands').conflicts('brand'),
    new Option('--off', 'send nothing').conflicts('on'),
    new Option('--on', 'continue with the events that it missed'),
  ],
  examples: [
    `webhooks edit ${EXAMPLE} --description "CRM in production" --all-types`,
    `webhooks edit ${EXAMPLE} --off`,
  ],
  call: ([webhook], { url, description, type: types, brand: brands, ...flags }) => {
    const edit = {
      ...{ url, description },
      types: flags.allTypes ? null : types,
      brands: flags.allBrands ? null : brands,
      on: flags.on ? true : flags.off ? false : undefined,
    };
    if (Object.values(edit).every((value) => value === undefined)) {
      throw new Failure(EXIT.usage, 'Nothing to change. Name an option, such as --description.');
    }
    return post(path`/agent/webhooks/${webhook!}`, edit, formatOne);
  },
};

export const webhooksRotate: Command = {
  usage: 'webhooks rotate <webhook>',
  summary: 'replace the secret; the old one also signs for 24 hours',
  examples: [`webhooks rotate ${EXAMPLE}`, `webhooks rotate ${EXAMPLE} --json`],
  call: ([webhook]) => post(path`/agent/webhooks/${webhook!}/rotate-secret`, {}, formatSecret),
};

export const webhooksTest: Command = {
  usage: 'webhooks test <webhook>',
  summary: 'send an example event, and print the answer',
  options: [new Option('--type <type>', 'type of the event (default: one that it gets)')],
  examples: [`webhooks test ${EXAMPLE}`, `webhooks test ${EXAMPLE} --type territory.removed`],
  call: ([webhook], { type: event }) =>
    post(path`/agent/webhooks/${webhook!}/test`, { type: event }, formatTest),
};

export const webhooksResend: Command = {
  usage: 'webhooks resend <webhook> <delivery>',
  summary: 'send a delivery again',
  examples: [
    `webhooks resend ${EXAMPLE} ${EXAMPLE_DELIVERY}`,
    `webhooks resend ${EXAMPLE} ${EXAMPLE_DELIVERY} --json`,
  ],
  call: ([webhook, delivery]) =>
    post(
      path`/agent/webhooks/${webhook!}/deliveries/${delivery!}/resend`,
      {},
      async () => `Delivery ${delivery} is sent again within seconds.`,
    ),
};

export const webhooksDelete: Command = {
  usage: 'webhooks delete <webhook>',
  summary: 'delete a webhook with its list of deliveries',
  options: [new Option('--confirm', 'delete it; this can’t be undone')],
  examples: [`webhooks delete ${EXAMPLE} --confirm`, `webhooks delete ${EXAMPLE}`],
  call: ([webhook], { confirm }) => {
    if (!confirm) {
      throw new Failure(
        EXIT.unconfirmed,
        'Nothing was changed. Deleting a webhook can’t be undone. To delete it, add --confirm.',
      );
    }
    return post(
      path`/agent/webhooks/${webhook!}/delete`,
      {},
      async () => `Deleted the webhook ${webhook}.`,
    );
  },
};
