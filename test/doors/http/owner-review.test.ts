/** Reviews that an organization has switched off for its owners: what goes live at once, by each way to request. */
import { describe, expect, it } from 'vitest';
import { changeReviewSettings } from '../../../src/people/account/review-settings.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { OPERATOR } from '../../../src/people/account/caller.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import { createGroup } from '../../../src/territories/brands/groups/groups.ts';
import { listReviews } from '../../../src/territories/brands/review-list.ts';
import { newClient } from '../../support/clients.ts';
import { newColleague } from '../../support/colleague.ts';
import { Connector } from '../../support/connector.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, serveKeyed } from '../../support/keyed-app.ts';
import { Visitor } from '../../support/visitor.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;
const [A, B, C, D] = DALLAS as [string, string, string, string];

/** An owner with a brand. @param ownersNeedReview default: no */
async function setting(ownersNeedReview = false) {
  const owner = await new Visitor(SITE).signUp();
  const [row] = await db.query<{ id: string }>(
    `select organization_id as id from memberships join people on people.id = person_id where email = $1`,
    [owner.email],
  );
  const tenant = tenantOf(db, row!.id);
  await changeSubscription(tenant, { status: 'active', seats: 9 });
  await changeReviewSettings(tenant, OPERATOR, { ownersNeedReview });
  const star = await createBrand(tenant, { name: 'Star' });
  const states = async () => Object.fromEntries(await heldZipStatuses(tenant, star));
  const events = () =>
    db.query<{ type: string; data: { zips: string[] } }>(
      'select type, data from events where organization_id = $1 order by position',
      [row!.id],
    );
  return { owner, tenant, star, states, events };
}

async function tool(token: string, zips: string[], confirm = true): Promise<Record<string, any>> {
  const response = await fetch(`${app.api}/mcp`, {
    method: 'POST',
    headers: { ...newClient(), ...bearer(token), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'service_apply_territory',
        arguments: { brand: 'star', zips, note: 'Ours', ...(confirm && { confirm }) },
      },
    }),
  });
  const { result } = (await response.json()) as { result: Record<string, any> };
  return { ...result.structuredContent, text: result.content[0].text };
}

const tokenOf = async (person: Visitor) =>
  (await new Connector(SITE, `${app.api}/mcp`).connect(person)).access_token;

