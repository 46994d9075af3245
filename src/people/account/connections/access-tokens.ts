/** Finds the connection of an access token. */
import type { Database, Queryable } from '../../../base/db/database.ts';
import { hashOfSecret } from '../secret.ts';
import { IS_COMPANY_CONFIRMED } from '../sessions.ts';

interface TokenConnection {
  connectionId: string;
  personId: string;
  organizationId: string;
  clientName: string;
  /** Granted scopes, separated by spaces */
  scope: string;
  isUseStale: boolean;
  /** Whether the person granted it after signing in at their company */
  byCompany: boolean;
}

const IS_USE_STALE = `(last_used_at is null or last_used_at < now() - interval '1 minute')`;

/**
 * @param audiences URLs. The token must be issued for one of them
 * @returns undefined if the token is unknown, expired, revoked, or for another service, or the person's company hasn't
 *   confirmed the account recently or requires that it does
 */
export async function connectionOfToken(
  db: Queryable,
  token: string,
  audiences: readonly string[],
): Promise<TokenConnection | undefined> {
  const [row] = await db.query<TokenConnection>(
    `select c.id as "connectionId", c.person_id as "personId",
       c.organization_id as "organizationId", c.client_name as "clientName",
       coalesce(t.payload->>'scope', '') as scope, ${IS_USE_STALE} as "isUseStale",
       c.company_grant is not null as "byCompany"
     from oauth_records t
       join oauth_connections c on c.grant_id = t.grant_id and c.expires_at > now()
       left join company_grants g
         on g.organization_id = c.organization_id and g.id = c.company_grant
     where t.id_hash = $1 and t.kind = 'AccessToken' and t.expires_at > now()
       and t.payload->>'aud' = any($2::text[])
       and case when g.id is null then not needs_company_sign_in(c.organization_id, c.person_id)
         else ${IS_COMPANY_CONFIRMED} end`,
    [hashOfSecret(token), audiences],
  );
  return row;
}

/**
 * Records that a connection was used, to the minute. Runs in the background, so the request neither waits for it nor
 * fails with it.
 */
export function recordUse(db: Database, { connectionId, isUseStale }: TokenConnection): void {
  if (!isUseStale) return;
  void db
    .query(`update oauth_connections set last_used_at = now() where id = $1 and ${IS_USE_STALE}`, [
      connectionId,
    ])
    .catch(() => {});
}
