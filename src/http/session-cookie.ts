/** The cookie by which a browser shows that somebody is signed in. */
import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_DAYS } from '../account/sessions.ts';
import type { Roots } from '../contract/openapi/about.ts';

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
 * a person follows. Where all goes by TLS it never goes without; and where the site begins at its
 * host's root, the prefix `__Host-` keeps others beneath the same domain from writing it (RFC 6265bis,
 * 4.1.3.2).
 * @param roots known once the service listens
 */
export function sessionCookie(roots: () => Roots): SessionCookie {
  let known: { name: string; attributes: string } | undefined;
  const cookie = () => (known ??= cookieOf(new URL(roots().site)));
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

function cookieOf({ protocol, pathname }: URL): { name: string; attributes: string } {
  const isSecure = protocol === 'https:';
  return {
    name: isSecure && pathname === '/' ? '__Host-session' : 'session',
    attributes: `Path=${pathname}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  };
}

function valueOf(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key!.trim() === name) return value?.trim();
  }
  return undefined;
}