describe('what an owner requests where owners need no review', () => {
  it('goes live at once through a connector, which the preview says', async () => {
    const { owner, tenant, star, states, events } = await setting();
    const token = await tokenOf(owner);
    expect(await tool(token, [A, B], false)).toMatchObject({
      preview: { queued: [A, B], live: [A, B] },
      text: expect.stringContaining('To go live at once for Star, without a review (2)'),
    });
    expect(await states()).toEqual({});
    const done = await tool(token, [A, B]);
    expect(done).toMatchObject({ queued: [A, B], live: [A, B] });
    expect(done.text).toContain('Live now for Star, without a review (2)');
    expect(done.text).not.toContain('Next: a reviewer decides');
    expect(await states()).toEqual({ [A]: 'live', [B]: 'live' });
    // Reviewers get no event about a request that doesn't wait.
    expect(await events()).toMatchObject([{ type: 'territory.approved', data: { zips: [A, B] } }]);
    const { rows } = await listReviews(tenant, 'all', { brandId: star.id });
    expect(rows).toMatchObject([A, B].map((zip) => ({ zip, status: 'approved', note: 'Ours' })));
    const [approval, request] = (await listActivity(tenant, 'all')).rows;
    expect(request!.summary).toBe(`Requested 2 ZIP codes for Star: ${A}, ${B}.`);
    expect(approval!.summary).toBe(`Approved 2 ZIP codes of Star: ${A}, ${B}, without a review.`);
  });

  it('goes live at once by REST, when a plan is applied', async () => {
    const { owner, tenant, star, states } = await setting();
    const origin = new URL(app.api).origin;
    const call = async (path: string, body: object) => {
      const response = await fetch(`${app.api}/agent${path}`, {
        method: 'POST',
        headers: {
          ...newClient(),
          Cookie: owner.cookie!,
          Origin: origin,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, any>;
    };
    await hold(tenant, star, [A]);
    const { version } = await call('/plans', { name: 'Spring', zips: [A, B], start: 'live' });
    const edited = await call('/plans/Spring', { version, moves: [{ zips: [B], to: 1 }] });
    const plan = '/plans/Spring/apply';
    const asked = { version: edited.version };
    expect(await call(plan, asked)).toMatchObject({ status: 'preview', goesLive: true });
    expect(await call(plan, { ...asked, confirm: true })).toMatchObject({
      goesLive: true,
      next: expect.stringContaining('The change is live.'),
    });
    expect(await states()).toEqual({ [A]: 'live', [B]: 'live' });
  });

  it('goes live at once on the map and from a list', async () => {
    const { owner, states } = await setting();
    const changes = JSON.stringify([{ brand: 'star', added: A, removed: '' }]);
    const { html } = await owner.post('/account/map/changes/preview.json', { changes });
    const { previews, once } = JSON.parse(html);
    expect(previews).toMatchObject([{ requested: [A], goesLive: true }]);
    const saved = await owner.post('/account/map/changes.json', { changes, once, note: '' });
    expect(JSON.parse(saved.html)).toMatchObject({ saved: [{ requested: 1, goesLive: true }] });
    const checked = await owner.post('/account/brands/star/transfer/check', { list: B });
    expect((await owner.get(checked.to!)).html).toContain('1 ZIP code will go live at once');
    const sent = await owner.post(checked.to!, {});
    expect((await owner.get(sent.to!)).html).toContain('Added. The ZIP codes are live.');
    expect(await states()).toEqual({ [A]: 'live', [B]: 'live' });
  });

  it('still follows the rules of groups', async () => {
    const { owner, tenant, star, states } = await setting();
    const moon = await createBrand(tenant, { name: 'Moon' });
    const group = { name: 'All', rule: 'block', brands: [star.id, moon.id] } as const;
    await tenant.transaction((tx) => createGroup(tx, OPERATOR, group));
    await hold(tenant, moon, [C]);
    expect(await tool(await tokenOf(owner), [C, D])).toMatchObject({ queued: [D], live: [D] });
    expect(await states()).toEqual({ [D]: 'live' });
  });
});

describe('what waits for a review all the same', () => {
  it('is requested by keys and by members with other roles', async () => {
    const { owner, tenant, states } = await setting();
    const { key } = await mintKey(tenant, { name: 'k', brands: 'all', mayWrite: true });
    expect(await tool(key, [A])).toMatchObject({ queued: [A], live: [] });
    const admin = await newColleague(owner, 'admin');
    const asked = await tool(await tokenOf(admin), [B]);
    expect(asked).toMatchObject({ queued: [B], live: [] });
    expect(asked.text).toContain('Next: a reviewer decides');
    expect(await states()).toEqual({ [A]: 'pending', [B]: 'pending' });
  });

  it('is requested by owners unless they switch reviews off, from which other members are kept', async () => {
    const { owner, tenant, states } = await setting(true);
    const token = await tokenOf(owner);
    expect(await tool(token, [A])).toMatchObject({ live: [] });
    const admin = await newColleague(owner, 'admin');
    const path = '/account/reviews/settings';
    expect((await admin.get(path)).html).toContain('Only owners can change these settings.');
    expect(
      await admin.post(path, {
        trade: 'hvac',
        owners: 'live',
        timeZone: 'America/New_York',
        census: '5',
      }),
    ).toMatchObject({ status: 403 });
    expect(await tool(token, [B])).toMatchObject({ live: [] });
    const { to } = await owner.post(path, {
      trade: 'hvac',
      owners: 'live',
      timeZone: 'America/New_York',
      census: '5',
    });
    expect((await owner.get(to!)).html).toContain('Saved. New requests follow it.');
    expect(await tool(token, [C])).toMatchObject({ live: [C] });
    const [, , entry] = (await listActivity(tenant, 'all')).rows;
    expect(entry).toMatchObject({
      action: 'review_settings_changed',
      summary: 'Set reviews to show scores for HVAC and not review owners’ requests.',
    });
    // What waited before still waits.
    expect(await states()).toEqual({ [A]: 'pending', [B]: 'pending', [C]: 'live' });
  });
});
