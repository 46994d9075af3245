/** The session cookie of signed-in people. */
import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_DAYS } from '../../account/sessions.ts';
import type { Roots } from '../../contract/openapi/about.ts';
import { sessionCookieName } from '../../contract/session-cookie.ts';

export interface SessionCookie {
  /** URL of the site */
  site(): string;
  /** The secret in the request's cookie, if any */
  read(headers: IncomingHttpHeaders): string | undefined;
  /** `Set-Cookie` value that stores the secret */
  set(secret: string): string;
  /** `Set-Cookie` value that deletes the cookie */
  clear(): string;
}

const DAY_SECONDS = 86_400;

/**
 * The cookie is `HttpOnly`, `SameSite=Lax`, and, on HTTPS sites, `Secure`.
 * @param roots available once the service listens
 */
export function sessionCookie(roots: () => Roots): SessionCookie {
  let known: { name: string; attributes: string } | undefined;
  const cookie = () => (known ??= cookieOf(roots().site));
  return {
    site: () => roots().site,
    read: (headers) => valueOf(headers.cookie ?? '', cookie().name),
    set: (secret) => {
      const { name, attributes } = cookie();
      return `${name}=${secret}; Max-Age=${SESSION_DAYS * DAY_SECONDS}; ${attributes}`;
    },
    clear: () => `${cookie().name}=; Max-Age=0; ${cookie().attributes}`,
  };
}

function cookieOf(site: string): { name: string; attributes: string } {
  const { protocol, pathname } = new URL(site);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return {
    name: sessionCookieName(site),
    attributes: `Path=${pathname}; HttpOnly; SameSite=Lax${secure}`,
  };
}

function valueOf(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key!.trim() === name) return value?.trim();
  }
  return undefined;
}
