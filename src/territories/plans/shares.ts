/** Links that show the current state of a plan to anyone who has them. */
import { cacheOf } from '../../base/cache/cache.ts';
import { recordChange } from '../../people/account/activity.ts';
import type { Actor } from '../../people/account/caller.ts';
import { tenantOf, type Tenant, type TenantTransaction } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import { conflict, notFound } from '../../errors.ts';
import { eventPlan } from '../../people/events/catalog.ts';
import { recordEvent } from '../../people/events/events.ts';
import type { ShareStatus } from '../share/links.ts';
import { parseToken, randomCode } from '../share/token.ts';
import { findPlan, type SavedPlan } from './plans.ts';

export interface PlanShare {
  /** The token, a UUID */
  id: string;
  /** Short code, accepted instead of the token */
  code: string;
  status: ShareStatus;
  createdBy: Actor;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
}

const COLUMNS = `id, code, created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt",
  case when revoked_at is not null then 'revoked'
       when expires_at <= now() then 'expired' else 'active' end as status`;

/** Largest number of active links of a plan. It stops programs that create links and never revoke them. */
const MAX_ACTIVE = 100;

/** Creates a link. @throws ServiceError 409 if the plan has too many active links */
export async function mintPlanShare(
  tx: TenantTransaction,
  actor: Actor,
  plan: Pick<SavedPlan, 'id' | 'name'>,
  days: number,
): Promise<PlanShare> {
  const [share] = await tx.query<PlanShare>(
    `insert into plan_shares (organization_id, plan_id, code, created_by, expires_at)
     select $1, $2, $3, $4, now() + make_interval(hours => 24 * $5::int)
     where (select count(*) from plan_shares where organization_id = $1 and plan_id = $2
            and revoked_at is null and expires_at > now()) < ${MAX_ACTIVE}
     returning ${COLUMNS}`,
    [plan.id, randomCode(), actor, days],
  );
  if (share) {
    recordShareEvent(tx, 'share.created', actor, plan, share);
    return share;
  }
  throw conflict(`A plan can have ${MAX_ACTIVE} active links. Revoke some first.`);
}

function recordShareEvent(
  tx: TenantTransaction,
  type: 'share.created' | 'share.revoked',
  actor: Actor,
  plan: Pick<SavedPlan, 'id' | 'name'>,
  { code, expiresAt }: PlanShare,
): void {
  const isNew = type === 'share.created';
  const summary = isNew
    ? `Shared the plan ${plan.name} until ${expiresAt.toISOString().slice(0, 10)} as ${code}.`
    : `Revoked the share link ${code} of the plan ${plan.name}.`;
  const link = { plan: plan.id, code, expiresAt: expiresAt.toISOString() };
  recordChange(tx, actor, isNew ? 'share_minted' : 'share_revoked', summary, {
    [isNew ? 'after' : 'before']: link,
  });
  recordEvent(tx, {
    type,
    actor,
    data: {
      code,
      brand: null,
      plan: eventPlan(plan),
      title: null,
      kind: 'plan' as const,
      expiresAt: expiresAt.toISOString(),
    },
  });
}

/** Lists the links of a plan, newest first. */
export const listPlanShares = (
  tenant: Tenant,
  { id }: Pick<SavedPlan, 'id'>,
): Promise<PlanShare[]> =>
  tenant.query<PlanShare>(
    `select ${COLUMNS} from plan_shares where organization_id = $1 and plan_id = $2
     order by created_at desc, id desc limit 500`,
    [id],
  );

/** A link to any plan of the organization */
export interface SharedPlan extends PlanShare {
  plan: Pick<SavedPlan, 'id' | 'name'>;
}

/** Largest number of links that a page lists */
export const MAX_LISTED = 200;

/** Lists the links to all plans, newest first. @param status Default: all */
export const listSharedPlans = (tenant: Tenant, status?: ShareStatus): Promise<SharedPlan[]> =>
  tenant.query<SharedPlan>(
    `select * from (
       select ${COLUMNS}, (select jsonb_build_object('id', p.id, 'name', p.name) from territory_plans p
         where p.organization_id = $1 and p.id = plan_shares.plan_id) as plan
       from plan_shares where organization_id = $1
     ) links
     where $2::text is null or status = $2
     order by "createdAt" desc, id desc limit ${MAX_LISTED}`,
    [status],
  );

