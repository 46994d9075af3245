/** The review queue and the activity page, used without scripts. */
import { describe, expect, it } from 'vitest';
import { changeReviewSettings } from '../../../src/people/account/review-settings.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import type { Actor } from '../../../src/people/account/caller.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { createGroup } from '../../../src/territories/brands/groups/groups.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { listReviews } from '../../../src/territories/brands/review-list.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, serveKeyed } from '../../support/keyed-app.ts';
import { mainText as text, newColleague } from '../../support/colleague.ts';
import { hiddenValue, Visitor } from '../../support/visitor.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;

/** An owner whose brand Star has four pending ZIP codes, requested by an agent. */
async function setting() {
  const owner = await new Visitor(SITE).signUp();
  const [row] = await db.query<{ id: string; person: string }>(
    `select organization_id as id, person_id as person from memberships
     join people on people.id = person_id where email = $1`,
    [owner.email],
  );
  const tenant = tenantOf(db, row!.id);
  await changeSubscription(tenant, { status: 'active', seats: 9 });
  const star = await createBrand(tenant, { name: 'Star' });
  const request = (zips: string[], brand: Brand = star, actor: Actor = agent, note?: string) =>
    tenant.transaction((tx) => applyZips(tx, actor, brand, { zips, note }));
  const { batchId } = await request(DALLAS.slice(0, 4), star, agent, 'Calls from <there>');
  const ids = async () =>
    (await listReviews(tenant, 'all', { status: 'pending' })).rows.map(({ id }) => id);
  const states = async () => Object.fromEntries(await heldZipStatuses(tenant, star));
  const remove = (zips: string[]) =>
    tenant.transaction((tx) => removeZips(tx, agent, star, { zips }));
  const me: Actor = { kind: 'person', id: row!.person, name: 'Pat' };
  return { owner, me, tenant, star, request, batchId: batchId!, ids, states, remove };
}

