import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/people/account/caller.ts';
import type { Tenant, TenantDatabase } from '../../../src/people/account/tenant.ts';
import {
  findShare,
  listShares,
  mintShare,
  revokeShare,
  type NewShare,
} from '../../../src/territories/share/links.ts';
import { openShare, zipsOfShare } from '../../../src/territories/share/open-share.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { testDatabase } from '../../support/database.ts';
import { agent, organizationWith } from '../brands/organization.ts';

const { db } = await testDatabase('empty');

const ann: Actor = { kind: 'person', id: randomUUID(), name: 'Ann' };
const LIVE_MAP: NewShare = { kind: 'brand', days: 30, hideBranding: false };
const SNAPSHOT: NewShare = { ...LIVE_MAP, kind: 'zip_snapshot' };

async function hold(tenant: Tenant, brand: Brand, zips: Record<string, string>): Promise<void> {
  await tenant.query(
    `insert into brand_zips (organization_id, brand_id, zip, state)
     select $1, $2, key, value from jsonb_each_text($3)
     on conflict (brand_id, zip) do update set state = excluded.state`,
    [brand.id, zips],
  );
}

async function readShare(token: string) {
  const share = await openShare(db, token);
  return { meta: share.meta, zips: await zipsOfShare(db, share) };
}

const mint =
  (tenant: TenantDatabase) =>
  (brand: Brand, share: NewShare = LIVE_MAP, newCode?: () => string) =>
    tenant.transaction((tx) => mintShare(tx, ann, brand, share, newCode));

const expectClosed = (token: string) =>
  expect(openShare(db, token)).rejects.toMatchObject({
    status: 404,
    code: 'not_found',
    message:
      'There is no shared map at this link: it is unknown, expired, or revoked. Ask the sender for a new link.',
  });

describe('a live map', () => {
  it('shows what the brand holds now, by token and by short code', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star', 'Other');
    await hold(tenant, brands[0], { 75201: 'live', 75202: 'pending', 75203: 'removed' });
    await hold(tenant, brands[1], { 75204: 'live' });
    const { link, zips } = await mint(tenant)(brands[0]);
    expect(zips).toBe(2);
    for (const token of [link.id, link.code, link.code.toUpperCase()]) {
      expect((await readShare(token)).zips).toEqual([
        { zip: '75201', status: 'live' },
        { zip: '75202', status: 'pending' },
      ]);
    }
    await hold(tenant, brands[0], { 75201: 'removed', 75202: 'live', 75203: 'live' });
    expect((await readShare(link.code)).zips).toEqual([
      { zip: '75202', status: 'live' },
      { zip: '75203', status: 'live' },
    ]);
  });

  it('can be minted before the brand holds any ZIP codes', async () => {
    const { tenant, brands } = await organizationWith(db, 'New');
    const { link } = await mint(tenant)(brands[0]);
    expect((await readShare(link.id)).zips).toEqual([]);
  });
});

describe('a snapshot', () => {
  it('keeps its ZIP codes and states its date', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star');
    await hold(tenant, brands[0], { 75201: 'live', 75202: 'pending', 75203: 'removed' });
    const { link } = await mint(tenant)(brands[0], SNAPSHOT);
    await hold(tenant, brands[0], { 75201: 'removed', 75202: 'live', 75204: 'live' });
    const { meta, zips } = await readShare(link.id);
    expect(zips).toEqual([
      { zip: '75201', status: 'live' },
      { zip: '75202', status: 'pending' },
    ]);
    expect(meta.frozenAt).toEqual(meta.createdAt);
  });

  it('is refused for a brand without ZIP codes and stores nothing', async () => {
    const { tenant, brands } = await organizationWith(db, 'New');
    await expect(mint(tenant)(brands[0], SNAPSHOT)).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/^New holds no ZIP codes to take a snapshot of/),
    });
    expect((await listShares(tenant, 'all')).rows).toEqual([]);
  });
});

describe('minting', () => {
  it('returns the requested link, which expires after the requested number of 24-hour days', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star');
    const requested = { title: 'Ours', vertical: 'hvac', days: 365, hideBranding: true };
    const { link } = await mint(tenant)(brands[0], { ...LIVE_MAP, ...requested });
    expect(link).toMatchObject({
      title: 'Ours',
      vertical: 'hvac',
      hideBranding: true,
      kind: 'brand',
      status: 'active',
      brand: brands[0],
      createdBy: ann,
      frozenAt: null,
      revokedAt: null,
    });
    expect(link.expiresAt.getTime() - link.createdAt.getTime()).toBe(365 * 86_400_000);
  });

  it('tries another short code after a collision, ten times at most', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star');
    const { link } = await mint(tenant)(brands[0]);
    const codes = [link.code, link.code, 'zzzzzzzzzz'];
    const second = await mint(tenant)(brands[0], LIVE_MAP, () => codes.shift()!);
    expect(second.link.code).toBe('zzzzzzzzzz');
    await expect(mint(tenant)(brands[0], LIVE_MAP, () => link.code)).rejects.toThrow(/are taken/);
  });

  it('records activity in its transaction, and so does revoking', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star');
    await hold(tenant, brands[0], { 75201: 'live' });
    await expect(
      tenant.transaction(async (tx) => {
        await mintShare(tx, ann, brands[0], LIVE_MAP);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const { link } = await mint(tenant)(brands[0], SNAPSHOT);
    await tenant.transaction((tx) => revokeShare(tx, 'all', agent, link.code));
    const { rows } = await listActivity(tenant, 'all');
    expect(rows).toMatchObject([
      {
        action: 'share_revoked',
        actor: agent,
        summary: `Revoked the share link ${link.code} of Star.`,
        before: { token: link.id, status: 'active' },
        after: { token: link.id, status: 'revoked' },
      },
      {
        action: 'share_minted',
        actor: ann,
        zips: ['75201'],
        before: {},
        after: { code: link.code },
      },
    ]);
  });
});

