/**
 * Connecting a client: the client uses the official MCP library, and the person a real browser.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seriousFaults } from '../support/accessibility.ts';
import { openAccountMenu } from '../support/account-menu.ts';
import { testDatabase } from '../support/database.ts';
import { serveKeyed } from '../support/keyed-app.ts';
import { closePages, hasChromium, openProfile } from '../support/maplibre.ts';
import { describeClient, metadataHost } from '../support/servers/metadata-host.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { freePort } from '../support/servers/free-port.ts';

const { db, env } = await testDatabase('empty');
const PASSWORD = 'four words make one';
/** The client's own page, on the person's machine: Playwright can't answer in place of a redirect's target. */
const REDIRECT = `${await serveClientPage()}/callback`;

/** @returns the origin of a server that answers each request with a page of the client */
async function serveClientPage(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<title>Robot</title>Connected');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client's storage, kept in memory. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadataUrl?: string;
  /** The address that the person must open to sign in */
  authorizationUrl: URL | undefined;
  client: any;
  saved: any;
  #verifier = '';
  #discovered: any;

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  get clientMetadata() {
    return { client_name: 'Registered Robot', redirect_uris: [REDIRECT] };
  }

  state = () => 'the state';
  clientInformation = () => this.client;
  saveClientInformation = (client: unknown) => void (this.client = client);
  tokens = () => this.saved;
  saveTokens = (tokens: unknown) => void (this.saved = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  invalidateCredentials = () => void (this.saved = undefined);
  saveDiscoveryState = (state: any) => void (this.#discovered = state);
  discoveryState = () => this.#discovered;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

function transportTo(mcp: string, memory: Memory, fetch?: Fetch) {
  return new StreamableHTTPClientTransport(new URL(mcp), {
    authProvider: memory,
    ...(fetch && { fetch }),
  });
}

async function toolsOf(mcp: string, memory: Memory) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transportTo(mcp, memory));
  const { tools } = await client.listTools();
  const called = await client.callTool({ name: 'service_get_capabilities', arguments: {} });
  await client.close();
  return { tools: tools.length, capabilities: called.structuredContent as Record<string, any> };
}

afterAll(closePages);

/** Console messages of all pages */
const complaints: string[] = [];

async function openPage(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const context = await openProfile({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  return page;
}

async function signUp(page: Page, site: string, email: string): Promise<void> {
  await page.goto(`${site}/signup`);
  await page.getByLabel('Organization').fill('Bright Roofs');
  await page.getByLabel('Your name').fill('Pat Miller');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Start trial' }).click();
  await page.waitForURL('**/account?*');
}

/** Expects a page that fits the screen and has no serious accessibility faults. */
async function expectFit(page: Page): Promise<void> {
  const { width } = page.viewportSize()!;
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  expect(await seriousFaults(page)).toEqual([]);
}

/** Signs in if needed and allows the connection. @returns the query of the redirect to the client */
async function allow(page: Page, memory: Memory): Promise<URLSearchParams> {
  await page.goto(memory.authorizationUrl!.href);
  if (new URL(page.url()).pathname === '/login') {
    await expectFit(page);
    await page.getByLabel('Email address').fill('pat@example.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/connect/*');
  }
  await expectFit(page);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${REDIRECT}?*`);
  return new URL(page.url()).searchParams;
}

async function startConnecting(mcp: string, memory: Memory, fetch?: Fetch) {
  const transport = transportTo(mcp, memory, fetch);
  const client = new Client({ name: 'test', version: '1' });
  await expect(client.connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
  return transport;
}

describe.skipIf(!hasChromium)('a client that registers itself, at 375 pixels, dark', () => {
  const memory = new Memory();
  let [a, b]: RunningService[] = [];
  let page: Page;
  let settings: Record<string, string>;
  beforeAll(async () => {
    const port = await freePort();
    const BASE_URL = `http://127.0.0.1:${port}`;
    settings = { ...env, SAMPLE_DATA: 'never', BASE_URL };
    a = await startService({ ...settings, PORT: String(port) });
    b = await startService(settings);
    page = await openPage(375, 'dark');
    await signUp(page, a.url, 'pat@example.com');
    await openAccountMenu(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
  });
  afterAll(async () => {
    await page?.context().close();
    await Promise.all([a?.stop(), b?.stop()]);
  });

  it('gets access from a person who signs in first, with the code and tokens from different processes', async () => {
    const tokensFromB: Fetch = (url, init) => {
      const { pathname } = new URL(url);
      return fetch(pathname === '/token' ? `${b!.url}/token` : url, init);
    };
    const transport = await startConnecting(`${a!.url}/mcp`, memory, tokensFromB);
    expect(memory.client.client_id).toMatch(/^client_/);
    await transport.finishAuth(await allow(page, memory));
    const { tools, capabilities } = await toolsOf(`${a!.url}/mcp`, memory);
    expect(tools).toBe(17);
    expect(capabilities).toMatchObject({ organization: { name: 'Bright Roofs' }, mayWrite: true });
    expect(complaints).toEqual([]);
  });

  it('stays connected when the service restarts, and refreshes an expired token', async () => {
    const { port } = new URL(a!.url);
    await a!.stop();
    a = await startService({ ...settings, PORT: port });
    const before = memory.saved;
    expect((await toolsOf(`${a.url}/mcp`, memory)).tools).toBe(17);
    await db.query(`update oauth_records set expires_at = now() where kind = 'AccessToken'`);
    expect((await toolsOf(`${a.url}/mcp`, memory)).tools).toBe(17);
    expect(memory.saved.access_token).not.toBe(before.access_token);
    expect(memory.saved.refresh_token).not.toBe(before.refresh_token);
  });

  it('is listed and disconnected by the person, then needs their consent again', async () => {
    await page.goto(`${a!.url}/account/connections`);
    await expectFit(page);
    expect(await page.locator('main').textContent()).toContain('Registered Robot');
    await page.getByRole('button', { name: 'Disconnect Registered Robot' }).click();
    expect(await page.getByRole('status').textContent()).toContain('App disconnected.');
    memory.authorizationUrl = undefined;
    // The library warns that it discards its tokens.
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await startConnecting(`${a!.url}/mcp`, memory);
    expect(memory.authorizationUrl).toBeDefined();
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
    await page.goto(`${a!.url}/account/connect`);
    await expectFit(page);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('a client with a metadata document, at 1440 pixels', () => {
  it('gets access from a signed-in person without registering', async () => {
    const host = await metadataHost(describeClient(REDIRECT));
    const app = await serveKeyed(db, { clientFetch: host.fetch });
    const page = await openPage(1440, 'light');
    await signUp(page, `http://127.0.0.1:${app.port}`, 'pam@example.com');
    const memory = new Memory(`${host.origin}/client.json`);
    const transport = await startConnecting(`${app.api}/mcp`, memory);
    expect(memory.client.client_id).toBe(`${host.origin}/client.json`);
    const answer = allow(page, memory);
    await transport.finishAuth(await answer);
    expect((await toolsOf(`${app.api}/mcp`, memory)).tools).toBe(17);
    await page.goto(`http://127.0.0.1:${app.port}/account/connections`);
    await expectFit(page);
    expect(await page.locator('main').textContent()).toContain('Documented Robot');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

/** Of the page in which the next functions run */
declare const location: { origin: string; search: string };
declare const sessionStorage: {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
};

/** Runs in the page: finds the authorization server from the 401 response, registers, and starts PKCE. */
async function beginInPage(mcp: string): Promise<string> {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const refused = await fetch(mcp, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Mcp-Protocol-Version': '2025-11-25' },
    body: JSON.stringify(list),
  });
  const challenge = refused.headers.get('WWW-Authenticate')!;
  const metadata = (await (
    await fetch(/resource_metadata="([^"]+)"/.exec(challenge)![1]!)
  ).json()) as any;
  const [issuer] = metadata.authorization_servers;
  const server = (await (
    await fetch(`${issuer}/.well-known/oauth-authorization-server`)
  ).json()) as any;
  const redirectUri = `${location.origin}/callback`;
  const registered = await fetch(server.registration_endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Page Robot', redirect_uris: [redirectUri] }),
  });
  const { client_id: clientId } = (await registered.json()) as any;
  const base64url = (bytes: Uint8Array) =>
    btoa(String.fromCharCode(...bytes))
      .replace(/[+]/g, '-')
      .replace(/[/]/g, '_')
      .replace(/=/g, '');
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const state = { mcp, clientId, verifier, redirectUri, tokenEndpoint: server.token_endpoint };
  sessionStorage.setItem('state', JSON.stringify(state));
  return `${server.authorization_endpoint}?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    resource: mcp,
    code_challenge: base64url(new Uint8Array(hash)),
    code_challenge_method: 'S256',
  })}`;
}

/** Runs in the page after the redirect: redeems the code, then calls a tool and the REST API. */
async function finishInPage() {
  const { mcp, clientId, verifier, redirectUri, tokenEndpoint } = JSON.parse(
    sessionStorage.getItem('state')!,
  );
  const tokens = await fetch(tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code: new URLSearchParams(location.search).get('code')!,
      code_verifier: verifier,
      resource: mcp,
    }),
  });
  const { access_token: token } = (await tokens.json()) as any;
  const params = { name: 'service_list_brands', arguments: {} };
  const answer = await fetch(mcp, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Mcp-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }),
  });
  const withCookies = await fetch(mcp.replace('/mcp', '/agent/capabilities'), {
    credentials: 'include',
  }).catch((error: Error) => error.name);
  const withoutKey = await fetch(mcp.replace('/mcp', '/agent/capabilities'));
  return {
    called: (await answer.json()) as any,
    limit: answer.headers.get('RateLimit'),
    withCookies,
    withoutKey: withoutKey.status,
  };
}

describe.skipIf(!hasChromium)('a page of another origin', () => {
  it('registers, gets a token with PKCE, and calls tools, but can’t use cookies', async () => {
    const app = await serveKeyed(db);
    const page = await openPage(1440, 'light');
    await signUp(page, `http://127.0.0.1:${app.port}`, 'pip@example.com');
    await page.goto(REDIRECT);
    await page.goto(await page.evaluate(beginInPage, `${app.api}/mcp`));
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL('**/callback?*');
    const { called, ...rest } = await page.evaluate(finishInPage);
    expect(called.result).toMatchObject({ isError: false, structuredContent: { brands: [] } });
    expect(rest).toEqual({
      limit: expect.stringContaining('"mcp"'),
      withCookies: 'TypeError',
      withoutKey: 401,
    });
    await page.context().close();
  });
});