describe('the queue', () => {
  it('shows each request with its requester, age, note, scores, and flags', async () => {
    const { owner, request, tenant } = await setting();
    await request([DALLAS[0]!], await createBrand(tenant, { name: 'Moon' }));
    const shown = await owner.get('/account/reviews?vertical=hvac');
    expect(shown.status).toBe(200);
    expect(text(shown)).toMatch(
      /Requested by API key “Agent” today : 4 ZIP codes Calls from &lt;there/,
    );
    expect(text(shown)).toMatch(/75201 Dallas, TX score \d+ Shared with Moon/);
    expect(text(shown)).toContain('All 5 pending ZIP codes');
    expect(shown.html).toMatch(/<option value="hvac" selected>/);
    expect(shown.html).toMatch(/5<span\s+class="visually-hidden"\s*>\s+pending/);
  });

  it('is filtered by its address and says if nothing matches', async () => {
    const { owner, star } = await setting();
    expect(text(await owner.get(`/account/reviews?brand=${star.id}&state=TX`))).toContain('75201');
    for (const query of ['state=AZ', 'age=3', 'requester=nobody', 'brand=x', 'age=x&state=AZ']) {
      const shown = await owner.get(`/account/reviews?${query}`);
      expect([shown.status, text(shown).includes('75201')]).toEqual([200, false]);
      expect(text(shown)).toContain('None of the 4 pending ZIP codes match these filters.');
    }
    const forged = await owner.get('/account/reviews?cursor=x');
    expect(forged.status).toBe(400);
  });

  it('sends the map the flags of each request separately', async () => {
    const { owner, request, tenant, batchId, star } = await setting();
    await request([DALLAS[0]!], await createBrand(tenant, { name: 'Moon' }));
    await request(['85003'], star);
    const { html } = await owner.get('/account/reviews/map.json');
    const { requests } = JSON.parse(html);
    expect(requests).toMatchObject([
      { id: batchId, brand: 'Star', shared: { [DALLAS[0]!]: ['Moon'] }, isolated: '' },
      { brand: 'Moon', shared: { [DALLAS[0]!]: ['Star'] }, isolated: DALLAS[0] },
      { brand: 'Star', shared: {}, isolated: '85003' },
    ]);
  });

  it('shows a member the reviewers instead', async () => {
    const { owner, ids, states } = await setting();
    const kim = await newColleague(owner, 'member');
    const shown = await kim.get('/account/reviews');
    expect(text(shown)).toContain('4 ZIP codes are pending review.');
    expect(text(shown)).toMatch(/Reviewers Pat Owner/);
    expect(text(shown)).not.toContain('75201');
    expect(shown.html).not.toContain('class="badge"');
    const reviews = (await ids()).join(' ');
    const confirm = await kim.post('/account/reviews/confirm', { all: '1', decision: 'approve' });
    expect(text(confirm)).not.toContain('75201');
    const answer = await kim.post('/account/reviews/approve', { reviews });
    expect(answer.status).toBe(403);
    expect(await states()).toMatchObject({ [DALLAS[0]!]: 'pending' });
  });

  it('accepts no API key', async () => {
    const { me, tenant, ids, states } = await setting();
    const newKey = { name: 'k', brands: 'all', mayWrite: true, createdBy: me.id! } as const;
    const { key } = await mintKey(tenant, newKey);
    const guest = new Visitor(SITE);
    expect(await guest.get('/account/reviews', bearer(key))).toMatchObject({ status: 303 });
    const answer = await guest.post(
      '/account/reviews/approve',
      { reviews: (await ids()).join(' ') },
      { ...bearer(key), 'Sec-Fetch-Site': 'same-origin' },
    );
    expect(answer.to).toContain('/login');
    expect(Object.values(await states())).toEqual(Array(4).fill('pending'));
  });

  it('accepts no form from another site', async () => {
    const { owner, ids, states } = await setting();
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    const reviews = (await ids()).join(' ');
    const answer = await owner.post('/account/reviews/approve', { reviews }, foreign);
    expect(answer.status).toBe(403);
    expect(Object.values(await states())).toEqual(Array(4).fill('pending'));
  });
});

