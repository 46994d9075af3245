/** Somebody at a page: who they are, as their session tells. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../account/caller.ts';
import { callerOfPerson } from '../../account/callers.ts';
import { sessionOf, type Session, type SignInPlace } from '../../account/sessions.ts';
import type { Roots } from '../../contract/openapi/about.ts';
import type { Request } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { crossSite } from '../../errors.ts';
import type { Limiter } from '../../metering/limiter.ts';
import type { AuthorizationServer } from '../../oauth/authorization.ts';
import type { Renderer } from '../../render/renderer.ts';
import { Links } from '../../site/links.ts';
import { isSameOrigin } from '../same-origin.ts';
import type { SessionCookie } from '../session-cookie.ts';

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

/** @throws ServiceError 403 for what a browser does not tell to come from a page of this site */
export function requireSameOrigin({ headers }: Pick<Request, 'headers'>, { roots }: PeopleParts) {
  if (isSameOrigin(headers, roots().site)) return;
  throw crossSite('This form was not sent from a page of this site, so nothing was changed.');
}
