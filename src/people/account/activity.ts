/**
 * Records activity: the log of all changes by people, keys, and connectors, with the values before and after. The
 * transaction of a change inserts its entry. A database trigger prevents later changes to entries. `territories/brands/activity.ts`
 * reads them.
 */
import type { Actor } from './caller.ts';
import type { TenantTransaction } from './tenant.ts';

export const ACTIONS = [
  'territory_applied',
  'territory_approved',
  'territory_rejected',
  'territory_removed',
  'removal_undone',
  'territory_withdrawn',
  'change_scheduled',
  'change_moved',
  'change_blocked',
  'terms_set',
  'territory_exported',
  'plan_exported',
  'data_exported',
  'exhibit_made',
  'share_minted',
  'share_revoked',
  'locator_created',
  'locator_changed',
  'locator_revoked',
  'plan_created',
  'plan_edited',
  'plan_applied',
  'plan_data_added',
  'plan_data_removed',
  'plan_deleted',
  'brand_created',
  'group_created',
  'group_changed',
  'group_deleted',
  'zips_reserved',
  'reserve_ended',
  'data_uploaded',
  'data_restored',
  'data_shared',
  'data_deleted',
  'place_added',
  'place_changed',
  'place_deleted',
  'places_imported',
  'contact_set',
  'targeting_set',
  'targeting_reset',
  'branding_set',
  'signed_urls_ended',
  'member_invited',
  'invitation_revoked',
  'member_joined',
  'member_removed',
  'role_changed',
  'access_changed',
  'second_factor_rule_changed',
  'review_settings_changed',
  'key_created',
  'key_revoked',
  'company_sign_in_changed',
  'webhook_created',
  'webhook_changed',
  'webhook_secret_replaced',
  'webhook_deleted',
] as const;

export type Action = (typeof ACTIONS)[number];

interface NewActivity {
  actor: Actor;
  action: Action;
  /** Null for an entry about the whole organization */
  brandId: string | null;
  /** One sentence without the actor: "Removed 2 ZIP codes from Lone Star: 75201, 75202." */
  summary: string;
  /** Affected ZIP codes, sorted */
  zips: readonly string[];
  /**
   * The state of each ZIP code, or null if the brand never held it. For weights: the weight of each signal, empty
   * for the public weights. For a look: its parts, with a hash of the logo
   */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  removalId?: string;
  /** The change of several brands, or with a date, that the entry belongs to */
  changeId?: string | undefined;
}

const INSERT = `insert into activity (organization_id, actor, brand_id, action, summary, zips,
    before, after, removal_id, change_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

const valuesOf = (entry: NewActivity) => {
  const { actor, action, brandId, summary, zips, before, after, removalId, changeId } = entry;
  return [actor, brandId, action, summary, zips, before, after, removalId, changeId];
};

/** Inserts an entry with the next query or the commit of the change's transaction. */
export const recordActivity = (tx: TenantTransaction, entry: NewActivity): void =>
  tx.defer(INSERT, valuesOf(entry));

/** As `recordActivity`, for a change of the organization itself, which belongs to no brand. */
export const recordChange = (
  tx: TenantTransaction,
  actor: Actor,
  action: Action,
  summary: string,
  {
    zips = [],
    before = {},
    after = {},
  }: Partial<Pick<NewActivity, 'zips' | 'before' | 'after'>> = {},
): void => recordActivity(tx, { actor, action, brandId: null, summary, zips, before, after });

/** Inserts an entry at once. @returns its id */
export async function insertActivity(tx: TenantTransaction, entry: NewActivity): Promise<number> {
  const [row] = await tx.query<{ id: number }>(`${INSERT} returning id`, valuesOf(entry));
  return row!.id;
}