/**
 * Revokes a link permanently. An expired or revoked link stays as it is.
 * @param ref token, short code, or address
 * @throws ServiceError 404 if the plan has no such link
 */
export async function revokePlanShare(
  tx: TenantTransaction,
  actor: Actor,
  plan: Pick<SavedPlan, 'id' | 'name'>,
  ref: string,
): Promise<PlanShare> {
  const { id, code } = parseToken(ref);
  const [revoked] = await tx.query<PlanShare>(
    `update plan_shares set revoked_at = now()
     where organization_id = $1 and plan_id = $2 and (id = $3 or code = $4)
       and revoked_at is null and expires_at > now()
     returning ${COLUMNS}`,
    [plan.id, id, code],
  );
  if (revoked) {
    recordShareEvent(tx, 'share.revoked', actor, plan, revoked);
    return revoked;
  }
  const [share] = await tx.query<PlanShare>(
    `select ${COLUMNS} from plan_shares
     where organization_id = $1 and plan_id = $2 and (id = $3 or code = $4)`,
    [plan.id, id, code],
  );
  if (share) return share;
  throw notFound(
    `"${plan.name}" has no link "${ref}". Use the address, token, or short code of a link in its list of links.`,
  );
}

export const NO_SUCH_PLAN_SHARE =
  'There is no shared plan at this link: it is unknown, expired, or revoked. Ask the sender for a new link.';

export interface OpenPlan {
  /** Never public */
  organizationId: string;
  expiresAt: Date;
  /** The plan as the public sees it, without brands */
  plan: SavedPlan;
}

const ZIP_BYTES = 50;

/** Shared plans by id and version, since a map requests dozens of tiles of the same plan */
const openedPlans = cacheOf<SavedPlan>(({ zips }) => ZIP_BYTES * zips.length);

/**
 * Opens a link for the public. Unknown, malformed, revoked, and expired links take the same query and give the
 * same error.
 * @param token token or short code
 * @throws ServiceError 404, the same for every cause
 */
export async function openPlanShare(db: Database, token: string): Promise<OpenPlan> {
  const { id, code } = parseToken(token);
  // Searches all organizations: the token is the credential. Both columns are unique and indexed.
  const [row] = await db.query<{
    organizationId: string;
    planId: string;
    version: number;
    expiresAt: Date;
  }>(
    `select s.organization_id as "organizationId", s.plan_id as "planId", p.version,
       s.expires_at as "expiresAt"
     from plan_shares s
     join territory_plans p on p.organization_id = s.organization_id and p.id = s.plan_id
     where (s.id = $1 or s.code = $2) and s.revoked_at is null and s.expires_at > now()`,
    [id, code],
  );
  if (!row) throw notFound(NO_SUCH_PLAN_SHARE);
  const { organizationId, planId, version, expiresAt } = row;
  const known = openedPlans.get(`${planId} ${version}`);
  if (known) return { organizationId, expiresAt, plan: known };
  const tenant = tenantOf(db, organizationId);
  const plan = withoutBrands(await findPlan(tenant, planId), await brandNames(tenant));
  openedPlans.set(`${planId} ${plan.version}`, plan);
  return { organizationId, expiresAt, plan };
}

const normalizeForComparison = (name: string) => name.trim().toLowerCase();

async function brandNames(tenant: Tenant): Promise<Set<string>> {
  const rows = await tenant.query<{ name: string }>(
    'select name from brands where organization_id = $1',
  );
  return new Set(rows.map(({ name }) => normalizeForComparison(name)));
}

/** Removes brands, and names of territories that are a brand's name, as in plans that start with live territories. */
const withoutBrands = (plan: SavedPlan, brands: ReadonlySet<string>): SavedPlan => ({
  ...plan,
  territories: plan.territories.map(({ number, name, zips }) => ({
    number,
    zips,
    brand: null,
    name: brands.has(normalizeForComparison(name)) ? `Territory ${number}` : name,
  })),
});

/** Returns the path of a shared plan's page. @param token token or short code */
export const planPagePath = (token: string) => `/p/${encodeURIComponent(token)}`;