describe('a decision', () => {
  it('is previewed, then confirmed above the queue', async () => {
    const { owner, ids, states, star } = await setting();
    const [first, second] = await ids();
    const selection = new URLSearchParams([
      ...[first!, second!].map((id): [string, string] => ['review', id]),
      ['brand', star.id],
      ['decision', 'approve'],
    ]);
    const confirm = await owner.post('/account/reviews/confirm', selection);
    expect(text(confirm)).toContain('Approve 2 ZIP codes');
    expect(text(confirm)).toContain('Removals can be undone');
    expect(await states()).toMatchObject({ [DALLAS[0]!]: 'pending' });
    const reviews = hiddenValue(confirm, 'reviews');
    const answer = await owner.post('/account/reviews/approve', { reviews, brand: star.id });
    expect(answer.status).toBe(303);
    expect(answer.to).toContain(`brand=${star.id}`);
    const queue = await owner.get(answer.to!);
    expect(text(queue)).toContain(
      `Approved 2 ZIP codes of Star: ${DALLAS[0]}, ${DALLAS[1]}. See them on the map`,
    );
    expect(queue.html).toContain(`brand=star&amp;zips=${DALLAS[0]}`);
    expect(text(queue)).toContain('All 2 pending ZIP codes that match the filters');
    expect(Object.values(await states())).toEqual(['live', 'live', 'pending', 'pending']);
  });

  it('has an address for each request, with its map, its effect, and the scores of the own trade', async () => {
    const { owner, request, tenant, batchId, star } = await setting();
    await owner.post('/account/reviews/settings', {
      trade: 'hvac',
      owners: 'review',
      timeZone: 'America/Chicago',
      census: '5',
    });
    const moon = await createBrand(tenant, { name: 'Moon' });
    await request([DALLAS[0]!], moon);
    await hold(tenant, star, [DALLAS[6]!]);
    const queue = await owner.get('/account/reviews');
    const address = `/account/reviews/confirm?batch=${batchId}`;
    expect(queue.html).toContain(address);
    expect(queue.html).toMatch(/<option value="hvac" selected>/);
    const shown = await owner.get(address);
    expect(shown.status).toBe(200);
    expect(text(shown)).toContain('Approve 4 ZIP codes');
    expect(text(shown)).toMatch(/Requested by API key “Agent” today : 4 ZIP codes Calls from/);
    expect(text(shown)).toContain(`Also held by Moon: ${DALLAS[0]}.`);
    expect(text(shown)).toMatch(new RegExp(`HVAC scores ${DALLAS[0]} \\d+`));
    expect(text(shown)).toMatch(/Now If approved What it means ZIP codes 1 5 Live Households/);
    expect(shown.html).toContain(`data-chosen="${DALLAS.slice(0, 4).join(' ')}"`);
    expect(shown.html).toContain(`data-territory="/account/reviews/map.json?brand=${star.id}"`);
    const rejection = await owner.post('/account/reviews/confirm', {
      reviews: hiddenValue(shown, 'reviews'),
      decision: 'reject',
    });
    expect(text(rejection)).toContain('Reject 4 ZIP codes');
    expect(text(rejection)).not.toContain('If approved');
    expect(text(await owner.get(`${address}&decision=reject`))).toContain('Reject 4 ZIP codes');
    expect((await owner.get('/account/reviews/confirm?batch=x')).status).toBe(200);
  });

  it('leads to the brand that blocks a request', async () => {
    const { owner, request, tenant, star } = await setting();
    const moon = await createBrand(tenant, { name: 'Moon' });
    await request(['85003'], star);
    const brands = [star.id, moon.id];
    await hold(tenant, moon, ['85003']);
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'All', rule: 'block', brands }),
    );
    const shown = await owner.post('/account/reviews/confirm', { all: '1', state: 'AZ' });
    expect(text(shown)).toContain('Nothing to approve');
    expect(text(shown)).toContain('held by Moon, and the group &quot;All&quot; blocks overlaps');
    expect(shown.html).toContain('/account/map?brand=moon&amp;zips=85003');
    expect(text(shown)).toContain('See it in Moon');
  });

  it('tells the only member how to skip it', async () => {
    const { owner, tenant } = await setting();
    const alone = 'You are the only member, so you review your own requests.';
    expect(text(await owner.get('/account/reviews'))).toContain(alone);
    await changeReviewSettings(tenant, agent, { ownersNeedReview: false });
    expect(text(await owner.get('/account/reviews'))).toContain(
      'What owners request goes live at once.',
    );
    await changeReviewSettings(tenant, agent, { ownersNeedReview: true });
    await newColleague(owner, 'member');
    expect(text(await owner.get('/account/reviews'))).not.toContain(alone);
  });

  it('is confirmed only to the person who made it', async () => {
    const { owner } = await setting();
    const other = await setting();
    const [id] = await other.ids();
    const { to } = await other.owner.post('/account/reviews/approve', { reviews: id! });
    expect(text(await owner.get(to!))).not.toContain('Approved');
    const kim = await newColleague(other.owner, 'reviewer');
    expect(text(await kim.get(to!))).not.toContain('Approved');
  });

  it('can cover a whole request or everything that matches', async () => {
    const { owner, request, batchId, states } = await setting();
    await request(['85003', '85004']);
    const confirm = (fields: Record<string, string>) =>
      owner.post('/account/reviews/confirm', { decision: 'reject', ...fields });
    expect(text(await confirm({ batch: batchId }))).toContain('Reject 4 ZIP codes');
    expect(text(await confirm({ all: '1' }))).toContain('Reject 6 ZIP codes');
    expect(text(await confirm({}))).toContain('Nothing selected.');
    const desert = await confirm({ all: '1', state: 'AZ' });
    expect(text(desert)).toContain('Reject 2 ZIP codes');
    // A request made after the preview is not part of the decision.
    await request(['85006']);
    await owner.post('/account/reviews/approve', { reviews: hiddenValue(desert, 'reviews') });
    expect(await states()).toMatchObject({ '85003': 'live', '85004': 'live', '85006': 'pending' });
  });

  it('needs a reason to reject, shown at the field', async () => {
    const { owner, ids, states } = await setting();
    const reviews = (await ids()).slice(0, 2).join(' ');
    const reject = (more: Record<string, string>) =>
      owner.post('/account/reviews/reject', { reviews, ...more });
    const without = await reject({});
    expect(without.status).toBe(400);
    expect(text(without)).toContain('Choose a reason. The requester sees it.');
    expect(text(without)).toContain('Reject 2 ZIP codes');
    expect(text(await reject({ reason: 'other' }))).toContain('Enter the reason here.');
    expect((await reject({ reason: 'made up' })).status).toBe(400);
    const long = await reject({ reason: 'other', remark: 'x'.repeat(501) });
    expect(text(long)).toContain('Enter at most 500 characters.');
    const done = await reject({ reason: 'Too far from our crews', remark: '40 miles' });
    expect(done.status).toBe(303);
    expect(text(await owner.get(done.to!))).toContain('Reason: Too far from our crews: 40 miles');
    expect(Object.keys(await states())).toEqual(DALLAS.slice(2, 4));
    const decided = await owner.get('/account/reviews/decided');
    expect(text(decided)).toMatch(
      /Rejected 2 ZIP codes of Star: [\d, ]+\. Reason: Too far.* Pat ·/,
    );
    expect(text(decided)).not.toContain('Applied');
  });

  it('leaves reviews that someone else decided first', async () => {
    const { owner, ids, states } = await setting();
    const kim = await newColleague(owner, 'reviewer');
    const [first, second, third] = await ids();
    const confirm = await owner.post(
      '/account/reviews/confirm',
      new URLSearchParams([first!, second!, third!].map((id): [string, string] => ['review', id])),
    );
    await kim.post('/account/reviews/reject', {
      reviews: `${first} ${second}`,
      reason: 'Too little demand',
    });
    const reviews = hiddenValue(confirm, 'reviews');
    const answer = await owner.post('/account/reviews/approve', { reviews });
    expect(answer.status).toBe(200);
    expect(text(answer)).toContain(`Approved 1 ZIP code of Star: ${DALLAS[2]}.`);
    expect(text(answer)).toContain('Someone else already decided 2 of the ZIP codes');
    expect(text(answer)).toMatch(/75201 Star Rejected: Too little demand Kim/);
    const again = await owner.post('/account/reviews/approve', { reviews });
    expect(again.status).toBe(409);
    expect(text(again)).toContain('75201 (rejected by Kim)');
    const late = await owner.post('/account/reviews/confirm', { review: first! });
    expect(text(late)).toContain('Nothing to decide');
    expect(await states()).toEqual({ [DALLAS[2]!]: 'live', [DALLAS[3]!]: 'pending' });
  });

  it('needs a subscription that includes changes', async () => {
    const { owner, tenant, ids, states } = await setting();
    await changeSubscription(tenant, { writeEntitlement: false });
    const answer = await owner.post('/account/reviews/approve', {
      reviews: (await ids()).join(' '),
    });
    expect(answer.status).toBe(403);
    expect(text(answer)).toContain('The organization’s subscription has no write entitlement');
    expect(Object.values(await states())).toEqual(Array(4).fill('pending'));
  });
});

