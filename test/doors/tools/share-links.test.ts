import { describe, expect, it } from 'vitest';
import { listShareLinks } from '../../../src/doors/tools/list-share-links.ts';
import { revokeShareLink } from '../../../src/doors/tools/revoke-share-link.ts';
import { shareTerritoryMap } from '../../../src/doors/tools/share-territory-map.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import type { ShareRecord } from '../../../src/doors/tools/support/share-record.ts';
import { openShare, zipsOfShare } from '../../../src/territories/share/open-share.ts';
import { testDatabase } from '../../support/database.ts';
import { organizationWith } from '../../territories/brands/organization.ts';
import { API_ROOT, SITE_ROOT, toolsFor, type KeyRights } from './calls.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';

const { db } = await testDatabase('empty');

/** An organization whose brand Star holds two ZIP codes, and New none */
async function start(rights: KeyRights = {}) {
  const { tenant, brands } = await organizationWith(db, 'Star', 'New');
  await tenant.query(
    `insert into brand_zips (organization_id, brand_id, zip, state)
     values ($1, $2, '75201', 'live'), ($1, $2, '75202', 'pending')`,
    [brands[0].id],
  );
  return { tenant, brands, call: await toolsFor(db, tenant, rights) };
}
const shareOf = ({ data }: { data: Record<string, unknown> }) => data.share as ShareRecord;
const linksOf = ({ data }: { data: Record<string, unknown> }) => data.links as ShareRecord[];

describe('sharing a map', () => {
  it('creates a link that works at the returned URLs, for five units', async () => {
    const { tenant, call } = await start();
    const asked = { brand: 'star', title: 'Ours', vertical: 'hvac', expiresInDays: 7 };
    const { data, text } = await call(shareTerritoryMap, { ...asked, confirm: true });
    const { token, code, ...share } = data.share as ShareRecord;
    const root = `${API_ROOT}/shared/${code}`;
    expect(share).toMatchObject({
      kind: 'brand',
      status: 'active',
      brand: 'star',
      title: 'Ours',
      vertical: 'hvac',
      hideBranding: false,
      createdBy: 'Agent',
      revokedAt: null,
      shareUrl: `${SITE_ROOT}/s/${code}`,
      mapImageUrl: `${root}/map.png`,
    });
    expect(Date.parse(share.expiresAt) - Date.parse(share.createdAt)).toBe(7 * 86_400_000);
    expect(data).toMatchObject({
      zips: 2,
      metaUrl: `${root}/meta`,
      boundariesUrl: `${root}/boundaries`,
      tilesUrl: `${root}/tiles/{z}/{x}/{y}.mvt`,
    });
    expect(text).toContain(`${root}/boundaries`);
    expect(text).toContain(`<iframe src="${SITE_ROOT}/s/${code}?embed=1" title="Ours"`);
    for (const name of [token, code]) {
      expect(await zipsOfShare(db, await openShare(db, name))).toHaveLength(2);
    }
    expect(await unitsUsed(tenant)).toBe(5);
  });

  it('previews the link without confirm, for free', async () => {
    const { tenant, call } = await start();
    const answer = await call(shareTerritoryMap, { brand: 'Star', kind: 'zip_snapshot' });
    expect(answer).toMatchObject({
      isError: false,
      data: {
        status: 'preview',
        preview: { brand: 'star', kind: 'zip_snapshot', zips: 2, expiresInDays: 30 },
      },
    });
    expect(answer.text).toContain('expires after 30 days');
    expect(answer.text).toContain('Anyone with the link sees the 2 ZIP codes that Star holds now');
    expect(linksOf(await call(listShareLinks, { status: 'all' }))).toEqual([]);
    expect(await unitsUsed(tenant)).toBe(1);
  });

  it('creates and charges one link for a repeated idempotency key', async () => {
    const { tenant, call } = await start();
    const input = { brand: 'star', idempotencyKey: 'monday', confirm: true };
    const first = await call(shareTerritoryMap, input);
    const second = await call(shareTerritoryMap, input);
    expect(second.data).toEqual(first.data);
    expect(second.text).toMatch(/^Repeated call: already done earlier\./);
    expect(await unitsUsed(tenant)).toBe(5);
    const other = await call(shareTerritoryMap, { ...input, title: 'Other' });
    expect(other).toMatchObject({ isError: true, data: { code: 'conflict' } });
  });

  it('refuses a snapshot of a brand that holds nothing, also in the preview', async () => {
    const { tenant, call } = await start();
    for (const confirm of [false, true]) {
      const input = { brand: 'new', kind: 'zip_snapshot', confirm };
      const { data } = await call(shareTerritoryMap, input);
      expect(data).toMatchObject({
        code: 'conflict',
        error: expect.stringMatching(/^New holds no/),
      });
    }
    expect(await unitsUsed(tenant)).toBe(0);
  });

  it.each([
    [{ expiresInDays: 0 }, /expiresInDays/],
    [{ expiresInDays: 366 }, /expiresInDays/],
    [{ title: '' }, /title/],
    [{ title: 'x'.repeat(81) }, /title/],
    [{ title: 'a\0b' }, /title must not contain the character U\+0000/],
    [{ kind: 'photo' }, /kind must be one of brand, zip_snapshot/],
    [{ vertical: 'baking' }, /vertical must be one of roofing/],
    [{ color: 'red' }, /unknown field "color"/],
  ])('refuses %j', async (wrong, why) => {
    const { call } = await start();
    const { data } = await call(shareTerritoryMap, { brand: 'star', confirm: true, ...wrong });
    expect(data).toMatchObject({ code: 'bad_request', error: expect.stringMatching(why) });
  });
});

