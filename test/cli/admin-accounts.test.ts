/** The operator's commands for organisations, people, plans and keys, as operators use them. */
import { describe, expect, it } from 'vitest';
import { callerOfKey } from '../../src/account/callers.ts';
import { testDatabase } from '../support/database.ts';
import { runAdmin } from '../support/processes.ts';

const { db, env } = await testDatabase('empty');
const run = (...words: string[]) => runAdmin(words, env);
const done = async (...words: string[]) => {
  const result = await run(...words);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return result.stdout;
};
const json = async (...words: string[]) => JSON.parse(await done(...words, '--json'));

describe('territory-admin', () => {
  it('makes an organisation and says what comes next', async () => {
    expect(await done('org', 'list')).toContain('There are no organisations yet');
    const told = await done('org', 'create', 'Acme Roofing');
    expect(told).toMatch(/^Made the organisation acme-roofing \(Acme Roofing\)\.\n/);
    expect(told).toMatch(
      /Plan: trial until 20\d\d-\d\d-\d\d; 5 seats, 1,000 units a month, may write\./,
    );
    expect(told).toContain('territory-admin key mint --org acme-roofing --write');
    expect(await json('org', 'create', 'Bell & Co', '--slug', 'bell')).toMatchObject({
      slug: 'bell',
      name: 'Bell & Co',
      plan: { status: 'trial', seats: 5, monthlyUnits: 1000 },
    });
  });

  it('gives people seats and roles', async () => {
    expect(
      await done(
        ...['user', 'add', '--org', 'bell', '--email', 'Ann@Bell.example', '--name', 'Ann Bell'],
        ...['--role', 'owner'],
      ),
    ).toBe(
      'Ann Bell (Ann@Bell.example) is now owner of Bell & Co.\n' +
        'For a link to choose a password: territory-admin user password --email Ann@Bell.example\n',
    );
    const bob = ['--org', 'bell', '--email', 'bob@bell.example'];
    expect(await json('user', 'add', ...bob, '--name', 'Bob')).toMatchObject({ role: 'member' });
    expect(await json('user', 'role', ...bob, '--role', 'reviewer')).toMatchObject({
      role: 'reviewer',
    });
    expect(await done('user', 'access', ...bob, '--may', 'read')).toBe(
      'Bob (bob@bell.example) may only read in Bell & Co.\n',
    );
    expect(await done('user', 'list', '--org', 'bell')).toMatch(
      /Person +E-mail +Role +May +Since\n +Ann Bell +Ann@Bell\.example +owner +read, write +20[^]*Bob +bob@bell\.example +reviewer +read +20/,
    );
    expect(await json('user', 'access', ...bob, '--may', 'write')).toMatchObject({
      mayWrite: true,
    });
    expect(await json('user', 'remove', ...bob)).toMatchObject({ removed: { name: 'Bob' } });
    expect((await json('user', 'list', '--org', 'bell')).people).toHaveLength(1);
  });

  it('makes a link by which a person chooses a password', async () => {
    const told = await done('user', 'password', '--email', 'ann@bell.example');
    const [url, advice] = told.split('\n');
    expect(url).toMatch(/^http:\/\/localhost:\d+\/password\/svc_password_\w{40}$/);
    expect(advice).toContain('within 3 days has the account of Ann Bell (Ann@Bell.example), once');
    const { person } = await json('user', 'password', '--email', 'ann@bell.example');
    expect(person).toMatchObject({ name: 'Ann Bell' });
    expect(await run('user', 'password', '--email', 'eve@bell.example')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nobody has an account with the e-mail address'),
    });
  });

  it('changes a plan in what is given', async () => {
    expect(
      await json(
        ...['plan', 'set', '--org', 'bell', '--status', 'active', '--seats', '7'],
        ...['--units', '2500', '--no-write'],
      ),
    ).toEqual({
      status: 'active',
      trialEndsAt: null,
      seats: 7,
      monthlyUnits: 2500,
      writeEntitlement: false,
    });
    expect(await done('plan', 'set', '--org', 'bell', '--write')).toBe(
      'Plan: active; 7 seats, 2,500 units a month, may write.\n',
    );
    await done('plan', 'set', '--org', 'bell', '--trial-ends', '2020-02-01');
    expect(await done('plan', 'show', '--org', 'bell')).toContain('trial ended on 2020-02-01');
  });

  it('makes brands', async () => {
    expect(await done('brand', 'create', 'Bell North', '--org', 'bell', '--slug', 'north')).toBe(
      'Made the brand north (Bell North) of Bell & Co.\n',
    );
    expect(await json('brand', 'create', 'Bell South', '--org', 'acme-roofing')).toMatchObject({
      slug: 'bell-south',
    });
  });

  it('mints a key, shown once, and revokes it', async () => {
    const { key, ...record } = await json('key', 'mint', '--org', 'bell', '--write');
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{32,}$/);
    expect(record).toMatchObject({ brands: 'all', mayWrite: true, hint: key.slice(-4) });
    expect(await callerOfKey(db, key)).toMatchObject({ organization: { slug: 'bell' } });

    const told = await done(
      'key',
      'mint',
      '--org',
      'bell',
      '--name',
      'CRM',
      '--brand',
      'bell north',
    );
    const [scoped] = told.split('\n');
    expect(told).toContain('It reads north of Bell & Co. It is shown this once only');
    expect(await callerOfKey(db, scoped!)).toMatchObject({
      mayWrite: false,
      actor: { name: 'CRM' },
    });

    const list = await done('key', 'list', '--org', 'bell');
    expect(list).toMatch(/…\w{4} +CRM +north +read +20/);
    expect(list).not.toContain('svc_live_');
    expect(await done('key', 'revoke', scoped!, '--org', 'bell')).toMatch(
      /^The key "CRM" \(…\w{4}\) is revoked since 20.* UTC\.\n$/,
    );
    expect(await callerOfKey(db, scoped!)).toBeNull();
    expect(await callerOfKey(db, key)).not.toBeNull();
  });

  it('shows an organisation with all that belongs to it', async () => {
    const shown = await done('org', 'show', 'bell');
    expect(shown).toMatch(/^Bell & Co \(bell\)\n\nPlan: [^]*Bell North[^]*Ann Bell[^]*CRM/);
    expect(await json('org', 'show', 'bell')).toMatchObject({
      slug: 'bell',
      brands: [{ slug: 'north', live: 0, pending: 0 }],
      people: [{ name: 'Ann Bell' }],
      keys: [{ mayWrite: true }, { name: 'CRM' }],
    });
    expect(await done('org', 'list')).toMatch(/acme-roofing +Acme Roofing[^]*\n +bell +Bell & Co/);
  });

  it.each([
    ['an organisation that is not there', ['org', 'show', 'nobody'], /no organisation "nobody"/],
    ['a slug that is taken', ['org', 'create', 'Bell'], /organisation "bell" already/],
    ['no organisation at all', ['key', 'list'], /required option '--org <slug>' not specified/],
    [
      'a role that is none',
      ['user', 'add', '--org', 'bell', '--email', 'a@b.example', '--name', 'A', '--role', 'king'],
      /Allowed choices are owner, admin, reviewer, member/,
    ],
    [
      'the last owner who leaves',
      ['user', 'remove', '--org', 'bell', '--email', 'ann@bell.example'],
      /Ann Bell is the last owner/,
    ],
    [
      'a stranger who leaves',
      ['user', 'remove', '--org', 'bell', '--email', 'eve@bell.example'],
      /Nobody in the organisation has the e-mail address eve@/,
    ],
    ['a plan without seats', ['plan', 'set', '--org', 'bell', '--seats', '0'], /one seat at least/],
    ['a plan without changes', ['plan', 'set', '--org', 'bell'], /say what to change/],
    [
      'a day that is none',
      ['plan', 'set', '--org', 'bell', '--trial-ends', '2026-02-30'],
      /a day such as 2026-12-31/,
    ],
    [
      'a number that is none',
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
    ['a key that is none', ['key', 'revoke', 'CRM2', '--org', 'bell'], /There is no key "CRM2"/],
  ])('ends with exit code 1 and says why: %s', async (_name, words, why) => {
    const result = await run(...words);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(why);
    expect(result.stderr).not.toMatch(/\n +at /);
    expect(result.stdout).toBe('');
  });
});
