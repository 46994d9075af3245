/** People leave with their provider's account: checks, back-channel logout, and connected apps. */
import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { startCompanyChecker } from '../../../../src/people/account/company-sign-in/checker.ts';
import { addMember, removeMember } from '../../../../src/people/account/members.ts';
import {
  findCompanySignIn,
  removeCompanySignIn,
} from '../../../../src/people/account/company-sign-in/settings.ts';
import { logoutPath } from '../../../../src/people/account/company-sign-in/addresses.ts';
import { tally } from '../../../../src/base/observe/tally.ts';
import { newClient } from '../../../support/clients.ts';
import {
  Employee,
  localCompanies,
  newCompany,
  operatorOf,
  runChecks,
} from '../../../support/company.ts';
import { Connector, type Tokens } from '../../../support/connector.ts';
import { testDatabase } from '../../../support/database.ts';
import { serveKeyed } from '../../../support/keyed-app.ts';
import { startCompanyProvider } from '../../../support/servers/company-provider.ts';

const { db } = await testDatabase('empty');
const parts = localCompanies(db);
const app = await serveKeyed(db, { company: parts });
const SITE = `http://127.0.0.1:${app.port}`;
const provider = await startCompanyProvider();

let people = 0;
async function newSignedIn() {
  const company = await newCompany(parts, SITE, provider);
  const email = `sam${people++}@${company.domain}`;
  const account = await provider.employ({ email, name: 'Sam' });
  const browser = new Employee(SITE);
  await browser.signInAtCompany(email);
  return { ...company, email, account, browser };
}

type SignedIn = Awaited<ReturnType<typeof newSignedIn>>;

const isIn = async (browser: Employee) => (await browser.get('/account')).status === 200;

/** Makes the sign-ins of an organization due for a check. */
const makeDue = ({ organization }: SignedIn) =>
  db.query('update company_grants set check_at = now() where organization_id = $1', [
    organization.id,
  ]);

const checkedAgo = ({ organization }: SignedIn, minutes: number) =>
  db.query(
    `update company_grants set checked_at = now() - $2::int * interval '1 minute'
     where organization_id = $1`,
    [organization.id, minutes],
  );

async function minutesSinceCheck({ organization }: SignedIn): Promise<number> {
  const [row] = await db.query<{ minutes: number }>(
    `select extract(epoch from now() - checked_at)::int / 60 as minutes from company_grants
     where organization_id = $1`,
    [organization.id],
  );
  return row!.minutes;
}

/** Connects an app, which may act for the person. @returns sends a request with its token */
async function connectApp(browser: Employee) {
  const connector = new Connector(SITE, app.api);
  await connector.register();
  const answer = await connector.authorize(browser);
  const tokens = await connector.redeem(answer.searchParams.get('code')!);
  const { access_token: token } = (await tokens.json()) as Tokens;
  return async () => {
    const { status } = await fetch(`${app.api}/agent/capabilities`, {
      headers: { ...newClient(), Authorization: `Bearer ${token}` },
    });
    return status;
  };
}

afterEach(() => provider.away(false));

