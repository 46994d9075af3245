/** An OAuth connector, and a browser without scripts in which a person allows it. */
import { createHash, randomBytes } from 'node:crypto';
import { newClient } from './clients.ts';
import type { Visitor } from './visitor.ts';

export const REDIRECT = 'https://app.example/callback';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
  token_type: string;
}

/** Calls the authorization server as a client does, without an OAuth library. */
export class Connector {
  readonly site: string;
  readonly resource: string;
  clientId = '';
  verifier = randomBytes(32).toString('base64url');
  readonly #network = newClient();

  /** @param site root of the site, without a trailing slash */
  constructor(site: string, resource: string) {
    this.site = site;
    this.resource = resource;
  }

  async register(more: Record<string, unknown> = {}): Promise<Response> {
    const answer = await fetch(`${this.site}/register`, {
      method: 'POST',
      headers: { ...this.#network, 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'Robot', redirect_uris: [REDIRECT], ...more }),
    });
    if (answer.ok) {
      ({ client_id: this.clientId } = (await answer.clone().json()) as { client_id: string });
    }
    return answer;
  }

  /** @param more replaces default parameters; undefined removes one */
  authorizePath(more: Record<string, string | undefined> = {}): string {
    const query = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: REDIRECT,
      state: 'xyz',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: this.resource,
      ...more,
    };
    const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
    return `/authorize?${new URLSearchParams(given)}`;
  }

  /** Asks for access and answers the consent page. @returns the final redirect, with the code or the error */
  async authorize(
    person: Visitor,
    more: Record<string, string | undefined> = {},
    answer: Record<string, string> = { decision: 'allow' },
  ): Promise<URL> {
    const browser = new Browser(this.site, person.cookie, this.#network);
    const consent = await browser.follow(this.authorizePath(more));
    if (!consent.at.startsWith('/connect/')) return new URL(consent.at, this.site);
    const organization = /name="organization" value="([^"]+)"/.exec(consent.html)?.[1] ?? '';
    const left = await browser.follow(consent.at, { organization, ...answer });
    return new URL(left.at, this.site);
  }

  redeem(code: string, more: Record<string, string> = {}): Promise<Response> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: this.verifier,
      resource: this.resource,
      ...more,
    });
  }

  refresh(refreshToken: string, more: Record<string, string> = {}): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more });
  }

  token(fields: Record<string, string>, site = this.site): Promise<Response> {
    return fetch(`${site}/token`, {
      method: 'POST',
      headers: this.#network,
      body: new URLSearchParams({ client_id: this.clientId, ...fields }),
    });
  }

  /** Registers, gets the person's consent, and redeems the code. */
  async connect(
    person: Visitor,
    more: Record<string, string | undefined> = {},
    answer: Record<string, string> = { decision: 'allow' },
  ): Promise<Tokens> {
    if (this.clientId === '') await this.register();
    const led = await this.authorize(person, more, answer);
    const answered = await this.redeem(led.searchParams.get('code') ?? '');
    if (!answered.ok) throw new Error(`${led} ${await answered.text()}`);
    return (await answered.json()) as Tokens;
  }
}

/** Keeps cookies by path and follows redirects within the site. */
export class Browser {
  readonly #site: string;
  readonly #headers: Record<string, string>;
  readonly #cookies = new Map<string, { value: string; path: string }>();

  constructor(site: string, cookie: string | undefined, headers: Record<string, string>) {
    this.#site = site;
    this.#headers = headers;
    if (cookie) this.#keep(`${cookie}; path=/`);
  }

  /** @returns the last page, or the address of the redirect that leaves the site */
  async follow(
    path: string,
    form?: Record<string, string>,
  ): Promise<{ at: string; html: string; status: number }> {
    const answer = await fetch(this.#site + path, {
      redirect: 'manual',
      headers: {
        ...this.#headers,
        'Sec-Fetch-Site': 'same-origin',
        Accept: 'text/html',
        Cookie: this.#cookiesFor(path),
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie);
    const to = answer.headers.get('Location');
    const html = await answer.text();
    if (to === null) return { at: path, html, status: answer.status };
    const next = new URL(to, this.#site);
    if (next.origin !== new URL(this.#site).origin)
      return { at: next.href, html, status: answer.status };
    return this.follow(next.pathname + next.search);
  }

  /** Sends a form without following redirects. @param from path whose cookies are sent */
  send(path: string, form: Record<string, string>, from = path): Promise<Response> {
    return fetch(this.#site + path, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        ...this.#headers,
        'Sec-Fetch-Site': 'same-origin',
        Cookie: this.#cookiesFor(from),
      },
      body: new URLSearchParams(form),
    });
  }

  async headersOf(path: string): Promise<Headers> {
    const headers = { ...this.#headers, Cookie: this.#cookiesFor(path) };
    return (await fetch(this.#site + path, { headers })).headers;
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(/; */);
    const [name = '', value = ''] = pair.split('=', 2);
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
    this.#cookies.set(`${name} ${path}`, { value, path });
  }

  #cookiesFor(path: string): string {
    return [...this.#cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path) && cookie.value !== '')
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
  }
}
