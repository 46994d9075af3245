/** What owners, admins, and keys do with webhooks: checks, then the change. */
import { recordChange } from '../../../people/account/activity.ts';
import type { Caller } from '../../../people/account/caller.ts';
import type { SecretBox } from '../../../people/account/secret-box.ts';
import type { EventType } from '../../../people/events/catalog.ts';
import { EVENT_EXAMPLES } from '../../../people/events/examples.ts';
import type { ClientFetch } from '../../../base/outside/public-fetch.ts';
import { findBrand } from '../../brands/brands.ts';
import type { Attempt } from './attempt.ts';
import {
  checkedUrl,
  createEndpoint,
  deleteEndpoint,
  editEndpoint,
  findEndpoint,
  readSecrets,
  rotateSecret,
  type Endpoint,
  type EndpointEdit,
} from './endpoints.ts';
import { sendEvent } from './send-event.ts';

/** How webhooks are stored and called */
export interface WebhookParts {
  /** Encrypts the secrets */
  box: SecretBox;
  fetch: ClientFetch;
  /** Checks where a host name leads. @throws if it isn't allowed */
  requireHost: (url: URL) => Promise<void>;
}

interface NewWebhook extends Omit<EndpointEdit, 'on' | 'url' | 'brandIds'> {
  url: string;
  /** Slugs, names, or ids; null: all brands */
  brands?: readonly string[] | null | undefined;
}

type WebhookEdit = Partial<NewWebhook> & Pick<EndpointEdit, 'on'>;

async function brandIdsOf(
  { tenant, brandScope }: Caller,
  brands: readonly string[] | null | undefined,
): Promise<string[] | null | undefined> {
  if (!brands) return brands;
  const found = await Promise.all(brands.map((ref) => findBrand(tenant, brandScope, ref)));
  return found.map(({ id }) => id);
}

/**
 * Creates a webhook.
 * @returns it with its secret, which isn't shown again
 * @throws ServiceError as `checkedUrl`, `findBrand`, and `createEndpoint`
 */
export async function createWebhook(
  caller: Caller,
  { box, requireHost }: WebhookParts,
  { url, brands, ...fields }: NewWebhook,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { tenant, actor } = caller;
  const checked = await checkedUrl(url, requireHost);
  const brandIds = await brandIdsOf(caller, brands);
  return tenant.transaction(async (tx) => {
    const { id, secret } = await createEndpoint(
      tx,
      actor,
      { ...fields, url: checked, brandIds },
      box,
    );
    const endpoint = await findEndpoint(tx, id);
    recordChange(tx, actor, 'webhook_created', `Created the webhook to ${hostOf(endpoint)}.`, {
      after: factsOf(endpoint),
    });
    return { endpoint, secret };
  });
}

/** Changes the given fields of a webhook. @throws ServiceError as `createWebhook`; 404 */
export async function editWebhook(
  caller: Caller,
  { requireHost }: WebhookParts,
  id: string,
  { url, brands, ...edit }: WebhookEdit,
): Promise<Endpoint> {
  const { tenant, actor } = caller;
  const checked = url === undefined ? undefined : await checkedUrl(url, requireHost);
  const brandIds = await brandIdsOf(caller, brands);
  return tenant.transaction(async (tx) => {
    const before = await findEndpoint(tx, id);
    const after = await editEndpoint(tx, id, { ...edit, url: checked, brandIds });
    recordChange(tx, actor, 'webhook_changed', `Changed the webhook to ${hostOf(after)}.`, {
      before: factsOf(before),
      after: factsOf(after),
    });
    return after;
  });
}

/**
 * Replaces the secret of a webhook, as `rotateSecret` describes.
 * @returns it with its new secret, which isn't shown again
 * @throws ServiceError as `findEndpoint`
 */
export function replaceWebhookSecret(
  caller: Caller,
  { box }: Pick<WebhookParts, 'box'>,
  id: string,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { tenant, actor } = caller;
  return tenant.transaction(async (tx) => {
    const replaced = await rotateSecret(tx, id, box);
    const facts = factsOf(replaced.endpoint);
    const summary = `Replaced the secret of the webhook to ${facts.host}.`;
    recordChange(tx, actor, 'webhook_secret_replaced', summary, { before: facts, after: facts });
    return replaced;
  });
}

/** Deletes a webhook with what waits for it. @throws ServiceError as `findEndpoint` */
export function deleteWebhook(caller: Caller, id: string): Promise<Endpoint> {
  const { tenant, actor } = caller;
  return tenant.transaction(async (tx) => {
    const endpoint = await deleteEndpoint(tx, id);
    recordChange(tx, actor, 'webhook_deleted', `Deleted the webhook to ${hostOf(endpoint)}.`, {
      before: factsOf(endpoint),
    });
    return endpoint;
  });
}

const hostOf = ({ url }: Endpoint) => new URL(url).host;

/** Without the path of the address, which is a secret at many receivers */
const factsOf = (endpoint: Endpoint) => ({
  webhook: endpoint.id,
  host: hostOf(endpoint),
  types: endpoint.types,
  brands: endpoint.brands?.map(({ name }) => name) ?? null,
  isOn: endpoint.off === null,
});

export interface TestResult {
  endpoint: Endpoint;
  eventId: string;
  type: EventType;
  attempt: Attempt;
}

/** Sends an example event at once. It's in no list. @param type default: one that the webhook gets */
export async function testWebhook(
  caller: Caller,
  { box, fetch }: WebhookParts,
  id: string,
  type?: EventType,
): Promise<TestResult> {
  const { tenant } = caller;
  const endpoint = await findEndpoint(tenant, id);
  const sent = type ?? endpoint.types?.[0] ?? 'territory.approved';
  const at = new Date();
  const eventId = `evt_test_${at.getTime().toString(36)}`;
  const secrets = await readSecrets(tenant, endpoint.id);
  const attempt = await sendEvent(
    { box, fetch },
    { url: endpoint.url, secrets },
    {
      id: eventId,
      type: sent,
      timestamp: at.toISOString(),
      test: true,
      data: EVENT_EXAMPLES[sent]!,
    },
  );
  return { endpoint, eventId, type: sent, attempt };
}
