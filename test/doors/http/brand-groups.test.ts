/** The REST operations on groups of brands, and the rule as two franchisees see it. */
import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/people/account/members.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { approveReviews } from '../../../src/territories/brands/review.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS, reviewer } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const [A, B, C] = DALLAS as [string, string, string];

type Answer = Record<string, any>;

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, ...((await response.json()) as object) };
}

const get = async (path: string, key: string): Promise<Answer> =>
  answerOf(
    await fetch(`${app.api}/agent/brand-groups${path}`, {
      headers: { ...bearer(key), ...newClient() },
    }),
  );

const post = async (path: string, body: object, key: string): Promise<Answer> =>
  answerOf(
    await fetch(`${app.api}/agent/brand-groups${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' },
    }),
  );

/** Calls a tool, and returns its structured content and text. */
async function tool(name: string, args: object, key: string): Promise<Answer> {
  const response = await fetch(`${app.api}/mcp`, {
    method: 'POST',
    headers: { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  });
  const { result } = (await response.json()) as Answer;
  return { ...result.structuredContent, text: result.content[0].text };
}

/** Two franchisees, each with a key for their own brand, and their franchisor’s key for all. */
async function franchise(rule: string) {
  const { key, caller } = await newKey(db);
  const { tenant } = caller;
  const north = await createBrand(tenant, { name: 'Lone Star North' });
  const south = await createBrand(tenant, { name: 'Lone Star South' });
  const keyOf = async (id: string) =>
    (await mintKey(tenant, { name: 'own', brands: [id], mayWrite: true })).key;
  const keys = { all: key, north: await keyOf(north.id), south: await keyOf(south.id) };
  const brands = [north.slug, 'Lone Star South'];
  const group = await post('', { name: 'Franchisees', rule, brands }, key);
  return { tenant, caller, north, south, keys, group };
}

describe('groups of brands', () => {
  it('are created, listed, changed, and deleted', async () => {
    const { keys, group } = await franchise('warn');
    expect(group).toMatchObject({
      status: 200,
      name: 'Franchisees',
      rule: 'warn',
      others: 0,
      overlaps: 0,
      brands: [{ brandName: 'Lone Star North' }, { brandName: 'Lone Star South' }],
    });
    expect(await get('', keys.all)).toMatchObject({ groups: [{ id: group.id }] });
    const changed = await post('/franchisees', { name: 'Stores', rule: 'allow' }, keys.all);
    expect(changed).toMatchObject({ status: 200, name: 'Stores', rule: 'allow' });
    expect(await get(`/${group.id}`, keys.all)).toMatchObject({ name: 'Stores', reserves: [] });
    expect(await post('/Stores/delete', {}, keys.all)).toEqual({ status: 200, deleted: 'Stores' });
    expect(await get('/Stores', keys.all)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('that begin to block list the existing overlaps, and change none', async () => {
    const { tenant, north, south, keys } = await franchise('warn');
    await hold(tenant, north, [A, B]);
    await hold(tenant, south, [A, C]);
    expect(await post('/Franchisees', { rule: 'block' }, keys.all)).toMatchObject({ overlaps: 1 });
    expect(await get('/Franchisees/overlaps', keys.all)).toMatchObject({
      overlaps: [
        {
          zip: A,
          holders: [
            { brandName: 'Lone Star North', status: 'live' },
            { brandName: 'Lone Star South', status: 'live' },
          ],
          resolution: `Remove ${A} from Lone Star South, which got it last.`,
        },
      ],
      nextCursor: null,
    });
    const health = await tool('service_get_brand_health', { brand: south.slug }, keys.all);
    expect(health).toMatchObject({ brands: [{ live: 2, shared: 1 }] });
  });

  it('can be read by franchisees without the names of others, and not changed', async () => {
    const { keys } = await franchise('block');
    expect(await get('', keys.north)).toMatchObject({
      groups: [{ brands: [{ brandName: 'Lone Star North' }], others: 1, overlaps: null }],
    });
    const refused = { status: 403, code: 'brand_out_of_scope' };
    expect(await post('/Franchisees', { rule: 'allow' }, keys.north)).toMatchObject(refused);
    expect(await get('/Franchisees/overlaps', keys.north)).toMatchObject(refused);
  });

  it('can’t be changed by keys that only read, or by reviewers', async () => {
    const { tenant } = await franchise('block');
    const reader = await mintKey(tenant, { name: 'r', brands: 'all', mayWrite: false });
    expect(await post('/Franchisees/delete', {}, reader.key)).toMatchObject({
      status: 403,
      code: 'write_not_entitled',
    });
    const person = { email: 'rita@example.com', name: 'Rita', role: 'reviewer' } as const;
    const { id } = await addMember(tenant, person);
    const secret = await startSession(db, id, { userAgent: '', client: '' });
    const response = await fetch(`${app.api}/agent/brand-groups/Franchisees/delete`, {
      method: 'POST',
      headers: { Cookie: `session=${secret}`, Origin: new URL(app.api).origin, ...newClient() },
    });
    expect(await answerOf(response)).toMatchObject({ status: 403, code: 'role_required' });
  });
});

describe('a blocked overlap', () => {
  it('is refused to either franchisee without the name of the other, and to the franchisor with it', async () => {
    const { tenant, north, south, keys } = await franchise('block');
    await hold(tenant, north, [A]);
    await hold(tenant, south, [B]);
    const request = (brand: string, zips: string[], key: string, confirm = true) =>
      tool('service_apply_territory', { brand, zips, ...(confirm && { confirm }) }, key);
    const unseen = 'held by another brand of the group "Franchisees", which blocks overlaps';

    expect(await request(south.slug, [A, C], keys.south, false)).toMatchObject({
      status: 'preview',
      preview: { queued: [C], unknownReasons: [{ reason: unseen, zips: [A] }] },
      text: expect.stringContaining(`Skipped, ${unseen} (1): ${A}`),
    });
    expect(await request(south.slug, [A, C], keys.south)).toMatchObject({
      queued: [C],
      unknownReasons: [{ reason: unseen, zips: [A] }],
    });
    expect(await request(north.slug, [B], keys.north)).toMatchObject({
      queued: [],
      batchId: null,
      unknownReasons: [{ reason: unseen, zips: [B] }],
    });
    const seen = 'held by Lone Star North, and the group "Franchisees" blocks overlaps';
    expect(await request(south.slug, [A], keys.all)).toMatchObject({
      unknownReasons: [{ reason: seen, zips: [A] }],
    });
  });

  it('leaves the other request in review once one brand’s is approved', async () => {
    const { tenant, north, south, keys } = await franchise('block');
    await hold(tenant, south, [A], 'pending');
    await hold(tenant, north, [A], 'pending');
    await tenant.transaction((tx) => approveReviews(tx, reviewer, { brandId: north.id }));
    await expect(
      tenant.transaction((tx) => approveReviews(tx, reviewer, { brandId: south.id })),
    ).rejects.toMatchObject({ status: 409 });
    const waiting = await tool('service_list_pending_review', { brand: south.slug }, keys.south);
    const reason =
      'Can’t be approved now: held by another brand of the group "Franchisees", which blocks overlaps.';
    expect(waiting).toMatchObject({ reviews: [{ zip: A, status: 'pending', reason }] });
    expect(waiting.text).toContain(reason);
  });
});

describe('reserves', () => {
  it('are created, refuse requests, and end early', async () => {
    const { south, keys } = await franchise('warn');
    const until = '2999-03-31';
    const given = { zips: [B, A], reason: 'Sale in progress', until };
    const reserve = await post('/Franchisees/reserves', given, keys.all);
    expect(reserve).toMatchObject({ status: 200, zips: [A, B], open: true, until, endedAt: null });
    const apply = () =>
      tool('service_apply_territory', { brand: south.slug, zips: [A] }, keys.south);
    expect((await apply()).preview.unknownReasons).toEqual([
      {
        reason: 'reserved by the group "Franchisees" until March 31, 2999: Sale in progress',
        zips: [A],
      },
    ]);
    const end = `/Franchisees/reserves/${reserve.id}/end`;
    expect(await post(end, {}, keys.all)).toMatchObject({ open: false, endedBy: 'test' });
    expect((await apply()).preview.queued).toEqual([A]);
    expect(await post(end, {}, keys.all)).toMatchObject({ status: 409 });
    expect(await get('/Franchisees', keys.south)).toMatchObject({ reserves: [{ open: false }] });
  });

  it('with ZIP codes that don’t exist or a day that has passed are refused', async () => {
    const { keys } = await franchise('warn');
    const reserve = (fields: object) =>
      post(
        '/Franchisees/reserves',
        { zips: [A], reason: 'Sale', until: '2999-01-01', ...fields },
        keys.all,
      );
    expect(await reserve({ zips: ['00000'] })).toMatchObject({ status: 400 });
    expect(await reserve({ until: '2001-01-01' })).toMatchObject({ status: 400 });
    expect(await reserve({ until: 'soon' })).toMatchObject({ status: 400 });
    expect(await reserve({ reason: '' })).toMatchObject({ status: 400 });
  });
});
