import { describe, expect, it } from 'vitest';
import { callerOfKey } from '../../src/account/callers.ts';
import { hashOfKey, newKey } from '../../src/account/key-text.ts';
import { listKeys, mintKey, revokeKey, type NewKey } from '../../src/account/keys.ts';
import { setPlan } from '../../src/account/plans.ts';
import { tenantOf } from '../../src/account/tenant.ts';
import { openDatabase, type Database } from '../../src/db/database.ts';
import { createBrand } from '../../src/territory/brands.ts';
import { testDatabase } from '../support/database.ts';
import { newOrganization } from './organizations.ts';

const { db, env } = await testDatabase('empty');

async function minted(options: Partial<NewKey> = {}) {
  const { organization, tenant } = await newOrganization(db);
  const key = await mintKey(db, {
    organization,
    name: 'Agent',
    brands: 'all',
    mayWrite: true,
    ...options,
  });
  return { organization, tenant, ...key };
}

describe('a key', () => {
  it('is a prefix and 40 random characters, of which every one occurs about as often', async () => {
    const keys = Array.from({ length: 1000 }, newKey);
    expect(new Set(keys).size).toBe(1000);
    const counts = new Map<string, number>();
    for (const key of keys) {
      expect(key).toMatch(/^svc_live_[0-9A-Za-z]{40}$/);
      for (const character of key.slice(9)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    // 645 of each expected: six standard deviations of a binomial are 151.
    expect(counts.size).toBe(62);
    for (const n of counts.values()) expect(Math.abs(n - 40_000 / 62)).toBeLessThan(151);
  });

  it('is kept as its SHA-256 only: nowhere in the database does it stand', async () => {
    const { key, id } = await minted();
    const [row] = await db.query<{ secret_hash: Buffer; text: string }>(
      'select secret_hash, row_to_json(k)::text as text from api_keys k where id = $1',
      [id],
    );
    expect(row!.secret_hash).toEqual(hashOfKey(key));
    expect(row!.text).not.toContain(key.slice(9, 30));
  });

  it('leads to its organisation, plan and rights', async () => {
    const { organization, key, id } = await minted({ mayWrite: false });
    expect(await callerOfKey(db, key)).toMatchObject({
      organization,
      actor: { kind: 'key', id, name: 'Agent' },
      role: null,
      plan: { status: 'trial', monthlyUnits: 1000 },
      brandScope: 'all',
      mayWrite: false,
      tenant: { organizationId: organization.id },
    });
  });

  it('is for all brands, or for those it was minted for', async () => {
    const { organization, tenant } = await newOrganization(db);
    const [north] = [
      await createBrand(tenant, { name: 'North' }),
      await createBrand(tenant, { name: 'South' }),
    ];
    const scoped = await mintKey(db, {
      organization,
      name: 'North only',
      brands: [north.id],
      mayWrite: true,
    });
    expect(scoped).toMatchObject({ brands: ['north'] });
    expect((await callerOfKey(db, scoped.key))!.brandScope).toEqual(new Set([north.id]));
  });

  it('cannot be for the brand of another organisation, nor for none', async () => {
    const other = await newOrganization(db);
    const brand = await createBrand(other.tenant, { name: 'Theirs' });
    await expect(minted({ brands: [brand.id] })).rejects.toThrow('foreign key');
    await expect(minted({ brands: [] })).rejects.toMatchObject({ status: 400 });
  });

  it('follows its organisation’s plan from one call to the next', async () => {
    const { tenant, key } = await minted();
    await setPlan(tenant, { status: 'past_due', writeEntitlement: false });
    expect(await callerOfKey(db, key)).toMatchObject({
      plan: { status: 'past_due', writeEntitlement: false, trialEndsAt: null },
    });
  });
});

describe('no caller is behind', () => {
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
  ])('what is no key: %.60s', async (text) => {
    expect(await callerOfKey(db, text)).toBeNull();
  });

  it('a key of which one character differs, be it the first or the last', async () => {
    const { key } = await minted();
    for (const at of [9, 20, key.length - 1]) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(await callerOfKey(db, key.slice(0, at) + other + key.slice(at + 1))).toBeNull();
    }
  });

  it('a revoked key, at once and at every process', async () => {
    const { tenant, key, id } = await minted();
    const elsewhere = await anotherProcess();
    expect(await callerOfKey(db, key)).not.toBeNull();
    await revokeKey(tenantOf(elsewhere, tenant.organizationId), id);
    expect(await callerOfKey(db, key)).toBeNull();
    await elsewhere.close();
  });
});

