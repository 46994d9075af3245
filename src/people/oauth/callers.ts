/** Looks up the caller of a connector's access token for each request, as for an API key. */
import type { Caller } from '../account/caller.ts';
import { callerOfPerson } from '../account/callers.ts';
import { looksLikeAccessToken } from '../account/key-text.ts';
import { connectionOfToken, recordUse } from '../account/connections/access-tokens.ts';
import type { Database } from '../../base/db/database.ts';
import { WRITE } from './scopes.ts';

/**
 * Returns the person who granted the token, with their current permissions in the chosen organization,
 * limited to the granted scope. Two queries take less time than PostgreSQL takes just to plan
 * a single query over all six tables.
 * @param audiences URLs. The token must be issued for one of them
 * @returns null, without a reason, if the token is malformed, unknown, expired, revoked, or for another
 *   service. Also null if the person left the organization or lacks the second factor that it requires:
 *   signing in again leads them to set it up
 */
export async function callerOfToken(
  db: Database,
  token: string,
  audiences: readonly string[],
): Promise<Caller | null> {
  if (!looksLikeAccessToken(token)) return null;
  const found = await connectionOfToken(db, token, audiences);
  const person = found && (await callerOfPerson(db, found.organizationId, found.personId, found));
  if (!person || person.lacksSecondFactor) return null;
  recordUse(db, found);
  const connector = { name: found.clientName, mayWrite: found.scope.split(' ').includes(WRITE) };
  return {
    ...person,
    actor: { kind: 'person', id: found.personId, name: person.actor.name, via: connector.name },
    mayWrite: person.mayWrite && connector.mayWrite,
    connector,
  };
}
