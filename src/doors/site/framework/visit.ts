/** A request to the site, with the session of the visitor. */
import { Fields } from '../../http/requests/form-fields.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../../people/account/caller.ts';
import { callerOfPerson } from '../../../people/account/callers.ts';
import type { CompanyParts } from '../../../people/account/company-sign-in/parts.ts';
import type { SecretBox } from '../../../people/account/secret-box.ts';
import { sessionOf, type Session, type SignInPlace } from '../../../people/account/sessions.ts';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import type { Request } from '../../../base/contract/operation.ts';
import type { Database } from '../../../base/db/database.ts';
import { conflict, unauthorized } from '../../../errors.ts';
import type { AnswerCaches } from '../../http/answers/answer-caches.ts';
import { FOR_ORGANIZATION, switchProblem } from '../../http/sign-in/for-organization.ts';
import type { SiteCookie } from '../../http/sign-in/site-cookie.ts';
import type { Limiter } from '../../../people/metering/limiter.ts';
import type { WebhookParts } from '../../../territories/notify/webhooks/manage.ts';
import type { AuthorizationServer } from '../../../people/oauth/authorization.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { Geocoder } from '../../../data/geocoding/geocoder.ts';
import type { DriveTimes } from '../../../data/routing/drive-times.ts';
import { Links } from '../links.ts';

/** The parts of the application that the site needs. */
export interface SiteParts {
  db: Database;
  renderer: MapRenderer;
  /** Default: no routing server */
  driveTimes?: DriveTimes | undefined;
  /** Finds addresses. Default: no geocoder */
  geocoder?: Geocoder | undefined;
  caches: AnswerCaches;
  limiter: Limiter;
  roots: () => Roots;
  /** The session of a signed-in person */
  cookie: SiteCookie;
  /** Recognizes browsers in which people have signed in before */
  browserCookie: SiteCookie;
  connectors: AuthorizationServer;
  /** Whether the service sends email */
  sendsMail: boolean;
  /** Decrypts the secrets of authenticator apps */
  secrets: SecretBox;
  /** Decrypts the secrets that sign URLs */
  signingSecrets: SecretBox;
  /** Reaches the providers of company sign-in */
  company: CompanyParts;
  /** Recognizes the browser that started a company sign-in */
  companyCookie: SiteCookie;
  /** Stores and calls webhooks */
  webhooks: WebhookParts;
}

export interface Visit extends SiteParts {
  params: Record<string, string>;
  query: Fields;
  headers: IncomingHttpHeaders;
  place: SignInPlace;
  /** Null if the visitor isn't signed in */
  session: Session | null;
  links: Links;
}

/** A visit by a signed-in person who belongs to an organization. */
export interface MemberVisit extends Visit {
  session: Session;
  caller: Caller;
}

/** Responses made for one person must not be cached or indexed. */
export const PRIVATE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' } as const;

export async function readVisit(
  request: Pick<Request, 'params' | 'query' | 'headers' | 'client'>,
  parts: SiteParts,
): Promise<Visit> {
  const { db, cookie, roots } = parts;
  const secret = cookie.read(request.headers);
  return {
    ...parts,
    params: request.params as Record<string, string>,
    query: new Fields(
      Object.entries(request.query as Record<string, string | string[]>).flatMap(([name, values]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      ),
    ),
    headers: request.headers,
    place: { userAgent: request.headers['user-agent'] ?? '', client: request.client },
    session: secret === undefined ? null : await sessionOf(db, secret),
    links: new Links(roots()),
  };
}

/**
 * Identifies the visitor, and adds them to the request's log lines.
 * @returns null if the visitor isn't signed in or belongs to no organization
 */
export async function asMember(
  visit: Visit,
  request: Pick<Request, 'identify'>,
): Promise<MemberVisit | null> {
  const { db, session } = visit;
  if (!session?.organizationId) return null;
  const caller = await callerOfPerson(db, session.organizationId, session.person.id, {
    byCompany: session.company !== null,
  });
  if (!caller) return null;
  request.identify(caller);
  return { ...visit, session, caller };
}

export const signedOut = () => unauthorized('You are signed out. Sign in again.');

export const secondFactorMissing = ({ caller }: MemberVisit) =>
  unauthorized(`${caller.organization.name} requires a second factor. Set one up in your account.`);

/** @throws ServiceError 409 if the form's page is from another organization */
export function requireSameOrganization({ caller }: MemberVisit, fields: URLSearchParams): void {
  const problem = switchProblem(caller, fields.get(FOR_ORGANIZATION));
  if (problem) throw conflict(problem);
}
