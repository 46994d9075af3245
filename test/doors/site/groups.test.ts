/** The pages of groups of brands, and a rule on the pages of reviews and removals, without scripts. */
import { describe, expect, it } from 'vitest';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { listGroups } from '../../../src/territories/brands/groups/groups.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { listReviews } from '../../../src/territories/brands/review-list.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { mainText as text, newColleague } from '../../support/colleague.ts';
import { Visitor } from '../../support/visitor.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;
const [A, B, C] = DALLAS as [string, string, string];
const BLOCKED = 'held by North, and the group &quot;Franchisees&quot; blocks overlaps';

/** An owner with two brands. */
async function setting() {
  const owner = await new Visitor(SITE).signUp();
  const [row] = await db.query<{ id: string }>(
    `select organization_id as id from memberships join people on people.id = person_id
     where email = $1`,
    [owner.email],
  );
  const tenant = tenantOf(db, row!.id);
  await changeSubscription(tenant, { status: 'active', seats: 9 });
  const north = await createBrand(tenant, { name: 'North' });
  const south = await createBrand(tenant, { name: 'South' });
  const request = (zips: string[]) =>
    tenant.transaction((tx) => applyZips(tx, agent, south, { zips }));
  /** Groups both brands on the page. @returns its path */
  const group = async (rule: string) => {
    const fields = new URLSearchParams({ name: 'Franchisees', rule });
    for (const { id } of [north, south]) fields.append('brands', id);
    const { to } = await owner.post('/account/groups', fields);
    return to!.replace(/\?.*/, '');
  };
  return { owner, tenant, north, south, request, group };
}

describe('the pages of groups', () => {
  it('create a group, and keep what was entered if something is missing', async () => {
    const { owner, tenant, group } = await setting();
    expect(text(await owner.get('/account/groups'))).toContain('No groups yet.');
    const missing = await owner.post('/account/groups', { name: 'Franchisees', rule: 'allow' });
    expect([missing.status, text(missing)]).toEqual([
      400,
      expect.stringContaining('Choose the brands of the group.'),
    ]);
    expect(missing.html).toMatch(/value="Franchisees"/);
    expect(missing.html).toMatch(/value="allow"\s+checked/);
    const path = await group('block');
    expect(text(await owner.get('/account/groups'))).toMatch(/Franchisees Blocked North, South 0/);
    expect(text(await owner.get(path))).toContain('no other can request it');
    expect(await listGroups(tenant, 'all')).toMatchObject([{ rule: 'block' }]);
    const again = await owner.post('/account/groups', { name: 'franchisees', rule: 'warn' });
    expect(again.status).toBe(400);
  });

  it('list the overlaps when a group begins to block, and change none', async () => {
    const { owner, tenant, north, south, group } = await setting();
    await hold(tenant, north, [A]);
    await hold(tenant, south, [A, B]);
    const path = await group('warn');
    const fields = new URLSearchParams({ name: 'Franchisees', rule: 'block' });
    for (const { id } of [north, south]) fields.append('brands', id);
    const { to } = await owner.post(`${path}/change`, fields);
    expect(to).toMatch(/done=group-changed/);
    const shown = await owner.get(path);
    expect(text(shown)).toContain(`Remove ${A} from South, which got it last.`);
    expect(shown.html).toContain(`/account/brands/south/remove?zips=${A}`);
    const preview = await owner.get(`/account/brands/south/remove?zips=${A}`);
    expect(text(preview)).toContain('1 ZIP code will be removed from South.');
    expect(text(preview)).toContain(`Undoing this can’t restore ${A}: ${BLOCKED}.`);
    expect((await heldZipStatuses(tenant, south)).size).toBe(2);
  });

  it('reserve ZIP codes, and end the reserve', async () => {
    const { owner, request, group } = await setting();
    const path = await group('warn');
    const wrong = await owner.post(`${path}/reserve`, {
      zips: 'x',
      reason: '',
      until: '2001-01-01',
    });
    expect(wrong.status).toBe(400);
    expect(text(wrong)).toMatch(/2001-01-01 has passed/);
    expect(text(wrong)).toMatch(/Give a reason/);
    const reserve = { zips: `${A} ${B}`, reason: 'Sale in progress', until: '2999-03-31' };
    expect((await owner.post(`${path}/reserve`, reserve)).to).toMatch(/done=zips-reserved/);
    const shown = await owner.get(path);
    expect(text(shown)).toMatch(/75201, 75202 Sale in progress March 31, 2999 Reserved Pat/);
    expect((await request([A])).refused).toEqual([A]);
    const [, id] = /name="reserve" value="([^"]+)"/.exec(shown.html)!;
    await owner.post(`${path}/end-reserve`, { reserve: id! });
    expect(text(await owner.get(path))).toContain('Ended by Pat');
    expect((await request([A])).queued).toEqual([A]);
  });

  it('delete a group', async () => {
    const { owner, tenant, group } = await setting();
    const path = await group('block');
    expect((await owner.post(`${path}/delete`)).to).toBe('/account/groups?done=group-deleted');
    expect(await listGroups(tenant, 'all')).toEqual([]);
    expect((await owner.get(path)).status).toBe(404);
  });

  it('can be read, but not changed, by reviewers and members', async () => {
    const { owner, group } = await setting();
    const path = await group('block');
    const kim = await newColleague(owner, 'reviewer');
    const shown = await kim.get(path);
    expect(text(shown)).toContain('needs the role owner or admin');
    expect(shown.html).not.toContain(`action="${path}/change"`);
    for (const form of ['change', 'delete', 'reserve', 'end-reserve']) {
      expect((await kim.post(`${path}/${form}`, {})).status).toBe(403);
    }
  });
});

