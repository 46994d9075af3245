import { endSession, startSession } from '../../account/sessions.ts';
import type { Notice } from '../notices.ts';
import type { Outcome } from '../framework/form.ts';
import type { Visit } from '../framework/visit.ts';

export const ACCOUNT_HOME = '/account';

/** Starts a new session and ends the browser's previous one, whoever it belonged to. */
export async function startSessionAt(
  { db, cookie, session, place }: Visit,
  personId: string,
  { to, notice, organizationId }: { to: string; notice?: Notice; organizationId?: string },
): Promise<Outcome<'anyone'>> {
  if (session) await endSession(db, session.person.id, session.id).catch(() => {});
  const secret = await startSession(db, personId, place, organizationId);
  return { to, cookie: cookie.set(secret), ...(notice && { notice }) };
}

/** @returns the path of this site that the person asked for before signing in, or the account's */
export function pathAfterSignIn(next: string | null): string {
  const here = 'http://here.invalid';
  if (!next?.startsWith('/') || !URL.canParse(next, here)) return ACCOUNT_HOME;
  const { origin, pathname, search } = new URL(next, here);
  return origin === here && !pathname.startsWith('//') ? pathname + search : ACCOUNT_HOME;
}
