/** The webhooks of an organization: addresses that get its events. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../../people/account/caller.ts';
import type { SecretBox } from '../../../people/account/secret-box.ts';
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import { badRequest, conflict, notFound } from '../../../errors.ts';
import type { EventType } from '../../../people/events/catalog.ts';
import { lastPosition } from '../../../people/events/events.ts';
import type { Brand } from '../../brands/brands.ts';
import { BRAND_JSON } from '../../brands/named-brands.ts';
import { newWebhookSecret, OVERLAP_HOURS, type StoredSecrets } from './secrets.ts';

/** Why a webhook is off: a person turned it off, a delivery failed for three days, or the receiver answered 410 */
export type OffReason = 'person' | 'failing' | 'gone';

/** `new`: nothing sent yet; `failing`: an attempt failed, and is repeated; `off`: nothing is sent */
export const HEALTHS = ['new', 'working', 'failing', 'off'] as const;
export type Health = (typeof HEALTHS)[number];

export interface Endpoint {
  id: string;
  url: string;
  description: string | null;
  /** Null: all types */
  types: EventType[] | null;
  /** By slug; null: all brands, and events of the whole organization */
  brands: Brand[] | null;
  health: Health;
  /** Null while it's on */
  off: { at: Date; because: OffReason } | null;
  /** When the replaced secret stops signing; null without one */
  oldSecretUntil: Date | null;
  /** Deliveries that wait, including those that are repeated */
  waiting: number;
  /** Deliveries that were given up */
  failed: number;
  /** When a delivery last succeeded */
  deliveredAt: Date | null;
  createdBy: Actor;
  createdAt: Date;
}

/** Stops programs that create webhooks and never delete them */
const MAX_ENDPOINTS = 20;
const MAX_URL = 2_000;
const MAX_DESCRIPTION = 200;

const COLUMNS = `e.id, e.url, e.description, e.types,
  (select jsonb_agg(${BRAND_JSON} order by b.slug) from brands b
   where b.organization_id = $1 and b.id = any(e.brand_ids)) as brands,
  case when e.disabled_at is not null
    then jsonb_build_object('at', e.disabled_at, 'because', e.disabled_because) end as off,
  case when e.old_secret_until > now() then e.old_secret_until end as "oldSecretUntil",
  case when e.disabled_at is not null then 'off'
    when d.is_failing then 'failing'
    when d.is_known then 'working' else 'new' end as health,
  d.waiting, d.failed, d."deliveredAt",
  e.created_by as "createdBy", e.created_at as "createdAt"`;

/** A delivery that turned its webhook off, and isn't repeated until the webhook is on again */
export const GIVEN_UP_FOR_NOW = 'done_at is null and attempts > 0 and due_at is null';

/** At most 90 days of deliveries are kept. */
const DELIVERIES = `cross join lateral (
  select count(*) filter (where done_at is null and not (${GIVEN_UP_FOR_NOW})) as waiting,
    count(*) filter (where result = 'failed' or ${GIVEN_UP_FOR_NOW}) as failed,
    coalesce(bool_or(done_at is null and attempts > 0), false) as is_failing,
    count(*) filter (where attempted_at is not null) > 0 as is_known,
    max(attempted_at) filter (where result = 'delivered') as "deliveredAt"
  from webhook_deliveries where organization_id = $1 and endpoint_id = e.id) d`;

type Row = Omit<Endpoint, 'off'> & { off: { at: string; because: OffReason } | null };
const fromRow = ({ off, ...row }: Row): Endpoint => ({
  ...row,
  off: off && { at: new Date(off.at), because: off.because },
});

/** Lists webhooks, oldest first. */
export async function listEndpoints(tenant: Tenant): Promise<Endpoint[]> {
  const rows = await tenant.query<Row>(
    `select ${COLUMNS} from webhook_endpoints e ${DELIVERIES}
     where e.organization_id = $1 order by e.created_at, e.id`,
  );
  return rows.map(fromRow);
}

/** @throws ServiceError 404 */
export async function findEndpoint(tenant: Tenant, id: string): Promise<Endpoint> {
  const [row] = await tenant.query<Row>(
    `select ${COLUMNS} from webhook_endpoints e ${DELIVERIES}
     where e.organization_id = $1 and e.id::text = $2`,
    [id.trim().toLowerCase()],
  );
  if (row) return fromRow(row);
  throw notFound(`There is no webhook ${id}. The list of webhooks has their ids.`);
}

export interface EndpointFields {
  url: string;
  description?: string | null | undefined;
  /** Null: all types */
  types?: readonly EventType[] | null | undefined;
  /** Ids; null: all brands */
  brandIds?: readonly string[] | null | undefined;
}

/**
 * Returns the address of a webhook as it's stored.
 * @throws ServiceError 400 unless it's an https URL whose host is at a public address
 */
export async function checkedUrl(
  text: string,
  requireHost: (url: URL) => Promise<void>,
): Promise<string> {
  const url = URL.parse(text.trim());
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw badRequest(
      'Enter the address of a webhook as a URL that starts with https:// and has no user name or password.',
    );
  }
  if (url.href.length > MAX_URL) {
    throw badRequest(`The address of a webhook can have at most ${MAX_URL} characters.`);
  }
  url.hash = '';
  try {
    await requireHost(url);
  } catch (cause) {
    throw badRequest(
      `Webhooks are sent to public addresses, and ${url.hostname} is unknown or not public. Enter a host that can be reached from the internet.`,
      { cause },
    );
  }
  return url.href;
}