describe('revoking a link', () => {
  it('revokes it immediately, by token or code, and says so if it is already revoked', async () => {
    const { tenant, call } = await start();
    const share = shareOf(await call(shareTerritoryMap, { brand: 'star', confirm: true }));
    const preview = await call(revokeShareLink, { link: share.code });
    expect(preview.data).toMatchObject({
      preview: { code: share.code, status: 'active', becomes: 'revoked' },
    });
    await openShare(db, share.token);

    const done = await call(revokeShareLink, { link: share.token, confirm: true });
    expect(done.data).toMatchObject({ changed: true, share: { status: 'revoked' } });
    await expect(openShare(db, share.code)).rejects.toMatchObject({ status: 404 });
    expect(await unitsUsed(tenant)).toBe(6);

    const again = await call(revokeShareLink, { link: share.code, confirm: true });
    expect(again.isError).toBe(false);
    expect(again.data).toMatchObject({ changed: false, share: { status: 'revoked' } });
    expect(again.text).toMatch(/^Nothing to do\. The link is already revoked or expired/);
    expect(await unitsUsed(tenant)).toBe(6);
  });

  it('finds no unknown link and none of another organization', async () => {
    const [mine, theirs] = [await start(), await start()];
    const share = shareOf(await theirs.call(shareTerritoryMap, { brand: 'star', confirm: true }));
    for (const link of [share.token, share.code, 'zzzzzzzzzz', 'none']) {
      for (const confirm of [false, true]) {
        const { data } = await mine.call(revokeShareLink, { link, confirm });
        expect(data).toMatchObject({ code: 'not_found' });
      }
    }
    await openShare(db, share.token);
  });
});

describe('a key', () => {
  it('for one brand can’t create, list, or revoke links of another', async () => {
    const { tenant, brands, call } = await start();
    const share = shareOf(await call(shareTerritoryMap, { brand: 'star', confirm: true }));
    const narrow = await toolsFor(db, tenant, { brands: [brands[1]] });
    const refused = { isError: true, data: { code: 'brand_out_of_scope' } };
    const unknown = { isError: true, data: { code: 'not_found' } };
    expect(await narrow(shareTerritoryMap, { brand: 'star', confirm: true })).toMatchObject(
      unknown,
    );
    expect(await narrow(revokeShareLink, { link: share.code, confirm: true })).toMatchObject(
      refused,
    );
    expect((await narrow(revokeShareLink, { link: share.code })).text).toMatch(
      /outside the brand scope/,
    );
    expect(await narrow(listShareLinks, { brand: 'star' })).toMatchObject(unknown);
    expect(linksOf(await narrow(listShareLinks, {}))).toEqual([]);
    await openShare(db, share.token);
  });

  it('without write access, its own or the plan’s, only reads', async () => {
    const { tenant, call } = await start({ mayWrite: false });
    const refused = { isError: true, data: { code: 'write_not_entitled' } };
    expect(await call(shareTerritoryMap, { brand: 'star', confirm: true })).toMatchObject(refused);
    const writer = await toolsFor(db, tenant);
    const share = shareOf(await writer(shareTerritoryMap, { brand: 'star', confirm: true }));
    expect(await call(revokeShareLink, { link: share.code, confirm: true })).toMatchObject(refused);
    await changeSubscription(tenant, { writeEntitlement: false });
    const input = { link: share.code, confirm: true };
    expect(await writer(revokeShareLink, input)).toMatchObject(refused);
    expect(linksOf(await writer(listShareLinks, {}))).toHaveLength(1);
  });
});

describe('the list of links', () => {
  it('contains active links by default, in pages', async () => {
    const { call } = await start();
    const minted: ShareRecord[] = [];
    for (const title of ['a', 'b', 'c']) {
      const input = { brand: 'star', title, confirm: true };
      minted.push(shareOf(await call(shareTerritoryMap, input)));
    }
    await call(revokeShareLink, { link: minted[1]!.code, confirm: true });
    const titles = async (input: Record<string, unknown>) =>
      linksOf(await call(listShareLinks, input)).map(({ title }) => title);
    expect(await titles({})).toEqual(['c', 'a']);
    expect(await titles({ status: 'revoked' })).toEqual(['b']);
    expect(await titles({ status: 'expired' })).toEqual([]);
    expect(await titles({ status: 'all', brand: 'new' })).toEqual([]);
    const first = await call(listShareLinks, { status: 'all', limit: 2 });
    expect(linksOf(first).map(({ title }) => title)).toEqual(['c', 'b']);
    const cursor = first.data.nextCursor;
    expect(first.text).toContain(`pass cursor ${String(cursor)}`);
    expect(await titles({ status: 'all', limit: 2, cursor })).toEqual(['a']);
  });
});
