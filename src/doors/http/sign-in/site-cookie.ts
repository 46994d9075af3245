/** Cookies of the site: the session of a signed-in person, and the browsers that people have used. */
import type { IncomingHttpHeaders } from 'node:http';
import { ATTEMPT_MINUTES } from '../../../people/account/company-sign-in/attempts.ts';
import { KNOWN_BROWSER_DAYS } from '../../../people/account/known-browsers.ts';
import { SESSION_DAYS } from '../../../people/account/sessions.ts';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { siteCookieName } from '../../../base/contract/session-cookie.ts';

export interface SiteCookie {
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

/** @param roots available once the service listens */
export const sessionCookie = (roots: () => Roots) => siteCookie(roots, 'session', SESSION_DAYS);

export const browserCookie = (roots: () => Roots) =>
  siteCookie(roots, 'browser', KNOWN_BROWSER_DAYS);

/** Binds a sign-in at a company's provider to the browser that started it. */
export const companyCookie = (roots: () => Roots) =>
  siteCookie(roots, 'company', ATTEMPT_MINUTES / DAY_MINUTES);

const DAY_MINUTES = 1440;

/** The cookie is `HttpOnly`, `SameSite=Lax`, and, on HTTPS sites, `Secure`. */
function siteCookie(roots: () => Roots, name: string, days: number): SiteCookie {
  let known: { name: string; attributes: string } | undefined;
  const cookie = () => (known ??= cookieOf(roots().site, name));
  return {
    site: () => roots().site,
    read: (headers) => valueOf(headers.cookie ?? '', cookie().name),
    set: (secret) =>
      `${cookie().name}=${secret}; Max-Age=${days * DAY_SECONDS}; ${cookie().attributes}`,
    clear: () => `${cookie().name}=; Max-Age=0; ${cookie().attributes}`,
  };
}

function cookieOf(site: string, name: string): { name: string; attributes: string } {
  const { protocol, pathname } = new URL(site);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return {
    name: siteCookieName(site, name),
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