function checkedDescription(text: string | null | undefined): string | null {
  const description = text?.trim() ?? '';
  if (description.length <= MAX_DESCRIPTION && !/\p{Cc}/u.test(description)) {
    return description || null;
  }
  throw badRequest(
    `A description can have at most ${MAX_DESCRIPTION} characters, without control characters.`,
  );
}

/** An empty list would send nothing, so it means everything, as null does. */
const listed = <T>(values: readonly T[] | null | undefined) =>
  values == null || values.length === 0 ? null : [...new Set(values)];

/**
 * Creates a webhook for events from now on.
 * @param fields the URL is checked
 * @returns its id and its secret, which isn't shown again
 * @throws ServiceError 400 for an invalid description; 409 if there are too many
 */
export async function createEndpoint(
  tx: TenantTransaction,
  actor: Actor,
  { url, description, types, brandIds }: EndpointFields,
  box: SecretBox,
): Promise<{ id: string; secret: string }> {
  const id = randomUUID();
  const secret = newWebhookSecret();
  const [row] = await tx.query(
    `insert into webhook_endpoints
       (organization_id, id, url, description, types, brand_ids, secret, position, created_by)
     select $1, $2, $3, $4, $5, $6::uuid[], $7, $8, $9
     where (select count(*) from webhook_endpoints where organization_id = $1) < ${MAX_ENDPOINTS}
     returning id`,
    [
      id,
      url,
      checkedDescription(description),
      listed(types),
      listed(brandIds),
      box.seal(secret, id),
      await lastPosition(tx),
      actor,
    ],
  );
  if (row) return { id, secret };
  throw conflict(`An organization can have ${MAX_ENDPOINTS} webhooks. Delete one first.`);
}

export interface EndpointEdit extends Partial<EndpointFields> {
  /** Turning a webhook on continues with the events that it missed */
  on?: boolean | undefined;
}

/** Changes the given fields. @param edit the URL is checked @throws ServiceError 404; 400 as `createEndpoint` */
export async function editEndpoint(
  tx: TenantTransaction,
  id: string,
  { url, description, types, brandIds, on }: EndpointEdit,
): Promise<Endpoint> {
  const before = await findEndpoint(tx, id);
  tx.defer(
    `update webhook_endpoints set url = $3, description = $4,
       types = case when $5 then $6::text[] else types end,
       brand_ids = case when $7 then $8::uuid[] else brand_ids end
     where organization_id = $1 and id = $2`,
    [
      before.id,
      url ?? before.url,
      description === undefined ? before.description : checkedDescription(description),
      types !== undefined,
      listed(types),
      brandIds !== undefined,
      listed(brandIds),
    ],
  );
  if (on === false && before.off === null) turnOff(tx, before.id, 'person');
  if (on === true && before.off !== null) turnOn(tx, before.id);
  return findEndpoint(tx, before.id);
}

/** Turns a webhook off. What waits stays, and is sent when it's turned on. */
export function turnOff(tx: TenantTransaction, id: string, because: OffReason): void {
  tx.defer(
    `update webhook_endpoints set disabled_at = now(), disabled_because = $3
     where organization_id = $1 and id = $2 and disabled_at is null`,
    [id, because],
  );
}

/**
 * Turns a webhook on. The first delivery of each lane that isn't done is due, with all of its attempts: the one that
 * turned the webhook off, too.
 */
function turnOn(tx: TenantTransaction, id: string): void {
  tx.defer(
    `update webhook_endpoints set disabled_at = null, disabled_because = null, due_at = now()
     where organization_id = $1 and id = $2`,
    [id],
  );
  tx.defer(
    `update webhook_deliveries d set attempts = 0,
       due_at = case when position = (
         select min(position) from webhook_deliveries first
         where first.endpoint_id = $2 and first.lane = d.lane and first.done_at is null
           and not first.resent) then now() end
     where organization_id = $1 and endpoint_id = $2 and done_at is null and not resent`,
    [id],
  );
}

/** Returns the secrets that sign now. @param id of a webhook that exists */
export async function readSecrets(tenant: Tenant, id: string): Promise<StoredSecrets> {
  const [row] = await tenant.query<StoredSecrets & Record<string, unknown>>(
    `select id, secret, case when old_secret_until > now() then old_secret end as "oldSecret"
     from webhook_endpoints where organization_id = $1 and id = $2`,
    [id],
  );
  return row!;
}

/** Deletes a webhook with its deliveries. @throws ServiceError 404 */
export async function deleteEndpoint(tx: TenantTransaction, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(tx, id);
  tx.defer('delete from webhook_endpoints where organization_id = $1 and id = $2', [endpoint.id]);
  return endpoint;
}

/**
 * Replaces the secret. The replaced one also signs for `OVERLAP_HOURS`, so that receivers can change over. One that
 * was replaced before no longer signs.
 * @returns the new secret, which isn't shown again
 * @throws ServiceError 404
 */
export async function rotateSecret(
  tx: TenantTransaction,
  id: string,
  box: SecretBox,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { id: found } = await findEndpoint(tx, id);
  const secret = newWebhookSecret();
  tx.defer(
    `update webhook_endpoints set secret = $3, old_secret = secret,
       old_secret_until = now() + make_interval(hours => ${OVERLAP_HOURS})
     where organization_id = $1 and id = $2`,
    [found, box.seal(secret, found)],
  );
  return { endpoint: await findEndpoint(tx, found), secret };
}
