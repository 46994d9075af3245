/** Ends all signed URLs of an organization, for example after one has leaked. */
import type { Actor } from '../../people/account/caller.ts';
import type { SecretBox } from '../../people/account/secret-box.ts';
import { rotateSigningSecret } from '../../people/account/signing-secret.ts';
import type { TenantDatabase } from '../../people/account/tenant.ts';
import { recordActivity } from '../../people/account/activity.ts';

export async function endSignedUrls(
  tenant: TenantDatabase,
  actor: Actor,
  box: SecretBox,
): Promise<void> {
  await tenant.transaction(async (tx) => {
    await rotateSigningSecret(tx, box);
    recordActivity(tx, {
      actor,
      action: 'signed_urls_ended',
      brandId: null,
      zips: [],
      summary: 'Ended all signed URLs of the organization.',
      before: {},
      after: {},
    });
  });
}
