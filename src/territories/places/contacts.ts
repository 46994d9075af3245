/** How customers reach a brand: what lookups and locators tell them. */
import { recordActivity } from '../../people/account/activity.ts';
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import type { Brand } from '../brands/brands.ts';
import { checkedTexts, type ContactFields } from './place-fields.ts';

export interface Contact extends ContactFields {
  /** Null: the brand’s own name */
  publicName: string | null;
}

export const CONTACT_FIELDS = ['publicName', 'phone', 'email', 'url'] as const;

const NO_CONTACT: Contact = { publicName: null, phone: null, email: null, url: null };

/** Returns the contact of a brand. All of its fields are null if none is set. */
export async function contactOf(tenant: Tenant, brandId: string): Promise<Contact> {
  const contacts = await contactsOf(tenant, [brandId]);
  return contacts.get(brandId) ?? NO_CONTACT;
}

/** Returns the contacts of brands that have one, by brand id. */
export async function contactsOf(
  tenant: Tenant,
  brandIds: readonly string[],
): Promise<ReadonlyMap<string, Contact>> {
  const rows = await tenant.query<Contact & { brandId: string }>(
    `select brand_id as "brandId", public_name as "publicName", phone, email, url from brand_contacts
     where organization_id = $1 and brand_id = any($2::uuid[])`,
    [brandIds],
  );
  return new Map(rows.map(({ brandId, ...contact }) => [brandId, contact]));
}

/**
 * Sets the contact of a brand. Fields that are left out stay; null and empty texts clear theirs.
 * @throws ServiceError 400 for an invalid one
 */
export async function setContact(
  tx: TenantTransaction,
  actor: Actor,
  { id, name }: Pick<Brand, 'id' | 'name'>,
  fields: { readonly [Field in keyof Contact]?: string | null | undefined },
): Promise<Contact> {
  const checked = checkedTexts(fields, CONTACT_FIELDS);
  const before = await contactOf(tx, id);
  const after: Contact = { ...before, ...checked };
  await tx.query(
    `insert into brand_contacts (organization_id, brand_id, public_name, phone, email, url, changed_by)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (brand_id) do update set public_name = excluded.public_name, phone = excluded.phone,
       email = excluded.email, url = excluded.url, changed_by = excluded.changed_by,
       changed_at = statement_timestamp()`,
    [id, after.publicName, after.phone, after.email, after.url, actor],
  );
  recordActivity(tx, {
    actor,
    action: 'contact_set',
    brandId: id,
    summary: `Set how customers reach ${name}.`,
    zips: [],
    before: { ...before },
    after: { ...after },
  });
  return after;
}
