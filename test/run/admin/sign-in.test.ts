/** `territory-admin sign-in`, with a real provider. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testDatabase, testFolder } from '../../support/database.ts';
import { adminCommands } from '../../support/many-commands.ts';
import { startCompanyProvider } from '../../support/servers/company-provider.ts';

const { env } = await testDatabase('empty');
const provider = await startCompanyProvider();
const runAdmin = adminCommands();
const settings = { ...env, ISSUER_NETWORKS: '127.0.0.1', BASE_URL: 'https://territory.example' };
const run = (...words: string[]) => runAdmin(words, settings);
const succeed = async (...words: string[]) => {
  const result = await run(...words);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return result.stdout;
};
const json = async (...words: string[]) => JSON.parse(await succeed(...words, '--json'));

const secretFile = join(testFolder(), 'secret.txt');
writeFileSync(secretFile, `${provider.clientSecret}\n`);
const ORG = ['--org', 'acme'];

describe('territory-admin sign-in', () => {
  it('shows the addresses for the provider before anything is set up', async () => {
    await succeed('org', 'create', 'Acme');
    const shown = await json('sign-in', 'show', ...ORG);
    expect(shown).toMatchObject({ companySignIn: null });
    expect(shown.redirectAddress).toMatch(
      /^https:\/\/territory\.example\/login\/company\/[0-9a-f-]{36}\/callback$/,
    );
    await provider.register({
      redirectUri: shown.redirectAddress,
      logoutUri: 'http://127.0.0.1/logout',
    });
    expect(await succeed('sign-in', 'show', ...ORG)).toContain('Acme has no company sign-in.');
  });

  it('tests and saves the settings, with any domain', async () => {
    const text = await succeed(
      'sign-in',
      'set',
      ...ORG,
      '--issuer',
      provider.issuer,
      '--client-id',
      'territory',
      '--client-secret-file',
      secretFile,
      '--domain',
      'acme.com',
      '--domain',
      'acme.co.uk',
      '--new-people',
      'member',
    );
    expect(text).toContain('works: The provider accepts the client ID and the client secret.');
    expect(text).toMatch(
      /Domains:\n  acme\.co\.uk: an operator vouches for it since .+\n  acme\.com: an op/,
    );
    expect(text).toContain('New people become a member when they sign in.');
    expect(text).not.toContain(provider.clientSecret);
  });

  it('keeps omitted values', async () => {
    const { companySignIn } = await json('sign-in', 'set', ...ORG, '--new-people', 'none');
    expect(companySignIn).toMatchObject({
      issuer: provider.issuer,
      clientId: 'territory',
      defaultRole: null,
      domains: [
        { domain: 'acme.co.uk', ownership: 'vouched' },
        { domain: 'acme.com', ownership: 'vouched' },
      ],
    });
  });

  it('vouches for domains, and withdraws that', async () => {
    const vouch = ['sign-in', 'vouch', ...ORG, '--domain', 'acme.com'];
    const withdrawn = await succeed(...vouch, '--withdraw');
    expect(withdrawn).toMatch(
      /acme\.com: not proved yet; needs the TXT record _territory-sign-in\.acme\.com “territory-sign-in=\w{32}”/,
    );
    // Other changes of the settings vouch for nothing.
    await succeed('sign-in', 'set', ...ORG, '--new-people', 'none');
    expect(await succeed('sign-in', 'show', ...ORG)).toContain('acme.com: not proved yet');
    expect(await succeed(...vouch)).toContain('acme.com: an operator vouches for it since');
    const foreign = await run('sign-in', 'vouch', ...ORG, '--domain', 'bolt.example');
    expect(foreign.code).toBe(1);
    expect(foreign.stderr).toContain('bolt.example isn’t among the email domains');
  });

  it('refuses to give a domain to two organizations', async () => {
    await succeed('org', 'create', 'Bolt');
    const { code, stderr } = await run(
      'sign-in',
      'set',
      '--org',
      'bolt',
      '--issuer',
      provider.issuer,
      '--client-id',
      'territory',
      '--client-secret-file',
      secretFile,
      '--domain',
      'acme.com',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('Acme has the domain acme.com');
    expect(stderr).toContain('sign-in vouch --withdraw --org acme --domain acme.com');
  });

  it('saves nothing if the connection fails', async () => {
    const { code, stderr } = await run('sign-in', 'set', ...ORG, '--client-id', 'wrong');
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing was saved.');
    expect(stderr).toContain('fails: The provider doesn’t accept the client ID');
    const { companySignIn } = await json('sign-in', 'show', ...ORG);
    expect(companySignIn.clientId).toBe('territory');
    expect(await succeed('sign-in', 'test', ...ORG)).toContain('works: The provider answers');
  });

  it('asks no provider in a private network that the settings don’t allow', async () => {
    const { code, stderr } = await runAdmin(['sign-in', 'test', ...ORG], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('can’t be reached')]);
  });

  it('refuses to lock an organization out', async () => {
    const { code, stderr } = await run('sign-in', 'require', 'all', ...ORG);
    expect([code, stderr]).toEqual([1, expect.stringContaining('No owner has signed in')]);
    const keeperless = await run('sign-in', 'require', 'all-but-one', ...ORG);
    expect(keeperless.stderr).toContain('--password-for');
    expect(await succeed('sign-in', 'require', 'off', ...ORG)).toBe(
      'People of Acme choose how they sign in.\n',
    );
  });

  it('removes company sign-in', async () => {
    expect(await succeed('sign-in', 'remove', ...ORG)).toContain('Its sessions have ended.');
    expect((await run('sign-in', 'remove', ...ORG)).code).toBe(1);
  });
});