describe('when a key was last used', () => {
  const lastUsed = async (id: string) => {
    const rows = await db.query<{ last_used_at: Date | null }>(
      'select last_used_at from api_keys where id = $1',
      [id],
    );
    return rows[0]!.last_used_at;
  };
  const setLastUsed = (id: string, ago: string) =>
    db.query('update api_keys set last_used_at = now() - $2::interval where id = $1', [id, ago]);

  it('is written with its first use', async () => {
    const { key, id } = await minted();
    expect(await lastUsed(id)).toBeNull();
    await callerOfKey(db, key);
    await expect.poll(() => lastUsed(id)).not.toBeNull();
  });

  it('is written again only after a minute', async () => {
    const { key, id } = await minted();
    const writes: string[] = [];
    const watched: Database = {
      ...db,
      query: (sql, values) => {
        if (sql.startsWith('update')) writes.push(sql);
        return db.query(sql, values);
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
    const { key } = await minted();
    const broken: Database = {
      ...db,
      query: (sql, values) =>
        sql.startsWith('update') ? Promise.reject(new Error('no')) : db.query(sql, values),
    };
    const stuck: Database = {
      ...db,
      query: (sql, values) =>
        sql.startsWith('update') ? new Promise(() => {}) : db.query(sql, values),
    };
    expect(await callerOfKey(broken, key)).not.toBeNull();
    expect(await callerOfKey(stuck, key)).not.toBeNull();
  });
});

describe('the keys of an organisation', () => {
  it('are listed without themselves', async () => {
    const { tenant, key, hint } = await minted();
    const [listed, ...others] = await listKeys(tenant);
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ name: 'Agent', hint, brands: 'all', revokedAt: null });
    expect(key.endsWith(hint)).toBe(true);
    expect(JSON.stringify(listed)).not.toContain(key.slice(9, 40));
  });

  it.each(['id', 'hint', 'name', 'key'] as const)('are revoked by their %s', async (by) => {
    const minting = await minted();
    const revoked = await revokeKey(minting.tenant, minting[by]);
    expect(revoked).toMatchObject({ id: minting.id, revokedAt: expect.any(String) });
    // A second time changes nothing.
    expect(await revokeKey(minting.tenant, minting[by])).toEqual(revoked);
  });

  it('are not revoked by another organisation, which is not told whether there is such a key', async () => {
    const { key, id } = await minted();
    const { tenant } = await newOrganization(db);
    for (const ref of [key, id]) {
      await expect(revokeKey(tenant, ref)).rejects.toMatchObject({ status: 404 });
    }
    expect(await callerOfKey(db, key)).not.toBeNull();
  });

  it('are told apart by id where two have the same name', async () => {
    const { organization, tenant, id } = await minted();
    const twin = await mintKey(db, { organization, name: 'agent', brands: 'all', mayWrite: false });
    await expect(revokeKey(tenant, 'Agent')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(id),
    });
    await revokeKey(tenant, id);
    expect(await revokeKey(tenant, 'Agent')).toMatchObject({ id: twin.id });
  });

  it('never stand in an error', async () => {
    const { tenant } = await newOrganization(db);
    const { key } = await minted();
    for (const ref of [key, key.slice(0, -1), `${key}x`]) {
      const error: Error = await revokeKey(tenant, ref).then(
        () => expect.unreachable(),
        (reason) => reason,
      );
      expect(error.message).not.toContain(key.slice(9, 40));
    }
  });
});

/** As another process sees the database. */
const anotherProcess = () =>
  openDatabase({
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: 1,
    dataDir: env.DATA_DIR ?? '',
  });