describe('the public facts of a link', () => {
  it('name the brand and the person who minted it, unless branding is hidden', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star');
    const open = await mint(tenant)(brands[0]);
    expect((await readShare(open.link.id)).meta).toMatchObject({
      brandName: 'Star',
      createdByName: 'Ann',
      hideBranding: false,
    });
    const hidden = await mint(tenant)(brands[0], { ...LIVE_MAP, hideBranding: true });
    expect((await readShare(hidden.link.id)).meta).toMatchObject({
      brandName: null,
      createdByName: null,
      hideBranding: true,
    });
  });

  it('never name a key that minted the link', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star');
    const { link } = await tenant.transaction((tx) => mintShare(tx, agent, brands[0], LIVE_MAP));
    expect((await readShare(link.id)).meta.createdByName).toBeNull();
  });
});

describe('a link', () => {
  it('closes permanently when it is revoked, and a second revocation changes nothing', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star');
    const { link } = await mint(tenant)(brands[0]);
    const revoke = () => tenant.transaction((tx) => revokeShare(tx, 'all', agent, link.id));
    const first = await revoke();
    expect(first).toMatchObject({ changed: true, link: { status: 'revoked' } });
    await expectClosed(link.id);
    await expectClosed(link.code);
    expect(await revoke()).toEqual({ changed: false, link: first.link });
  });

  it('closes when it expires', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star');
    const { link } = await mint(tenant)(brands[0]);
    const expireAt = (moment: string) =>
      tenant.query(
        `update share_links set expires_at = ${moment} where organization_id = $1 and id = $2`,
        [link.id],
      );
    await expireAt(`now() + interval '1 minute'`);
    await openShare(db, link.id);
    await expireAt('now()');
    await expectClosed(link.id);
    await expectClosed(link.code);
    const { changed, link: found } = await tenant.transaction((tx) =>
      revokeShare(tx, 'all', agent, link.code),
    );
    expect([changed, found.status]).toEqual([false, 'expired']);
  });
});

describe('the list of links', () => {
  it('has each link once, newest first, in pages', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star');
    const minted: string[] = [];
    // Links minted in one transaction have the same time.
    for (const count of [1, 3, 2, 1]) {
      await tenant.transaction(async (tx) => {
        for (let i = 0; i < count; i++) {
          minted.push((await mintShare(tx, ann, brands[0], LIVE_MAP)).link.id);
        }
      });
    }
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listShares(tenant, 'all', {}, { limit: 2, cursor });
      found.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(found).toHaveLength(7);
    expect([...found].sort()).toEqual([...minted].sort());
    expect([found[0], found[6]]).toEqual([minted[6], minted[0]]);
  });

  it('filters by status, brand, and scope', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star', 'Other');
    const [active, revoked, expired, other] = await Promise.all([
      mint(tenant)(brands[0]),
      mint(tenant)(brands[0]),
      mint(tenant)(brands[0]),
      mint(tenant)(brands[1]),
    ]);
    await tenant.transaction((tx) => revokeShare(tx, 'all', ann, revoked.link.id));
    await tenant.query(
      `update share_links set expires_at = now() where organization_id = $1 and id = $2`,
      [expired.link.id],
    );
    const ids = async (...[scope, filter]: [Parameters<typeof listShares>[1], object]) =>
      (await listShares(tenant, scope, filter)).rows.map(({ id }) => id).sort();
    const star = new Set([brands[0].id]);
    expect(await ids('all', { status: 'revoked' })).toEqual([revoked.link.id]);
    expect(await ids('all', { status: 'expired' })).toEqual([expired.link.id]);
    expect(await ids(star, { status: 'active' })).toEqual([active.link.id]);
    expect(await ids('all', { brandId: brands[1].id })).toEqual([other.link.id]);
    expect(await ids(star, { brandId: brands[1].id })).toEqual([]);
    expect(await ids('all', {})).toHaveLength(4);
  });
});

describe('access to a link', () => {
  it('returns 404 for a link of another organization, by token and by short code', async () => {
    const [mine, theirs] = [await organizationWith(db, 'Star'), await organizationWith(db, 'Star')];
    const { link } = await mint(theirs.tenant)(theirs.brands[0]);
    expect((await listShares(mine.tenant, 'all')).rows).toEqual([]);
    for (const ref of [link.id, link.code]) {
      const missing = { status: 404, code: 'not_found' };
      await expect(findShare(mine.tenant, 'all', ref)).rejects.toMatchObject(missing);
      await expect(
        mine.tenant.transaction((tx) => revokeShare(tx, 'all', agent, ref)),
      ).rejects.toMatchObject(missing);
    }
    await openShare(db, link.id);
  });

  it('refuses to revoke a link of a brand outside the scope', async () => {
    const { tenant, brands } = await organizationWith(db, 'Star', 'Other');
    const { link } = await mint(tenant)(brands[1]);
    await expect(
      tenant.transaction((tx) => revokeShare(tx, new Set([brands[0].id]), agent, link.code)),
    ).rejects.toMatchObject({
      status: 403,
      code: 'brand_out_of_scope',
      message: `The share link "${link.code}" belongs to a brand outside the brand scope of this key or person. Use a key with a wider scope.`,
    });
    await openShare(db, link.id);
  });
});
