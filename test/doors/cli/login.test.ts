/** `territory login` with the service's own authorization server. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runTerritory } from '../../../src/doors/cli/territory/program.ts';
import { newClient } from '../../support/clients.ts';
import { Browser } from '../../support/connector.ts';
import { testDatabase, testFolder } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { Visitor } from '../../support/visitor.ts';
import { fakeService, scripted } from './territory.ts';

const { db } = await testDatabase('empty');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;
const folder = testFolder();
const FILE = join(folder, 'territory', 'sign-ins.json');

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

interface Running {
  /** Standard input */
  input: PassThrough;
  /** Waits for standard error to match. */
  says(pattern: RegExp): Promise<string>;
  ended: Promise<Ended>;
}

function start(words: string, env: Record<string, string> = {}): Running {
  const [input, out, err] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let [stdout, stderr] = ['', ''];
  out.on('data', (chunk: Buffer) => (stdout += String(chunk)));
  err.on('data', (chunk: Buffer) => (stderr += String(chunk)));
  const run = runTerritory(words.split(' '), {
    env: { TERRITORY_URL: app.api, XDG_CONFIG_HOME: folder, ...env },
    in: input,
    out,
    err,
  });
  return {
    input,
    says: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          const found = pattern.exec(stderr)?.[0];
          if (found !== undefined) resolve(found);
        };
        err.on('data', look);
        look();
      }),
    ended: run.then((code) => ({ code, stdout, stderr })),
  };
}

const run = (words: string, env = {}) => start(words, env).ended;
const readStored = () => JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, any>;

/** Answers the consent page. @returns where the browser goes then */
async function answer(url: string, person: Visitor, decision = 'allow'): Promise<string> {
  const browser = new Browser(SITE, person.cookie, newClient());
  const { pathname, search } = new URL(url);
  const { at, html } = await browser.follow(pathname + search);
  expect(html).toMatch(/territory on .*this computer/s);
  const organization = /name="organization" value="([^"]+)"/.exec(html)?.[1] ?? '';
  return (await browser.follow(at, { organization, decision })).at;
}

async function logIn(words = 'login --no-browser'): Promise<Ended> {
  const command = start(words);
  const url = await command.says(/http\S+\/authorize\S+/);
  const shown = await fetch(await answer(url, await new Visitor(SITE).signUp()));
  expect(await shown.text()).toContain('You can close this window');
  return command.ended;
}

describe('territory login', () => {
  it('signs in with the browser, and commands act as the person until logout', async () => {
    const { code, stdout } = await logIn();
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Signed in to ${app.api}.`)]);
    expect([FILE, join(folder, 'territory')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o600, 0o700,
    ]);
    // Over MCP and over REST, and without TERRITORY_URL
    expect(await run('brands', { TERRITORY_URL: '' })).toMatchObject({ code: 0, stderr: '' });
    expect((await run('capabilities')).stdout).toContain('Best Roofs');
    // It would outlive the sign-in.
    expect(await run('sign-url /static/light/metro:dallas-tx/auto/300x200.png')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Send an API key, or sign in on the site'),
    });
    // A key takes precedence.
    const withKey = await run('capabilities', { TERRITORY_API_KEY: 'svc_live_wrong' });
    expect(withKey).toMatchObject({ code: 5, stderr: expect.stringContaining('API key') });

    const { accessToken } = readStored().services[app.api] as { accessToken: string };
    expect((await run('logout')).stdout).toBe(`Signed out of ${app.api}.\n`);
    expect(readStored()).toEqual({ current: null, services: {} });
    const old = { Authorization: `Bearer ${accessToken}`, ...newClient() };
    expect((await fetch(`${app.api}/agent/capabilities`, { headers: old })).status).toBe(401);
    expect(await run('brands')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Run territory login'),
    });
    expect(await run('logout --json')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"code":"not_found"'),
    });
  });

  it('renews the token once, even for commands that run at the same time', async () => {
    await logIn('login --no-browser --read-only');
    const expired = readStored();
    expired.services[app.api].expiresAt = new Date().toISOString();
    writeFileSync(FILE, JSON.stringify(expired));
    const results = await Promise.all([run('brands'), run('brands'), run('capabilities')]);
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect(results[2]!.stdout).toMatch(/Can write +no/);
    const renewed = readStored().services[app.api];
    expect(renewed.refreshToken).not.toBe(expired.services[app.api].refreshToken);
    // The person ends the connection in their account.
    await db.query('delete from oauth_connections');
    await db.query('delete from oauth_records');
    renewed.expiresAt = new Date().toISOString();
    writeFileSync(FILE, JSON.stringify({ ...expired, services: { [app.api]: renewed } }));
    expect(await run('brands')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/has ended\. Sign in again: territory login/),
    });
    expect(readStored().services).toEqual({});
  });

  it('accepts the final address of a browser on another machine', async () => {
    const command = start('login --no-browser --json');
    const { open } = JSON.parse(await command.says(/\{"open".*\}/)) as { open: string };
    const left = await answer(open, await new Visitor(SITE).signUp());
    command.input.write(`what?\n${new URL(left).origin}/callback?code=x&state=forged\n${left}\n`);
    const { code, stdout } = await command.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ service: app.api, file: FILE });
  });

  it('ignores redirects that it didn’t start, and stores nothing if access is denied', async () => {
    await run('logout --all');
    const command = start('login --no-browser');
    const url = await command.says(/http\S+\/authorize\S+/);
    const redirect = new URL(url).searchParams.get('redirect_uri')!;
    expect((await fetch(`${redirect}?code=x&state=forged`)).status).toBe(404);
    const left = await answer(url, await new Visitor(SITE).signUp(), 'deny');
    expect(await (await fetch(left)).text()).toContain('Not signed in');
    expect(await command.ended).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Access was denied in the browser.'),
    });
    expect(readStored().services).toEqual({});
  });

  it('refuses a service without sign-in and another server’s metadata, and times out', async () => {
    const none = await fakeService(scripted({ status: 200 }));
    expect(await run(`login ${none.url}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not the address of a service that people can sign in to'),
    });
    const evil = await fakeService((request, response) =>
      scripted(
        request.url === '/mcp'
          ? {
              status: 401,
              headers: { 'WWW-Authenticate': `Bearer resource_metadata="${evil.url}/document"` },
            }
          : { body: { resource: evil.url, authorization_servers: ['file:///etc/passwd'] } },
      )(request, response),
    );
    expect(await run(`login ${evil.url}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"file:///etc/passwd" is not an address to sign in at'),
    });
    expect((await run('login --no-browser --timeout 1')).stderr).toContain('within 1 s');
  });
});
