/** Somebody at a page: who they are, as their session tells. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../account/caller.ts';
import { callerOfPerson } from '../../account/callers.ts';
import { sessionOf, type Session, type SignInPlace } from '../../account/sessions.ts';
import type { Roots } from '../../contract/openapi/about.ts';
import type { Request } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { conflict, crossSite, unauthorized } from '../../errors.ts';
import type { Limiter } from '../../metering/limiter.ts';
import type { AuthorizationServer } from '../../oauth/authorization.ts';
import type { Renderer } from '../../render/renderer.ts';
import { FOR_ORGANIZATION } from '../account/frame.ts';
import { Links } from '../links.ts';
import { isSameOrigin } from '../../http/sign-in/same-origin.ts';
import type { SessionCookie } from '../../http/sign-in/session-cookie.ts';

export interface PeopleParts {
  db: Database;
  renderer: Pick<Renderer, 'render'>;
  limiter: Limiter;
  roots: () => Roots;
  cookie: SessionCookie;
  connectors: AuthorizationServer;
}

/** Somebody looks at a page or sends its form. */
export interface Visit {
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  place: SignInPlace;
  /** Null: nobody is signed in */
  session: Session | null;
  links: Links;
}

/** Of somebody who is signed in and acts for an organisation */
export interface MemberVisit extends Visit {
  session: Session;
  caller: Caller;
}

/** What answers to one person carry: nobody keeps them, and no search finds them. */
export const PRIVATE = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
} as const;

export async function visitOf(
  request: Request,
  { db, cookie, roots }: PeopleParts,
): Promise<Visit> {
  const secret = cookie.read(request.headers);
  return {
    params: request.params as Record<string, string>,
    query: new URLSearchParams(request.query as Record<string, string>),
    headers: request.headers,
    place: { userAgent: request.headers['user-agent'] ?? '', client: request.client },
    session: secret === undefined ? null : await sessionOf(db, secret),
    links: new Links(roots()),
  };
}

/** @returns null for somebody who is not signed in, or who acts for no organisation */
export async function memberOf(visit: Visit, db: Database): Promise<MemberVisit | null> {
  const { session } = visit;
  if (!session?.organizationId) return null;
  const caller = await callerOfPerson(db, session.organizationId, session.person.id);
  return caller && { ...visit, session, caller };
}

/**
 * For operations that are sent a form: whose page sends it is asked before it is read; and of a form
 * that may hold files, whether somebody is signed in.
 */
export const beforeForm = (parts: PeopleParts, uploadBytes?: number) => ({
  async beforeBody(request: Pick<Request, 'headers'>): Promise<void> {
    requireSameOrigin(request, parts);
    if (uploadBytes === undefined) return;
    const secret = parts.cookie.read(request.headers);
    if (secret === undefined || !(await sessionOf(parts.db, secret))) throw signedOut();
  },
});

export const signedOut = () => unauthorized('You are not signed in any more. Sign in again.');

/**
 * Somebody may act for another organisation by now than when the page was made that sends this.
 * @throws ServiceError 409
 */
export function requireSameOrganization({ caller }: MemberVisit, fields: URLSearchParams): void {
  const meant = fields.get(FOR_ORGANIZATION);
  if (meant === null || meant === caller.organization.id) return;
  throw conflict(
    `You act for ${caller.organization.name} now, and this page was made for another organisation: ` +
      'nothing was changed. Go back, and load the page anew.',
  );
}

/** @throws ServiceError 403 for what a browser does not tell to come from a page of this site */
function requireSameOrigin({ headers }: Pick<Request, 'headers'>, { roots }: PeopleParts) {
  if (isSameOrigin(headers, roots().site)) return;
  throw crossSite('This form was not sent from a page of this site, so nothing was changed.');
}
