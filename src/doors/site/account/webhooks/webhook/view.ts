/** A webhook: its health, its deliveries, and the forms that change it. */
import type { Page } from '../../../../../base/contract/paging.ts';
import { EVENTS } from '../../../../../people/events/catalog.ts';
import {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryState,
} from '../../../../../territories/notify/webhooks/deliveries.ts';
import type { Endpoint } from '../../../../../territories/notify/webhooks/endpoints.ts';
import type { TestResult } from '../../../../../territories/notify/webhooks/manage.ts';
import { OVERLAP_HOURS } from '../../../../../territories/notify/webhooks/secrets.ts';
import type { Brand } from '../../../../../territories/brands/brands.ts';
import { pluralize } from '../../../../../base/text/words.ts';
import type { FormState } from '../../../form-state.ts';
import { buttonForm, wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { definition, minuteTag } from '../../../parts.ts';
import { records } from '../../../records.ts';
import { pager } from '../../filters.ts';
import type { AccountContent } from '../../frame.ts';
import { editedWebhook, WEBHOOK } from '../fields.ts';
import {
  brandsText,
  healthTag,
  newSecret,
  WEBHOOK_PATH,
  webhookAddress,
  webhookName,
  WEBHOOKS_PATH,
} from '../view.ts';

export const EDIT_PATH = `${WEBHOOK_PATH}/edit`;
export const SWITCH_PATH = `${WEBHOOK_PATH}/switch`;
export const TEST_PATH = `${WEBHOOK_PATH}/test`;
export const ROTATE_PATH = `${WEBHOOK_PATH}/rotate`;
export const RESEND_PATH = `${WEBHOOK_PATH}/resend`;
export const DELETE_WEBHOOK_PATH = `${WEBHOOK_PATH}/delete`;

export interface WebhookContent {
  form: FormState;
  endpoint: Endpoint;
  deliveries: Page<Delivery>;
  /** The state of the deliveries that are shown; undefined for all */
  state: DeliveryState | undefined;
  query: URLSearchParams;
  brands: readonly Brand[];
  /** A new secret, or the result of a test, which are shown once */
  once: { secret?: string; tested?: TestResult };
}

export function webhookPage(content: WebhookContent, links: Links): AccountContent {
  const { form, endpoint, once } = content;
  const to = (path: string) => links.page(webhookAddress(endpoint, path));
  const main = html`<p><a href="${links.page(WEBHOOKS_PATH)}">All webhooks</a></p>
    ${wholeProblem(form)} ${once.tested && testResult(once.tested)}
    ${once.secret !== undefined && newSecret({ endpoint, secret: once.secret }, links)}
    ${offNotice(endpoint)} ${facts(endpoint)}
    <div class="actions">
      ${
        endpoint.off
          ? html`<form method="post" action="${to(SWITCH_PATH)}" class="inline">
              <input type="hidden" name="on" value="yes" />
              <button class="button">Turn on</button>
            </form>`
          : buttonForm(to(SWITCH_PATH), { on: 'no' }, { label: 'Turn off' })
      }
      ${buttonForm(to(TEST_PATH), {}, { label: 'Send a test event' })}
    </div>
    ${deliveriesSection(content, links)} ${editSection(content, to)}`;
  return {
    path: WEBHOOKS_PATH,
    title: webhookName(endpoint),
    assets: ['account/webhooks/style.css'],
    main,
  };
}

function offNotice({ off }: Endpoint): Html | null {
  if (!off || off.because === 'person') return null;
  return html`<div class="notice bad">
    <p>
      ${
        off.because === 'gone'
          ? html`The receiver answered on ${minuteTag(off.at)} that it no longer takes events (410),`
          : html`The receiver didn’t accept an event for three days, until ${minuteTag(off.at)},`
      }
      so nothing more is sent. When the receiver works again, turn the webhook on: it then gets what
      it missed, in order.
    </p>
  </div>`;
}

const testResult = ({ type, attempt: { isDelivered, status, problem, answer, ms } }: TestResult) =>
  html`<div class="notice ${!isDelivered && 'bad'}" role="status">
    <p>
      ${
        isDelivered
          ? `The receiver accepted the test event (${status}, ${ms} ms).`
          : `The receiver didn’t accept the test event. ${problem}`
      }
      It was an example of <code>${type}</code> with <code>"test": true</code>.
    </p>
    ${answer !== null && html`<pre tabindex="0"><code>${answer}</code></pre>`}
  </div>`;

const facts = (endpoint: Endpoint) =>
  html`<dl class="facts">
    ${definition('Health', healthTag(endpoint))}
    ${definition('Address', html`<code class="address">${endpoint.url}</code>`)}
    ${definition('Events', endpoint.types === null ? 'All' : endpoint.types.map((type) => EVENTS[type].title).join(', '))}
    ${definition('Brands', brandsText(endpoint))}
    ${
      endpoint.oldSecretUntil &&
      definition('Replaced secret', html`Also signs until ${minuteTag(endpoint.oldSecretUntil)}`)
    }
  </dl>`;

const STATES: Readonly<Record<DeliveryState | 'all', string>> = {
  all: 'All',
  waiting: 'Waiting',
  retrying: 'Retrying',
  delivered: 'Delivered',
  failed: 'Given up',
};

function deliveriesSection(content: WebhookContent, links: Links): Html {
  const { endpoint, deliveries, state = 'all', query } = content;
  const path = webhookAddress(endpoint);
  const { rows } = deliveries;
  return html`<section aria-labelledby="deliveries">
    <h2 id="deliveries">Deliveries</h2>
    <nav aria-label="State of deliveries" class="choosing">
      <ul>
        ${(['all', ...DELIVERY_STATES] as const).map(
          (one) =>
            html`<li>
              <a
                href="${links.page(path)}${one !== 'all' && `?state=${one}`}"
                ${one === state && html`aria-current="page"`}
                >${STATES[one]}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    ${rows.length > 0 ? deliveryTable(endpoint, rows, links) : html`<p class="quiet">${state === 'all' ? 'Nothing was sent yet.' : 'None.'}</p>`}
    ${pager(path, query, deliveries.nextCursor, links)}
  </section>`;
}

const deliveryTable = (endpoint: Endpoint, rows: readonly Delivery[], links: Links): Html =>
  records(
    'Deliveries',
    [
      {
        heading: 'Event',
        cell: ({ type, event }) =>
          html`<details class="payload">
            <summary>${EVENTS[type].title}</summary>
            <pre tabindex="0"><code>${JSON.stringify(event, null, 2)}</code></pre>
          </details>`,
      },
      { heading: 'Brand', cell: ({ brand }) => brand?.name ?? '–' },
      { heading: 'Happened', cell: ({ event }) => minuteTag(new Date(event.timestamp)) },
      { heading: 'State', cell: deliveryState },
      { heading: 'Last answer', cell: lastAnswer },
      {
        heading: 'Send again',
        hidden: true,
        cell: (delivery) => {
          const isBehind = delivery.state === 'waiting' && delivery.dueAt === null;
          if (endpoint.off || isBehind) return '';
          const label = delivery.state === 'retrying' ? 'Try now' : 'Send again';
          const action = links.page(webhookAddress(endpoint, RESEND_PATH));
          return buttonForm(
            action,
            { delivery: delivery.id },
            { label, about: EVENTS[delivery.type].title },
          );
        },
      },
    ],
    rows,
  );

function deliveryState({ state, attempts, dueAt }: Delivery): Html {
  const detail =
    state === 'retrying'
      ? html`${pluralize(attempts, 'attempt')}${dueAt && html`, next ${minuteTag(dueAt)}`}`
      : state === 'waiting' && dueAt === null && 'Behind an earlier event of its brand';
  return html`<div>
    <span class="health ${state}">${STATES[state]}</span>
    ${detail && html`<span class="quiet host">${detail}</span>`}
  </div>`;
}

function lastAnswer({ attempted }: Delivery): Html | string {
  if (!attempted) return '–';
  const { status, problem, ms, at } = attempted;
  return html`<div>
    ${status === null ? 'None' : `${status}, ${ms} ms`}
    <span class="quiet host">${minuteTag(at)}</span>
    ${problem !== null && html`<span class="host">${problem}</span>`}
  </div>`;
}

function editSection({ form, endpoint, brands }: WebhookContent, to: (path: string) => string) {
  const changed = form.of(EDIT_PATH);
  return html`<section aria-labelledby="change">
    <h2 id="change">Settings</h2>
    <details class="changing" ${!changed.isUnsent && html`open`}>
      <summary>Change address, events, or brands…</summary>
      <form method="post" action="${to(EDIT_PATH)}">
        ${WEBHOOK.html(changed, { brands }, editedWebhook(endpoint))}
        <button class="button">Save</button>
      </form>
    </details>
    <details class="changing">
      <summary>Replace the secret…</summary>
      <form method="post" action="${to(ROTATE_PATH)}">
        <p>
          The new secret is shown once. For ${OVERLAP_HOURS} hours, the replaced one also signs, so
          that no event is refused while you change the receiver.
        </p>
        <button class="button">Replace secret</button>
      </form>
    </details>
    <details class="ending">
      <summary>Delete this webhook…</summary>
      <form method="post" action="${to(DELETE_WEBHOOK_PATH)}">
        <p>Nothing more is sent, and the list of deliveries is deleted. This can’t be undone.</p>
        <button class="button grave">Delete webhook</button>
      </form>
    </details>
  </section>`;
}
