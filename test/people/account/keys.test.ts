import { describe, expect, it } from 'vitest';
import { callerOfKey } from '../../../src/people/account/callers.ts';
import { newKey } from '../../../src/people/account/key-text.ts';
import { hashOfSecret } from '../../../src/people/account/secret.ts';
import { listKeys, mintKey, revokeKey, type NewKey } from '../../../src/people/account/keys.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { openDatabase, type Database } from '../../../src/base/db/database.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { testDatabase } from '../../support/database.ts';
import { newOrganization } from './organizations.ts';

const { db, env } = await testDatabase('empty');

async function mintInNewOrganization(options: Partial<NewKey> = {}) {
  const { organization, tenant } = await newOrganization(db);
  const key = await mintKey(tenant, { name: 'Agent', brands: 'all', mayWrite: true, ...options });
  return { organization, tenant, ...key };
}

describe('API keys', () => {
  it('have a prefix and 40 evenly distributed random characters', async () => {
    const keys = Array.from({ length: 1000 }, newKey);
    expect(new Set(keys).size).toBe(1000);
    const counts = new Map<string, number>();
    for (const key of keys) {
      expect(key).toMatch(/^svc_live_[0-9A-Za-z]{40}$/);
      for (const character of key.slice(9)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    // Each is expected 645 times. Six standard deviations of the binomial distribution are 151.
    expect(counts.size).toBe(62);
    for (const n of counts.values()) expect(Math.abs(n - 40_000 / 62)).toBeLessThan(151);
  });

  it('are stored only as their SHA-256 hash', async () => {
    const { key, id } = await mintInNewOrganization();
    const [row] = await db.query<{ secret_hash: Buffer; text: string }>(
      'select secret_hash, row_to_json(k)::text as text from api_keys k where id = $1',
      [id],
    );
    expect(row!.secret_hash).toEqual(hashOfSecret(key));
    expect(row!.text).not.toContain(key.slice(9, 30));
  });

  it('identify their organization, subscription, and permissions', async () => {
    const { organization, key, id } = await mintInNewOrganization({ mayWrite: false });
    expect(await callerOfKey(db, key)).toMatchObject({
      organization,
      actor: { kind: 'key', id, name: 'Agent' },
      role: null,
      subscription: { status: 'trial', monthlyUnits: 1000 },
      brandScope: 'all',
      mayWrite: false,
      tenant: { organizationId: organization.id },
    });
  });

  it('have access to all brands or to the chosen ones', async () => {
    const { tenant } = await newOrganization(db);
    const [north] = [
      await createBrand(tenant, { name: 'North' }),
      await createBrand(tenant, { name: 'South' }),
    ];
    const scoped = await mintKey(tenant, {
      name: 'North only',
      brands: [north.id],
      mayWrite: true,
    });
    expect(scoped).toMatchObject({ brands: ['north'] });
    expect((await callerOfKey(db, scoped.key))!.brandScope).toEqual(new Set([north.id]));
  });

  it('cannot have access to another organization’s brand or to no brand', async () => {
    const other = await newOrganization(db);
    const brand = await createBrand(other.tenant, { name: 'Theirs' });
    await expect(mintInNewOrganization({ brands: [brand.id] })).rejects.toThrow('foreign key');
    await expect(mintInNewOrganization({ brands: [] })).rejects.toMatchObject({ status: 400 });
  });

  it('follow a change of the organization’s subscription at once', async () => {
    const { tenant, key } = await mintInNewOrganization();
    await changeSubscription(tenant, { status: 'past_due', writeEntitlement: false });
    expect(await callerOfKey(db, key)).toMatchObject({
      subscription: { status: 'past_due', writeEntitlement: false, trialEndsAt: null },
    });
  });
});

describe('callerOfKey', () => {
  it.each([
    '',
    'svc_live_',
    'Bearer x',
    `svc_live_${'a'.repeat(39)}`,
    `svc_live_${'a'.repeat(40)}`,
    `svc_live_${'a'.repeat(39)}é`,
    `svc_live_${'a'.repeat(39)}\n`,
    `svc_test_${'a'.repeat(40)}`,
    `svc_live_${'a'.repeat(100_000)}`,
  ])('returns null for malformed or unknown text: %.60s', async (text) => {
    expect(await callerOfKey(db, text)).toBeNull();
  });

  it('returns null for a key with one wrong character, at any position', async () => {
    const { key } = await mintInNewOrganization();
    for (const at of [9, 20, key.length - 1]) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(await callerOfKey(db, key.slice(0, at) + other + key.slice(at + 1))).toBeNull();
    }
  });

  it('returns null for a key that another process revoked', async () => {
    const { tenant, key, id } = await mintInNewOrganization();
    const elsewhere = await anotherProcess();
    expect(await callerOfKey(db, key)).not.toBeNull();
    await revokeKey(tenantOf(elsewhere, tenant.organizationId), id);
    expect(await callerOfKey(db, key)).toBeNull();
    await elsewhere.close();
  });
});

describe('the last use of a key', () => {
  const lastUsed = async (id: string) => {
    const rows = await db.query<{ last_used_at: Date | null }>(
      'select last_used_at from api_keys where id = $1',
      [id],
    );
    return rows[0]!.last_used_at;
  };
  const setLastUsed = (id: string, ago: string) =>
    db.query('update api_keys set last_used_at = now() - $2::interval where id = $1', [id, ago]);

  it('is recorded on first use', async () => {
    const { key, id } = await mintInNewOrganization();
    expect(await lastUsed(id)).toBeNull();
    await callerOfKey(db, key);
    await expect.poll(() => lastUsed(id)).not.toBeNull();
  });

  it('is updated once a minute at most', async () => {
    const { key, id } = await mintInNewOrganization();
    const writes: string[] = [];
    const watched: Database = {
      ...db,
      query: (sql, values, scope) => {
        if (sql.startsWith('update')) writes.push(sql);
        return db.query(sql, values, scope);
      },
    };
    await setLastUsed(id, '50 seconds');
    await callerOfKey(watched, key);
    expect(writes).toHaveLength(0);
    await setLastUsed(id, '61 seconds');
    await callerOfKey(watched, key);
    expect(writes).toHaveLength(1);
    await expect
      .poll(async () => Date.now() - (await lastUsed(id))!.getTime())
      .toBeLessThan(30_000);
  });

  it('delays no call and fails none', async () => {
    const { key } = await mintInNewOrganization();
    const broken: Database = {
      ...db,
      query: (sql, values, scope) =>
        sql.startsWith('update') ? Promise.reject(new Error('no')) : db.query(sql, values, scope),
    };
    const stuck: Database = {
      ...db,
      query: (sql, values, scope) =>
        sql.startsWith('update') ? new Promise(() => {}) : db.query(sql, values, scope),
    };
    expect(await callerOfKey(broken, key)).not.toBeNull();
    expect(await callerOfKey(stuck, key)).not.toBeNull();
  });
});

describe('an organization’s keys', () => {
  it('are listed without their secrets', async () => {
    const { tenant, key, hint } = await mintInNewOrganization();
    const [listed, ...others] = await listKeys(tenant);
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ name: 'Agent', hint, brands: 'all', revokedAt: null });
    expect(key.endsWith(hint)).toBe(true);
    expect(JSON.stringify(listed)).not.toContain(key.slice(9, 40));
  });

  it('are listed up to a limit, active and new ones first', async () => {
    const { tenant } = await mintInNewOrganization();
    const names = ['old', 'revoked', 'new'];
    for (const name of names) await mintKey(tenant, { name, brands: 'all', mayWrite: false });
    await revokeKey(tenant, 'revoked');
    expect((await listKeys(tenant, 2)).map(({ name }) => name)).toEqual(['old', 'new']);
    expect((await listKeys(tenant)).map(({ name }) => name)).toEqual(['Agent', ...names]);
  });

  it.each(['id', 'hint', 'name', 'key'] as const)('can be revoked by %s', async (by) => {
    const minting = await mintInNewOrganization();
    const revoked = await revokeKey(minting.tenant, minting[by]);
    expect(revoked).toMatchObject({ id: minting.id, revokedAt: expect.any(String) });
    // Revoking again changes nothing.
    expect(await revokeKey(minting.tenant, minting[by])).toEqual(revoked);
  });

  it('return 404 to another organization and stay active', async () => {
    const { key, id } = await mintInNewOrganization();
    const { tenant } = await newOrganization(db);
    for (const ref of [key, id]) {
      await expect(revokeKey(tenant, ref)).rejects.toMatchObject({ status: 404 });
    }
    expect(await callerOfKey(db, key)).not.toBeNull();
  });

  it('need an id to be revoked if several have the same name', async () => {
    const { tenant, id } = await mintInNewOrganization();
    const twin = await mintKey(tenant, { name: 'agent', brands: 'all', mayWrite: false });
    await expect(revokeKey(tenant, 'Agent')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(id),
    });
    await revokeKey(tenant, id);
    expect(await revokeKey(tenant, 'Agent')).toMatchObject({ id: twin.id });
  });

  it('never appear in errors', async () => {
    const { tenant } = await newOrganization(db);
    const { key } = await mintInNewOrganization();
    for (const ref of [key, key.slice(0, -1), `${key}x`]) {
      const error: Error = await revokeKey(tenant, ref).then(
        () => expect.unreachable(),
        (reason) => reason,
      );
      expect(error.message).not.toContain(key.slice(9, 40));
    }
  });
});

/** A separate connection, as another process has. */
const anotherProcess = () =>
  openDatabase({ databaseUrl: env.DATABASE_URL, databasePoolSize: 1, dataDir: env.DATA_DIR ?? '' });