describe('a request that a rule blocks', () => {
  it('is marked in the queue, and left out of an approval', async () => {
    const { owner, tenant, north, south, request, group } = await setting();
    await group('block');
    await request([A, B]);
    await hold(tenant, north, [A]);
    expect(text(await owner.get('/account/reviews'))).toContain(`Can’t be approved: ${BLOCKED}`);
    const confirm = await owner.post('/account/reviews/confirm', { all: '1', decision: 'approve' });
    expect(text(confirm)).toContain(`Approve one ZIP code`);
    expect(text(confirm)).toContain(`75201 for South: ${BLOCKED}`);
    const [, ids] = /name="reviews" value="([^"]+)"/.exec(confirm.html)!;
    const { rows } = await listReviews(tenant, 'all', { status: 'pending' });
    expect(ids).toBe(rows.find(({ zip }) => zip === B)!.id);

    // Someone else sends both, for instance from a page that was opened earlier.
    const reviews = rows.map(({ id }) => id).join(' ');
    const partly = await owner.post('/account/reviews/approve', { reviews });
    expect(text(partly)).toContain(`75201 for South: ${BLOCKED}`);
    expect(Object.fromEntries(await heldZipStatuses(tenant, south))).toEqual({
      [A]: 'pending',
      [B]: 'live',
    });
    const none = await owner.post('/account/reviews/confirm', { all: '1', decision: 'approve' });
    expect(text(none)).toContain('Nothing to approve');
    expect(none.html).not.toContain('name="reviews"');
    const refused = await owner.post('/account/reviews/approve', { reviews: rows[0]!.id });
    expect([refused.status, text(refused)]).toEqual([409, expect.stringContaining(BLOCKED)]);
    const reject = await owner.post('/account/reviews/confirm', { all: '1', decision: 'reject' });
    expect(text(reject)).toContain('Reject one ZIP code');
  });
});

describe('a removal that a rule keeps from being undone', () => {
  it('says what can’t be restored and why, before and after', async () => {
    const { owner, tenant, north, south, group } = await setting();
    await group('block');
    await hold(tenant, south, [A, B]);
    await tenant.transaction((tx) => removeZips(tx, agent, south, { zips: [C, A, B] }));
    await hold(tenant, north, [A]);
    const before = await owner.get('/account/brands/south/history');
    expect(text(before)).toContain(`Can’t be restored now: ${A}, ${BLOCKED}.`);
    const [, removal] = /name="removal" value="([^"]+)"/.exec(before.html)!;
    await owner.post('/account/brands/south/undo', { removal: removal! });
    const after = await owner.get('/account/brands/south/history');
    expect(text(after)).toContain(
      `Not restored: ${A}, held by another brand of the group &quot;Franchisees&quot;, which blocks overlaps.`,
    );
    expect(Object.fromEntries(await heldZipStatuses(tenant, south))).toEqual({ [B]: 'live' });
  });

  it('offers no undo if nothing can be restored, and the activity gives the reason', async () => {
    const { owner, tenant, north, south, group } = await setting();
    await group('block');
    await hold(tenant, south, [A]);
    const { removalId } = await tenant.transaction((tx) =>
      removeZips(tx, agent, south, { zips: [A] }),
    );
    await hold(tenant, north, [A]);
    const history = await owner.get('/account/brands/south/history');
    expect(history.html).not.toContain('name="removal"');
    const undone = await owner.post('/account/activity/undo', { removal: removalId });
    expect([undone.status, text(undone)]).toEqual([409, expect.stringContaining(BLOCKED)]);
  });
});
