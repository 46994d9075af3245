/** `territory-admin` for organizations, members, subscriptions, brands, and keys. */
import { describe, expect, it } from 'vitest';
import { callerOfKey } from '../../../src/people/account/callers.ts';
import { testDatabase } from '../../support/database.ts';
import { adminCommands } from '../../support/many-commands.ts';

const { db, env } = await testDatabase('empty');
const runAdmin = adminCommands();
const run = (...words: string[]) => runAdmin(words, env);
const succeed = async (...words: string[]) => {
  const result = await run(...words);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return result.stdout;
};
const json = async (...words: string[]) => JSON.parse(await succeed(...words, '--json'));

describe('territory-admin', () => {
  // The embedded database has no address.
  it.runIf(env.DATABASE_URL).each([
    [{ pathname: '/no_such_database' }, 'no database of that name. Create it, or correct the name'],
    [{ port: '1' }, 'can’t be reached (ECONNREFUSED). Check DATABASE_URL'],
  ])('says why it can’t use the database: %o', async (wrong, reason) => {
    const url = Object.assign(new URL(env.DATABASE_URL!), wrong).href;
    const { code, stderr } = await runAdmin(['org', 'list'], { ...env, DATABASE_URL: url });
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
  });

  it('creates an organization and suggests the next commands', async () => {
    expect(await succeed('org', 'list')).toContain('No organizations yet');
    const text = await succeed('org', 'create', 'Acme Roofing');
    expect(text).toMatch(/^Created organization Acme Roofing \(acme-roofing\)\.\n/);
    expect(text).toMatch(
      /Subscription: trial until 20\d\d-\d\d-\d\d; 5 seats, 1,000 units per month, figures of 2,500 ZIP codes per month, read and write\./,
    );
    expect(text).toContain('territory-admin key mint --org acme-roofing --write');
    expect(await json('org', 'create', 'Bell & Co', '--slug', 'bell')).toMatchObject({
      slug: 'bell',
      name: 'Bell & Co',
      plan: { status: 'trial', seats: 5, monthlyUnits: 1000 },
    });
  });

  it('adds members and changes their roles', async () => {
    expect(
      await succeed(
        'user',
        'add',
        '--org',
        'bell',
        '--email',
        'Ann@Bell.example',
        '--name',
        'Ann Bell',
        '--role',
        'owner',
      ),
    ).toBe(
      'Ann Bell (Ann@Bell.example) is now an owner of Bell & Co.\n' +
        'Create a link to choose a password with: territory-admin user password --email Ann@Bell.example\n',
    );
    const bob = ['--org', 'bell', '--email', 'bob@bell.example'];
    expect(await json('user', 'add', ...bob, '--name', 'Bob')).toMatchObject({ role: 'member' });
    expect(await json('user', 'role', ...bob, '--role', 'reviewer')).toMatchObject({
      role: 'reviewer',
    });
    expect(await succeed('user', 'access', ...bob, '--may', 'read')).toBe(
      'Bob (bob@bell.example) is read-only in Bell & Co.\n',
    );
    expect(await succeed('user', 'list', '--org', 'bell')).toMatch(
      /Member +Email +Role +Access +Since\n +Ann Bell +Ann@Bell\.example +owner +read, write +20[^]*Bob +bob@bell\.example +reviewer +read +20/,
    );
    expect(await json('user', 'access', ...bob, '--may', 'write')).toMatchObject({
      mayWrite: true,
    });
    expect(await json('user', 'remove', ...bob)).toMatchObject({ removed: { name: 'Bob' } });
    expect((await json('user', 'list', '--org', 'bell')).people).toHaveLength(1);
  });

  it('creates a link for choosing a password', async () => {
    const text = await succeed('user', 'password', '--email', 'ann@bell.example');
    const [url, advice] = text.split('\n');
    expect(url).toMatch(/^http:\/\/localhost:\d+\/password\/svc_password_\w{40}$/);
    expect(advice).toContain(
      'set the password of Ann Bell (Ann@Bell.example). It works once, within 3 days',
    );
    const { person } = await json('user', 'password', '--email', 'ann@bell.example');
    expect(person).toMatchObject({ name: 'Ann Bell' });
    expect(await run('user', 'password', '--email', 'eve@bell.example')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No account has the email address'),
    });
  });

  it('requires a second factor of all members', async () => {
    expect(await succeed('org', 'second-factor', 'bell', 'required')).toBe(
      'Members of Bell & Co need a second factor. 1 of 1 has none and must set one up first.\n',
    );
    expect(await succeed('org', 'show', 'bell')).toContain('Members need a second factor.');
    expect(await json('org', 'second-factor', 'bell', 'optional')).toMatchObject({
      requiresSecondFactor: false,
    });
    expect(await json('org', 'show', 'bell')).toMatchObject({ requiresSecondFactor: false });
    expect(await run('org', 'second-factor', 'bell', 'maybe')).toMatchObject({
      stderr: expect.stringContaining('Allowed choices are required, optional'),
    });
  });

  it('changes only the given parts of a plan', async () => {
    expect(
      await json(
        'plan',
        'set',
        '--org',
        'bell',
        '--status',
        'active',
        '--seats',
        '7',
        '--units',
        '2500',
        '--no-write',
      ),
    ).toEqual({
      status: 'active',
      trialEndsAt: null,
      seats: 7,
      monthlyUnits: 2500,
      monthlyZips: null,
      writeEntitlement: false,
    });
    expect(await succeed('plan', 'set', '--org', 'bell', '--write')).toBe(
      'Subscription: active; 7 seats, 2,500 units per month, figures of all ZIP codes, read and write.\n',
    );
    expect(await succeed('plan', 'set', '--org', 'bell', '--zips', '9000')).toContain(
      'figures of 9,000 ZIP codes per month',
    );
    expect(await json('plan', 'set', '--org', 'bell', '--zips', 'default')).toMatchObject({
      monthlyZips: null,
    });
    await succeed('plan', 'set', '--org', 'bell', '--trial-ends', '2020-02-01');
    expect(await succeed('plan', 'show', '--org', 'bell')).toContain('trial ended on 2020-02-01');
  });

  it('creates brands', async () => {
    expect(await succeed('brand', 'create', 'Bell North', '--org', 'bell', '--slug', 'north')).toBe(
      'Created brand Bell North (north) in Bell & Co.\n',
    );
    expect(await json('brand', 'create', 'Bell South', '--org', 'acme-roofing')).toMatchObject({
      slug: 'bell-south',
    });
  });

  it('creates a key, shows it once, and revokes it', async () => {
    const { key, ...record } = await json('key', 'mint', '--org', 'bell', '--write');
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{32,}$/);
    expect(record).toMatchObject({ brands: 'all', mayWrite: true, hint: key.slice(-4) });
    expect(await callerOfKey(db, key)).toMatchObject({ organization: { slug: 'bell' } });

    const text = await succeed(
      'key',
      'mint',
      '--org',
      'bell',
      '--name',
      'CRM',
      '--brand',
      'bell north',
    );
    const [scoped] = text.split('\n');
    expect(text).toContain('Read-only key of Bell & Co for north. It is shown only once');
    expect(await callerOfKey(db, scoped!)).toMatchObject({
      mayWrite: false,
      actor: { name: 'CRM' },
    });

    const list = await succeed('key', 'list', '--org', 'bell');
    expect(list).toMatch(/…\w{4} +CRM +north +read +20/);
    expect(list).not.toContain('svc_live_');
    expect(await succeed('key', 'revoke', scoped!, '--org', 'bell')).toMatch(
      /^Key "CRM" \(…\w{4}\) was revoked at 20.* UTC\.\n$/,
    );
    expect(await callerOfKey(db, scoped!)).toBeNull();
    expect(await callerOfKey(db, key)).not.toBeNull();
  });

  it('alerts the owners to a new key if the service sends email', async () => {
    const mailing = {
      ...env,
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'Bell <mail@bell.example>',
    };
    await runAdmin(['key', 'mint', '--org', 'bell', '--name', 'Silent'], env);
    await runAdmin(['key', 'mint', '--org', 'bell', '--name', 'Robot'], mailing);
    expect(
      await db.query(`select recipient, data -> 'alert' ->> 'key' as key from outbox`),
    ).toEqual([{ recipient: 'Ann@Bell.example', key: 'Robot' }]);
    await db.query(`delete from api_keys where name in ('Silent', 'Robot')`);
  });

  it('requires a choice about the keys of a removed member', async () => {
    const cid = ['--org', 'acme-roofing', '--email', 'cid@acme.example'];
    const keyOf = async (name: string) => {
      const { id } = await json('user', 'add', ...cid, '--name', 'Cid', '--role', 'admin');
      const minted = await json('key', 'mint', '--org', 'acme-roofing', '--name', name);
      await db.query('update api_keys set created_by = $2 where id = $1', [minted.id, id]);
      return minted.key as string;
    };
    const key = await keyOf('Sync');
    expect(await run('user', 'remove', ...cid)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Cid created API keys that still work: "Sync" \(…\w{4}\)/),
    });
    const dee = ['--email', 'dee@acme.example', '--name', 'Dee', '--role', 'owner'];
    await succeed('user', 'add', '--org', 'acme-roofing', ...dee);
    await succeed('user', 'remove', ...cid, '--keep-keys-for', 'dee@acme.example');
    expect(await callerOfKey(db, key)).not.toBeNull();
    const second = await keyOf('Import');
    await succeed('user', 'remove', ...cid, '--revoke-keys');
    expect(await callerOfKey(db, second)).toBeNull();
  });

  it('turns off a lost second factor', async () => {
    await db.query(
      `insert into authenticator_apps (person_id, secret, confirmed_at)
       select id, 'AAAAAAAAAAAAAAAA', now() from people where email = 'Ann@Bell.example'`,
    );
    expect(await succeed('user', 'reset-second-factor', '--email', 'ann@bell.example')).toMatch(
      /^The second factor of Ann Bell \(Ann@Bell\.example\) is off/,
    );
    expect(await db.query('select from authenticator_apps')).toEqual([]);
    expect(await run('user', 'reset-second-factor', '--email', 'eve@bell.example')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No account has the email address eve@bell.example'),
    });
  });

  it('shows an organization with its subscription, brands, members, and keys', async () => {
    const shown = await succeed('org', 'show', 'bell');
    expect(shown).toMatch(/^Bell & Co \(bell\)\n\nSubscription: [^]*Bell North[^]*Ann Bell[^]*CRM/);
    expect(await json('org', 'show', 'bell')).toMatchObject({
      slug: 'bell',
      brands: [{ slug: 'north', live: 0, pending: 0 }],
      people: [{ name: 'Ann Bell' }],
      keys: [{ mayWrite: true }, { name: 'CRM' }],
    });
    expect(await succeed('org', 'list')).toMatch(
      /Acme Roofing +acme-roofing[^]*\n +Bell & Co +bell/,
    );
  });

  it.each([
    ['an unknown organization', ['org', 'show', 'nobody'], /no organization "nobody"/],
    ['a slug that is taken', ['org', 'create', 'Bell'], /already an organization "bell"/],
    [
      'a missing organization',
      ['key', 'list'],
      /required option '--org <slug>' not specified\n\(see --help\)\n$/,
    ],
    [
      'an unknown role',
      ['user', 'add', '--org', 'bell', '--email', 'a@b.example', '--name', 'A', '--role', 'king'],
      /Allowed choices are owner, admin, reviewer, member/,
    ],
    [
      'removing the last owner',
      ['user', 'remove', '--org', 'bell', '--email', 'ann@bell.example'],
      /Ann Bell is the last owner/,
    ],
    [
      'removing a person who is no member',
      ['user', 'remove', '--org', 'bell', '--email', 'eve@bell.example'],
      /No member of the organization has the email address eve@/,
    ],
    ['a plan without seats', ['plan', 'set', '--org', 'bell', '--seats', '0'], /at least one seat/],
    ['a plan without changes', ['plan', 'set', '--org', 'bell'], /nothing to change; use --status/],
    [
      'an invalid date',
      ['plan', 'set', '--org', 'bell', '--trial-ends', '2026-02-30'],
      /a day such as 2026-12-31/,
    ],
    [
      'an invalid number',
      ['plan', 'set', '--org', 'bell', '--units', '-5'],
      /a whole number such as 5/,
    ],
    [
      'a key for an unknown brand',
      ['key', 'mint', '--org', 'bell', '--brand', 'south'],
      /no brand "south"[^]*north/,
    ],
    [
      'a brand whose name is taken',
      ['brand', 'create', 'bell NORTH', '--org', 'bell'],
      /already has a brand named "bell NORTH" or with the slug "bell-north"/,
    ],
    ['an unknown key', ['key', 'revoke', 'CRM2', '--org', 'bell'], /There is no key "CRM2"/],
  ])('ends with exit code 1 and the reason: %s', async (_name, words, why) => {
    const result = await run(...words);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(why);
    expect(result.stderr).not.toMatch(/\n +at /);
    expect(result.stdout).toBe('');
  });
});
