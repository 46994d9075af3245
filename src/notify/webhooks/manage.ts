/** What owners, admins, and keys do with webhooks: checks, then the change. */
import type { Caller } from '../../account/caller.ts';
import type { SecretBox } from '../../account/secret-box.ts';
import { requireAccess } from '../../account/access.ts';
import type { EventType } from '../../events/catalog.ts';
import { EVENT_EXAMPLES } from '../../events/examples.ts';
import type { ClientFetch } from '../../outside/public-fetch.ts';
import { findBrand } from '../../territory/brands.ts';
import type { Attempt } from './attempt.ts';
import {
  checkedUrl,
  createEndpoint,
  editEndpoint,
  findEndpoint,
  readSecrets,
  requireWebhookManager,
  type Endpoint,
  type EndpointEdit,
} from './endpoints.ts';
import { sendEvent } from './send-event.ts';

/** How webhooks are stored and called */
export interface WebhookParts {
  /** Encrypts the secrets */
  box: SecretBox;
  fetch: ClientFetch;
  /** Checks where a host name leads. Default: it must be at a public address. Tests have no such host */
  requireHost?: (url: URL) => Promise<void>;
}

export interface NewWebhook extends Omit<EndpointEdit, 'on' | 'url' | 'brandIds'> {
  url: string;
  /** Slugs, names, or ids; null: all brands */
  brands?: readonly string[] | null | undefined;
}

export type WebhookEdit = Partial<NewWebhook> & Pick<EndpointEdit, 'on'>;

/** @returns the caller, who may manage webhooks @throws ServiceError 402; 403 as `requireWebhookManager` */
export function asWebhookManager(caller: Caller): Caller {
  requireAccess(caller);
  requireWebhookManager(caller);
  return caller;
}

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
 * @throws ServiceError as `asWebhookManager`, `checkedUrl`, `findBrand`, and `createEndpoint`
 */
export async function createWebhook(
  caller: Caller,
  { box, requireHost }: WebhookParts,
  { url, brands, ...fields }: NewWebhook,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { tenant, actor } = asWebhookManager(caller);
  const checked = await checkedUrl(url, requireHost);
  const brandIds = await brandIdsOf(caller, brands);
  return tenant.transaction(async (tx) => {
    const { id, secret } = await createEndpoint(
      tx,
      actor,
      { ...fields, url: checked, brandIds },
      box,
    );
    return { endpoint: await findEndpoint(tx, id), secret };
  });
}

/** Changes the given fields of a webhook. @throws ServiceError as `createWebhook`; 404 */
export async function editWebhook(
  caller: Caller,
  { requireHost }: WebhookParts,
  id: string,
  { url, brands, ...edit }: WebhookEdit,
): Promise<Endpoint> {
  const { tenant } = asWebhookManager(caller);
  const checked = url === undefined ? undefined : await checkedUrl(url, requireHost);
  const brandIds = await brandIdsOf(caller, brands);
  return tenant.transaction((tx) => editEndpoint(tx, id, { ...edit, url: checked, brandIds }));
}

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
  const { tenant } = asWebhookManager(caller);
  const endpoint = await findEndpoint(tenant, id);
  const sent = type ?? endpoint.types?.[0] ?? 'territory.approved';
  const at = new Date();
  const eventId = `evt_test_${at.getTime().toString(36)}`;
  const secrets = await readSecrets(tenant, endpoint.id);
  const attempt = await sendEvent(
    { box, fetch },
    { url: endpoint.url, secrets },
    {
      ...{ id: eventId, type: sent, timestamp: at.toISOString(), test: true },
      data: EVENT_EXAMPLES[sent]!,
    },
  );
  return { endpoint, eventId, type: sent, attempt };
}
