/** A person at a browser without scripts: keeps cookies and sends forms. */
import { newClient } from './keyed-app.ts';

export interface Shown {
  status: number;
  headers: Headers;
  html: string;
  /** The redirect's path and query, or null */
  to: string | null;
  /** The `Set-Cookie` header */
  cookie: string | null;
}

export const PASSWORD = 'four words make one';

let people = 0;

export class Visitor {
  readonly site: string;
  readonly email = `visitor${people++}@example.com`;
  readonly #network = newClient();
  #cookie: string | undefined;

  /** @param site root of the site, without a trailing slash */
  constructor(site: string) {
    this.site = site;
  }

  get cookie() {
    return this.#cookie;
  }

  set cookie(cookie: string | undefined) {
    this.#cookie = cookie;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#ask(path, { headers });
  }

  /** @param headers default: those that a browser sends from a page of the same site */
  post(
    path: string,
    fields: Record<string, string> | URLSearchParams = {},
    headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' },
  ): Promise<Shown> {
    return this.#ask(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  /** Signs up with a new organization. */
  async signUp(organization = 'Best Roofs'): Promise<this> {
    const fields = { organization, name: 'Pat', email: this.email, password: PASSWORD };
    const { status, html } = await this.post('/signup', fields);
    if (status !== 303) throw new Error(html);
    return this;
  }

  signIn(email = this.email, password = PASSWORD, more: Record<string, string> = {}) {
    return this.post('/login', { email, password, ...more });
  }

  async #ask(path: string, init: RequestInit): Promise<Shown> {
    const headers = {
      ...this.#network,
      ...(this.#cookie && { Cookie: this.#cookie }),
      ...(init.headers as Record<string, string>),
    };
    const answer = await fetch(this.site + path, { ...init, headers, redirect: 'manual' });
    const cookie = answer.headers.get('Set-Cookie');
    if (cookie) this.#cookie = cookie.includes('Max-Age=0') ? undefined : cookie.split(';')[0];
    return {
      status: answer.status,
      headers: answer.headers,
      html: await answer.text(),
      to: answer.headers.get('Location'),
      cookie,
    };
  }
}
