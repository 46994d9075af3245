/** The list of webhooks with their health, a new secret (shown once), and the form that creates one. */
import type {
  Endpoint,
  Health,
  OffReason,
} from '../../../../territories/notify/webhooks/endpoints.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import { formatCount, joinFirst, pluralize } from '../../../../base/text/words.ts';
import type { FormState } from '../../form-state.ts';
import { copyable, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { minuteTag } from '../../parts.ts';
import { records } from '../../records.ts';
import type { AccountContent } from '../frame.ts';
import { WEBHOOK } from './fields.ts';

export const WEBHOOKS_PATH = '/account/webhooks';
export const WEBHOOK_PATH = '/account/webhooks/{webhook}';

export const webhookAddress = ({ id }: Pick<Endpoint, 'id'>, path: string = WEBHOOK_PATH) =>
  path.replace('{webhook}', id);

export interface WebhooksContent {
  form: FormState;
  webhooks: readonly Endpoint[];
  brands: readonly Brand[];
  /** Reason why the viewer can't manage webhooks; undefined if they can. Others don't see the list */
  refusal: string | undefined;
  /** The webhook that was just created. Its secret can't be shown again. */
  created: { endpoint: Endpoint; secret: string } | undefined;
}

export function webhooksPage(content: WebhooksContent, links: Links): AccountContent {
  const { form, webhooks, refusal, created } = content;
  const main = html`<p>
      A webhook sends events, such as approved ZIP codes, to another system at once. See
      <a href="${links.page('/docs/events')}">Events for other systems</a>.
    </p>
    ${wholeProblem(form)} ${created && newSecret(created, links)}
    ${
      refusal === undefined
        ? html`${webhooks.length > 0 ? webhookTable(webhooks, links) : html`<p class="quiet">No webhooks yet.</p>`}
          ${createForm(content, links)}`
        : html`<p class="quiet">${refusal}</p>`
    }`;
  return { path: WEBHOOKS_PATH, assets: ['account/webhooks/style.css'], main };
}

export const newSecret = (
  { endpoint, secret }: NonNullable<WebhooksContent['created']>,
  links: Links,
) =>
  html`<section class="shown-once" aria-label="New secret">
    <h2>Secret of ${webhookName(endpoint)}</h2>
    <p>
      Store it in the receiver, which verifies signatures with it. It won’t be shown again.
      <a href="${links.page('/docs/events')}#verify-signatures">Verify signatures</a>
    </p>
    ${copyable('new-secret', 'Secret', secret)}
  </section>`;

export const webhookName = ({ description, url }: Pick<Endpoint, 'description' | 'url'>) =>
  description ?? new URL(url).host;

const HEALTH: Readonly<Record<Health, string>> = {
  new: 'Nothing sent yet',
  working: 'Working',
  failing: 'Failing',
  off: 'Off',
};

const OFF: Readonly<Record<OffReason, string>> = {
  person: HEALTH.off,
  failing: 'Off: failed for three days',
  gone: 'Off: receiver gone',
};

export const healthTag = ({ health, off }: Pick<Endpoint, 'health' | 'off'>) =>
  html`<span class="health ${off ? off.because : health}"
    >${off ? OFF[off.because] : HEALTH[health]}</span
  >`;

export const brandsText = ({ brands }: Pick<Endpoint, 'brands'>) =>
  brands === null ? 'All' : joinFirst(brands.map(({ name }) => name));

const webhookTable = (webhooks: readonly Endpoint[], links: Links): Html =>
  records<Endpoint>(
    'Webhooks',
    [
      {
        heading: 'Webhook',
        cell: (one) =>
          html`<a href="${links.page(webhookAddress(one))}">${webhookName(one)}</a>
            ${one.description !== null && html`<span class="quiet host">${new URL(one.url).host}</span>`}`,
      },
      { heading: 'Health', cell: healthTag },
      {
        heading: 'Events',
        cell: ({ types }) => (types === null ? 'All' : pluralize(types.length, 'type')),
      },
      { heading: 'Brands', cell: brandsText },
      {
        heading: 'Last delivered',
        cell: ({ deliveredAt }) => (deliveredAt ? minuteTag(deliveredAt) : 'Never'),
      },
      { heading: 'Waiting', number: true, cell: ({ waiting }) => formatCount(waiting) },
      { heading: 'Given up', number: true, cell: ({ failed }) => formatCount(failed) },
    ],
    webhooks,
  );

function createForm({ form, brands }: WebhooksContent, links: Links): Html {
  return html`<section>
    <h2>Add a webhook</h2>
    <form method="post" action="${links.page(WEBHOOKS_PATH)}">
      ${WEBHOOK.html(form.of(WEBHOOKS_PATH), { brands })}
      <button class="button">Add webhook</button>
      <p class="hint later">It gets events from now on.</p>
    </form>
  </section>`;
}