describe('the activity page', () => {
  it('shows the activity log, filtered by its address', async () => {
    const { owner, star, remove } = await setting();
    await remove([DALLAS[0]!]);
    const shown = async (query: string) => text(await owner.get(`/account/activity?${query}`));
    expect(await shown('')).toMatch(/Removed 1 ZIP code from Star.*Requested 4 ZIP codes for Star/);
    expect(await shown(`brand=${star.id}&who=${agent.id}&kind=territory_applied`)).not.toContain(
      'Removed 1 ZIP code',
    );
    const today = new Date().toISOString().slice(0, 10);
    expect(await shown(`from=${today}&to=${today}`)).toContain('Removed 1 ZIP code');
    expect(await shown('to=2020-01-01')).toContain('Nothing matches these filters.');
    for (const day of ['from=yesterday', 'from=2026-02-31', 'to=2026-02-29', 'to=1999-12-31']) {
      const { status } = await owner.get(`/account/activity?${day}`);
      expect([day, status]).toEqual([day, 400]);
    }
    expect((await owner.get('/account/activity?to=2028-02-29')).status).toBe(200);
    expect(await shown('')).toMatch(/From \(UTC\).*To \(UTC\)/);
    expect(text(await owner.get('/account'))).toContain('All activity');
  });

  it('undoes a removal once and shows the result', async () => {
    const { owner, request, remove, states } = await setting();
    const { removalId } = await remove(DALLAS.slice(0, 3));
    await request([DALLAS[1]!]);
    const page = await owner.get('/account/activity');
    expect(hiddenValue(page, 'removal')).toBe(removalId);
    const undone = await owner.post('/account/activity/undo', { removal: removalId });
    expect(text(undone)).toContain(`2 ZIP codes are pending review again: ${DALLAS[0]} and`);
    expect(text(undone)).toContain(`already held again and left unchanged: ${DALLAS[1]}.`);
    expect(undone.html).not.toContain('name="removal"');
    expect(Object.keys(await states())).toEqual(DALLAS.slice(0, 4));
    const again = await owner.post('/account/activity/undo', { removal: removalId });
    expect([again.status, text(again).includes('was already undone')]).toEqual([409, true]);
    expect((await owner.post('/account/activity/undo', { removal: 'x' })).status).toBe(404);
  });

  it('doesn’t undo a removal of another organization', async () => {
    const { remove, states } = await setting();
    const { removalId } = await remove([DALLAS[0]!]);
    const stranger = await setting();
    const answer = await stranger.owner.post('/account/activity/undo', { removal: removalId });
    expect(answer.status).toBe(404);
    expect(Object.keys(await states())).toHaveLength(3);
  });

  it('downloads CSV', async () => {
    const { owner, remove } = await setting();
    await remove([DALLAS[0]!]);
    const { headers, html } = await owner.get('/account/activity.csv?kind=territory_removed');
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="activity.csv"');
    const [heading, line, end] = html.split('\r\n');
    expect(heading).toBe('at,who,by,what,brand,summary,zip_count,zips');
    expect(line).toMatch(/^20.*Z,Agent,key,Removed ZIP codes,Star,Removed 1 ZIP code.*,1,75201$/);
    expect(end).toBe('');
    expect((await new Visitor(SITE).get('/account/activity.csv')).status).toBe(401);
    expect((await owner.get('/account/activity.csv?to=2026-02-31')).status).toBe(400);
  });

  it('downloads the whole log, including connectors', async () => {
    const { owner, me, tenant } = await setting();
    const ENTRIES = 10_100;
    await tenant.query(
      `insert into activity (organization_id, actor, action, summary)
       select $1, $2, 'targeting_set', 'no. ' || n from generate_series(1, $3::int) n order by n`,
      [{ ...me, via: 'Claude' }, ENTRIES],
    );
    const { html } = await owner.get('/account/activity.csv?kind=targeting_set');
    const lines = html.split('\r\n').slice(1, -1);
    expect(
      lines.map((line) => /Pat via Claude,person,Set weights,,(.*),0,$/.exec(line)?.[1]),
    ).toEqual(Array.from({ length: ENTRIES }, (_, i) => `no. ${ENTRIES - i}`));
  });
});
