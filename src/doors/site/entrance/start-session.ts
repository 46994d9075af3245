/** Starts a session in the visitor's browser, after the second factor if the person has one. */
import { sendAlert } from '../../../people/account/alerts.ts';
import { hasSecondFactor } from '../../../people/account/has-second-factor.ts';
import { rememberBrowser } from '../../../people/account/known-browsers.ts';
import { endSession, releaseHeldSession, startSession } from '../../../people/account/sessions.ts';
import { badRequest } from '../../../errors.ts';
import type { Notice } from '../notices.ts';
import type { FormOutcome } from '../framework/page.ts';
import type { Visit } from '../framework/visit.ts';
import { withNext } from './next.ts';

export const ACCOUNT_HOME = '/account';
export const SECOND_STEP_PATH = '/login/second-factor';

interface Arrival {
  /** Path of the site to open */
  to: string;
  notice?: Notice;
  /** The organization to act for. Default: the first one that the person joined */
  organizationId?: string | undefined;
  /** Whether the person has just proved their identity. Default: true */
  isConfirmed?: boolean;
  /** The sign-in at the person's company on which the session depends */
  companyGrant?: string;
}

/**
 * Continues a sign-in after the password, or after its replacement, such as a link sent by email. Asks for
 * the second factor if the person has one and isn't signed in yet.
 */
export async function startSessionAt(
  visit: Visit,
  personId: string,
  arrival: Arrival,
): Promise<FormOutcome<'anyone'>> {
  const { db, cookie, session, place } = visit;
  // At a company sign-in, the person's own second factor wasn't asked for.
  const isSignedIn = session?.person.id === personId && !session.company;
  if (isSignedIn || !(await hasSecondFactor(db, personId))) {
    return finishSignIn(visit, personId, arrival);
  }
  await endPrevious(visit);
  const { organizationId, to } = arrival;
  const secret = await startSession(db, personId, place, { organizationId, isUnfinished: true });
  return {
    to: withNext(SECOND_STEP_PATH, to === ACCOUNT_HOME ? '' : to),
    cookies: [cookie.set(secret)],
  };
}

/** Starts a session for a person who has completed all steps, and remembers the browser. */
export async function finishSignIn(
  visit: Visit,
  personId: string,
  { to, notice, ...options }: Arrival,
): Promise<{ to: string; cookies: string[]; notice?: Notice }> {
  await endPrevious(visit);
  const secret = await startSession(visit.db, personId, visit.place, options);
  return arrive(visit, personId, secret, { to, ...(notice && { notice }) });
}

/**
 * Replaces the browser's session with the one that `holdSignIn` started.
 * @throws ServiceError 400 if the time is over
 */
export async function finishHeldSignIn(
  visit: Visit,
  to: string,
): Promise<{ to: string; cookies: string[] }> {
  const { db, companyCookie, headers } = visit;
  const held = await releaseHeldSession(db, companyCookie.read(headers));
  if (!held) throw badRequest('This sign-in is no longer valid. Sign in again.');
  await endPrevious(visit);
  const { cookies } = await arrive(visit, held.personId, held.secret, { to });
  return { to, cookies: [...cookies, companyCookie.clear()] };
}

/**
 * Keeps a company sign-in until the person who is signed in has decided whether it replaces their session.
 * @returns `Set-Cookie` values
 */
export async function holdSignIn(
  { db, companyCookie, place }: Visit,
  personId: string,
  { to: _to, notice: _notice, ...options }: Arrival,
): Promise<string[]> {
  const secret = await startSession(db, personId, place, { ...options, isUnfinished: true });
  return [companyCookie.set(secret)];
}

/** Remembers the browser, and tells the person about another one. */
async function arrive(
  { db, cookie, browserCookie, headers, place, sendsMail }: Visit,
  personId: string,
  secret: string,
  { to, notice }: { to: string; notice?: Notice },
): Promise<{ to: string; cookies: string[]; notice?: Notice }> {
  const browser = await rememberBrowser(db, personId, browserCookie.read(headers));
  if (browser.isAnother && sendsMail) {
    await sendAlert(db, personId, { about: 'sign-in', ...place });
  }
  const cookies = [cookie.set(secret), browserCookie.set(browser.secret)];
  return { to, cookies, ...(notice && { notice }) };
}

/** Ends the browser's previous session, even if it belongs to someone else. */
async function endPrevious({ db, session }: Visit): Promise<void> {
  if (session) await endSession(db, session.person.id, session.id).catch(() => {});
}

/** @returns the path that the person asked for before signing in, or the account's */
export function pathAfterSignIn(next: string | null): string {
  const here = 'http://here.invalid';
  if (!next?.startsWith('/') || !URL.canParse(next, here)) return ACCOUNT_HOME;
  const { origin, pathname, search } = new URL(next, here);
  return origin === here && !pathname.startsWith('//') ? pathname + search : ACCOUNT_HOME;
}