describe('a check', () => {
  it('keeps the session of an account that still exists, again and again', async () => {
    const employee = await newSignedIn();
    for (let i = 0; i < 3; i++) {
      await checkedAgo(employee, 50);
      await makeDue(employee);
      await runChecks(parts);
    }
    const [grant] = await db.query<{ fresh: boolean; soon: boolean; token: string }>(
      `select checked_at > now() - interval '1 minute' as fresh, refresh_token as token,
         check_at < now() + interval '30 minutes' as soon
       from company_grants where organization_id = $1`,
      [employee.organization.id],
    );
    expect(grant).toMatchObject({ fresh: true, soon: true });
    expect(grant!.token).toMatch(/^v1\./);
    expect(await isIn(employee.browser)).toBe(true);
  });

  it('ends the sessions and connected apps of an account that is gone', async () => {
    const employee = await newSignedIn();
    const call = await connectApp(employee.browser);
    expect(await call()).toBe(200);
    await provider.remove(employee.account);
    await makeDue(employee);
    await runChecks(parts);
    expect(await isIn(employee.browser)).toBe(false);
    expect(await call()).toBe(401);
  });

  it('goes on for a connected app after the person has signed out', async () => {
    const employee = await newSignedIn();
    const call = await connectApp(employee.browser);
    await employee.browser.post('/logout');
    await makeDue(employee);
    await runChecks(parts);
    expect(await call()).toBe(200);
    await provider.remove(employee.account);
    await makeDue(employee);
    await runChecks(parts);
    expect(await call()).toBe(401);
  });

  it('is no longer made once nothing depends on the sign-in', async () => {
    const employee = await newSignedIn();
    await employee.browser.post('/logout');
    await makeDue(employee);
    await runChecks(parts);
    const left = await db.query('select from company_grants where organization_id = $1', [
      employee.organization.id,
    ]);
    expect(left).toEqual([]);
  });

  it('that an unreachable provider fails is repeated, and nothing ends before an hour', async () => {
    const employee = await newSignedIn();
    const call = await connectApp(employee.browser);
    await provider.away(true);
    await checkedAgo(employee, 59);
    await makeDue(employee);
    await runChecks(parts);
    expect(await isIn(employee.browser)).toBe(true);
    expect((await findCompanySignIn(employee.tenant))!.problem!.text).toContain('can’t be reached');
    await checkedAgo(employee, 61);
    expect(await isIn(employee.browser)).toBe(false);
    expect(await call()).toBe(401);
    await provider.away(false);
    await makeDue(employee);
    await runChecks(parts);
    expect(await call()).toBe(200);
  });

  it('that never ends keeps neither its place nor the checks of others', async () => {
    const [stuck, other] = [await newSignedIn(), await newSignedIn()];
    await stuck.tenant.query(`update company_sign_ins set issuer = $2 where organization_id = $1`, [
      'https://never.example',
    ]);
    await makeDue(stuck);
    const asked: string[] = [];
    const fetch: typeof parts.fetch = (url, init) => {
      if (!url.startsWith('https://never.example')) return parts.fetch(url, init);
      asked.push(url);
      return new Promise(() => {});
    };
    const lostBefore = tally.lostPlaces.companyChecks;
    const limits = { count: 2, share: 1, ms: 2_000 };
    const checker = startCompanyChecker({ ...parts, fetch }, 10, limits);
    await expect.poll(() => asked).toHaveLength(1);
    for (let i = 0; i < 2; i++) {
      await checkedAgo(other, 59);
      await makeDue(other);
      await expect.poll(() => minutesSinceCheck(other)).toBeLessThan(59);
    }
    await expect.poll(() => tally.lostPlaces.companyChecks).toBeGreaterThan(lostBefore);
    await checker.close();
  });

  it('is made once, even by several processes at the same time', async () => {
    const employee = await newSignedIn();
    // The provider replaces a refresh token at each use. A second use would end the sign-in.
    for (let i = 0; i < 5; i++) {
      await makeDue(employee);
      await Promise.all([runChecks(parts), runChecks(parts), runChecks(parts)]);
    }
    expect(await isIn(employee.browser)).toBe(true);
  });
});

describe('removing a member', () => {
  it('ends the company session at once, and connected apps', async () => {
    const { browser, email, tenant } = await newSignedIn();
    const call = await connectApp(browser);
    await addMember(tenant, { email: `o${email}`, name: 'Olive', role: 'owner' });
    await removeMember(tenant, email);
    expect(await isIn(browser)).toBe(false);
    expect(await call()).toBe(401);
  });
});

describe('removing company sign-in', () => {
  it('ends its sessions and the connected apps of its people', async () => {
    const { browser, tenant, organization } = await newSignedIn();
    const call = await connectApp(browser);
    await removeCompanySignIn(tenant, operatorOf(organization));
    expect(await isIn(browser)).toBe(false);
    expect(await call()).toBe(401);
  });
});

