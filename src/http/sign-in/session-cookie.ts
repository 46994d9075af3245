/** The cookie by which a browser shows that somebody is signed in. */
import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_DAYS } from '../../account/sessions.ts';
import type { Roots } from '../../contract/openapi/about.ts';
import { sessionCookieName } from '../../contract/session-cookie.ts';

export interface SessionCookie {
  /** Address of the site whose cookie it is */
  site(): string;
  /** What the browser holds; undefined: nothing */
  read(headers: IncomingHttpHeaders): string | undefined;
  /** The `Set-Cookie` field that has it hold this */
  set(secret: string): string;
  /** The field that has it hold nothing */
  clear(): string;
}

const DAY_SECONDS = 86_400;

/**
 * Scripts cannot read it, and requests that another site starts do not carry it, but for links that
 * a person follows. Where all goes by TLS it never goes without.
 * @param roots known once the service listens
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
