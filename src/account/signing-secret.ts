/** The secret that signs URLs of an organization. Replacing it ends every signed URL. */
import type { Queryable } from '../db/database.ts';
import { newSecret } from './secret.ts';
import { secretBox, type SecretBox } from './secret-box.ts';
import type { Tenant } from './tenant.ts';

/** Encrypts the secrets, bound to their organization. A hash isn't enough, because the service computes signatures. */
export const signingSecretBox = (keys: readonly Uint8Array[]) => secretBox(keys, 'signed URLs');

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

/**
 * Encrypts secrets that are stored in plain text or under an older key. A secret whose key is missing stays until it is
 * rotated.
 */
export async function encryptSigningSecrets(db: Queryable, box: SecretBox): Promise<void> {
  if (box.prefix === '') return;
  const rows = await db.query<{ id: string; secret: string }>(
    `select organization_id as id, secret from signing_secrets where not starts_with(secret, $1)`,
    [box.prefix],
  );
  for (const { id, secret } of rows) {
    let opened: string;
    try {
      opened = box.open(secret, id);
    } catch {
      continue;
    }
    await db.query(
      'update signing_secrets set secret = $3 where organization_id = $1 and secret = $2',
      [id, secret, box.seal(opened, id)],
    );
  }
}
