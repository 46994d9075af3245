/** The secret that signs URLs of an organization. Replacing it ends every signed URL. */
import { newSecret } from './secret.ts';
import type { SecretBox } from './secret-box.ts';
import { boxOf, type SecretColumn } from './stored-secrets.ts';
import type { Tenant } from './tenant.ts';

/** Encrypts the secrets, bound to their organization. A hash isn't enough, because the service computes signatures. */
export const SIGNING_SECRETS: SecretColumn = {
  noun: 'signing secret',
  table: 'signing_secrets',
  column: 'secret',
  owner: 'organization_id',
  purpose: 'signed URLs',
};

export const signingSecretBox = (keys: readonly Uint8Array[]) => boxOf(SIGNING_SECRETS, keys);

/** Returns the secret, or null if the organization never signed a URL. */
export async function findSigningSecret(tenant: Tenant, box: SecretBox): Promise<string | null> {
  const [row] = await tenant.query<{ secret: string }>(
    'select secret from signing_secrets where organization_id = $1',
  );
  return row ? box.open(row.secret, tenant.organizationId) : null;
}

/** Returns when the secret was created, or null if the organization never signed a URL. */
export async function signingSince(tenant: Tenant): Promise<Date | null> {
  const [row] = await tenant.query<{ at: Date }>(
    'select created_at as at from signing_secrets where organization_id = $1',
  );
  return row?.at ?? null;
}

/** Returns the secret. Creates it on first use. */
export async function signingSecret(tenant: Tenant, box: SecretBox): Promise<string> {
  const known = await findSigningSecret(tenant, box);
  if (known !== null) return known;
  await tenant.query(
    `insert into signing_secrets (organization_id, secret) values ($1, $2)
     on conflict (organization_id) do nothing`,
    [newSealedSecret(tenant, box)],
  );
  // If two calls race, both return the secret of the first.
  return (await findSigningSecret(tenant, box))!;
}

/** Replaces the secret. URLs signed with the old secret end immediately in all processes. */
export async function rotateSigningSecret(tenant: Tenant, box: SecretBox): Promise<void> {
  await tenant.query(
    `insert into signing_secrets (organization_id, secret) values ($1, $2)
     on conflict (organization_id) do update set secret = excluded.secret, created_at = now()`,
    [newSealedSecret(tenant, box)],
  );
}

const newSealedSecret = ({ organizationId }: Tenant, box: SecretBox) =>
  box.seal(newSecret(), organizationId);
