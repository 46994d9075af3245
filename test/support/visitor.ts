/** A person at a browser without scripts: keeps cookies and sends forms. */
import { newClient } from './clients.ts';

export interface Shown {
  status: number;
  headers: Headers;
  html: string;
  /** The redirect's path and query, or null */
  to: string | null;
  /** The `Set-Cookie` header of the session */
  cookie: string | null;
}

export const PASSWORD = 'four words make one';

/** The value of a hidden field, as a browser sends it back. */
export const hiddenValue = ({ html }: Shown, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)![1]!;

const isSession = (cookie: string) => /^(__Host-)?session=/.test(cookie);

let people = 0;

export class Visitor {
  readonly site: string;
  readonly email = `visitor${people++}@example.com`;
  readonly #network = newClient();
  /** Values by name */
  readonly #cookies = new Map<string, string>();

  /** @param site root of the site, without a trailing slash */
  constructor(site: string) {
    this.site = site;
  }

  /** The session's cookie: name and value */
  get cookie() {
    return [...this.#cookies.values()].find(isSession);
  }

  set cookie(cookie: string | undefined) {
    for (const [name, value] of this.#cookies) if (isSession(value)) this.#cookies.delete(name);
    if (cookie !== undefined) this.#keep(cookie);
  }

  /** The value of a cookie, with or without its prefix */
  valueOf(name: string): string | undefined {
    const found = [...this.#cookies].find(([one]) => one.replace('__Host-', '') === name);
    return found?.[1].split('=')[1];
  }

  #keep(cookie: string) {
    const [pair = ''] = cookie.split(';');
    const [name = ''] = pair.split('=');
    if (cookie.includes('Max-Age=0')) this.#cookies.delete(name);
    else this.#cookies.set(name, pair);
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Shown> {
    return this.#ask(path, { headers });
  }

  /** @param headers default: the headers that a browser sends from a page of the same site */
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
      ...(this.#cookies.size > 0 && { Cookie: [...this.#cookies.values()].join('; ') }),
      ...(init.headers as Record<string, string>),
    };
    const answer = await fetch(this.site + path, { ...init, headers, redirect: 'manual' });
    const cookies = answer.headers.getSetCookie();
    for (const one of cookies) this.#keep(one);
    return {
      status: answer.status,
      headers: answer.headers,
      html: await answer.text(),
      to: answer.headers.get('Location'),
      cookie: cookies.find(isSession) ?? null,
    };
  }
}