describe('back-channel logout', () => {
  const send = (employee: SignedIn, token: string) =>
    fetch(SITE + logoutPath(employee.organization.id), {
      method: 'POST',
      headers: newClient(),
      body: new URLSearchParams({ logout_token: token }),
    });

  it('by the provider itself ends the session at once', async () => {
    const employee = await newSignedIn();
    expect(await provider.signOut(employee.account)).toBe(1);
    expect(await isIn(employee.browser)).toBe(false);
  });

  it('by account ends all of its sessions, and no others', async () => {
    const employee = await newSignedIn();
    const second = new Employee(SITE);
    await second.signInAtCompany(employee.email);
    const colleague = new Employee(SITE);
    const other = `col${employee.email}`;
    await provider.employ({ email: other });
    await colleague.signInAtCompany(other);
    const token = await provider.logoutToken({ claims: { sub: employee.account } });
    const answer = await send(employee, token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(await isIn(employee.browser)).toBe(false);
    expect(await isIn(second)).toBe(false);
    expect(await isIn(colleague)).toBe(true);
  });

  it('by session ends only that one', async () => {
    const employee = await newSignedIn();
    const second = new Employee(SITE);
    await second.signInAtCompany(employee.email);
    const [first] = await db.query<{ sid: string }>(
      `select provider_session as sid from company_grants where organization_id = $1
       order by checked_at limit 1`,
      [employee.organization.id],
    );
    const claims = { sid: first!.sid, sub: employee.account };
    expect((await send(employee, await provider.logoutToken({ claims }))).status).toBe(200);
    expect(await isIn(employee.browser)).toBe(false);
    expect(await isIn(second)).toBe(true);
  });

  it('checks a connected app at once, which ends if the account is gone', async () => {
    const employee = await newSignedIn();
    const call = await connectApp(employee.browser);
    await provider.remove(employee.account);
    const token = await provider.logoutToken({ claims: { sub: employee.account } });
    expect((await send(employee, token)).status).toBe(200);
    await runChecks(parts);
    expect(await call()).toBe(401);
  });

  it('works after the provider has changed its keys, once they can be read', async () => {
    const employee = await newSignedIn();
    await send(employee, await provider.logoutToken({ claims: { sub: 'someone' } }));
    await provider.rotateKeys();
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    const token = await provider.logoutToken({ claims: { sub: employee.account } });
    await provider.away(true);
    expect((await send(employee, token)).status).toBe(503);
    await provider.away(false);
    expect((await send(employee, token)).status).toBe(200);
    expect(await isIn(employee.browser)).toBe(false);
  });

  const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;

  it.each<[string, Parameters<typeof provider.logoutToken>[0]]>([
    ['another audience', { claims: { aud: 'someone-else' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['an unknown key', { unknownKey: true }],
    ['no event', { claims: { events: {} } }],
    ['another event', { claims: { events: { 'https://example.com/event': {} } } }],
    ['a nonce, as an identity token has', { claims: { nonce: 'n' } }],
    ['no account or session', { claims: { sub: undefined } }],
    ['no id', { without: ['jti'] }],
    ['an id that is no text', { claims: { jti: 5 } }],
    ['an account that no provider has', { claims: { sub: 'a\u0000' } }],
    ['an account that is no text', { claims: { sub: {} } }],
    ['no time', { without: ['iat'] }],
    ['an old time', { claims: { iat: seconds(-3_600), exp: seconds(3_600) } }],
    ['a time in the future', { claims: { iat: seconds(3_600), exp: seconds(7_200) } }],
    ['an expiry that has passed', { claims: { iat: seconds(-400), exp: seconds(-300) } }],
  ])('refuses a token with %s', async (_what, options) => {
    const employee = await newSignedIn();
    const claims = { sub: employee.account, ...options?.claims };
    const answer = await send(employee, await provider.logoutToken({ ...options, claims }));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: expect.stringContaining('logout token is not valid'),
    });
    expect(await isIn(employee.browser)).toBe(true);
  });

  it.each(['none', 'HS256'])('refuses a token with the algorithm %s', async (alg) => {
    const employee = await newSignedIn();
    const [, claims = ''] = (
      await provider.logoutToken({ claims: { sub: employee.account } })
    ).split('.');
    const header = Buffer.from(JSON.stringify({ alg, typ: 'logout+jwt' })).toString('base64url');
    const signature =
      alg === 'none'
        ? ''
        : createHmac('sha256', provider.clientSecret)
            .update(`${header}.${claims}`)
            .digest('base64url');
    expect((await send(employee, `${header}.${claims}.${signature}`)).status).toBe(400);
    expect(await isIn(employee.browser)).toBe(true);
  });

  it('refuses a token that was used before', async () => {
    const employee = await newSignedIn();
    const token = await provider.logoutToken({ claims: { sub: employee.account } });
    expect((await send(employee, token)).status).toBe(200);
    await employee.browser.signInAtCompany(employee.email);
    expect((await send(employee, token)).status).toBe(400);
    expect(await isIn(employee.browser)).toBe(true);
  });

  it.each(['', 'nonsense', 'a.b.c'])('refuses what is no token: %j', async (token) => {
    expect((await send(await newSignedIn(), token)).status).toBe(400);
  });

  it('knows only organizations with company sign-in', async () => {
    const unknown = { organization: { id: '00000000-0000-0000-0000-000000000000' } } as SignedIn;
    expect((await send(unknown, 'a.b.c')).status).toBe(404);
    expect((await send({ organization: { id: 'acme' } } as SignedIn, 'a.b.c')).status).toBe(404);
  });
});
