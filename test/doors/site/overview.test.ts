/** The overview: what waits, what needs attention, what others have changed, and steps that vanish when done. */
import { describe, expect, it } from 'vitest';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import type { Actor } from '../../../src/people/account/caller.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { createGroup, findGroup } from '../../../src/territories/brands/groups/groups.ts';
import { createReserve } from '../../../src/territories/brands/groups/reserves.ts';
import { mintShare } from '../../../src/territories/share/links.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { mainText, newColleague } from '../../support/colleague.ts';
import { Visitor } from '../../support/visitor.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, DALLAS } from '../../territories/brands/organization.ts';
import { saveData } from '../../territories/own-data/saved.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;
const [A, B, C] = DALLAS as [string, string, string];

/** An owner with two brands */
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
  const moon = await createBrand(tenant, { name: 'Moon' });
  const request = (zips: string[], brand: Brand, actor: Actor, note?: string) =>
    tenant.transaction((tx) => applyZips(tx, actor, brand, { zips, note }));
  const me: Actor = { kind: 'person', id: row!.person, name: 'Pat' };
  /** Lets an hour pass for the visits and the changes so far. */
  const wait = async () => {
    await db.query(
      `update overview_visits set seen_at = seen_at - interval '1 hour' where organization_id = $1`,
      [row!.id],
    );
    await db.transaction(async (tx) => {
      await tx.query(`set local session_replication_role = replica`); // entries never change otherwise
      await tx.query(`update activity set at = at - interval '1 hour' where organization_id = $1`, [
        row!.id,
      ]);
    });
  };
  return { owner, me, tenant, star, moon, request, wait };
}

const overview = async (person: Visitor) => {
  const shown = await person.get('/account');
  expect(shown.status).toBe(200);
  return { ...shown, text: mainText(shown) };
};

describe('the overview', () => {
  it('shows the map of all territories, with what waits on it', async () => {
    const { owner, tenant, star, moon, request, me } = await setting();
    await hold(tenant, star, [A, B]);
    const { batchId } = await request([C], moon, agent, 'Calls');
    await request([DALLAS[3]!, DALLAS[4]!], moon, me);
    const { html, text } = await overview(owner);
    expect(html).toContain('src="/account/territories/picture/light.png"');
    expect(text).toContain('2 brands with 2 live ZIP codes and 3 pending review.');
    expect(text).toMatch(/To review 1 ZIP code for Moon by API key “Agent” today : Calls/);
    expect(text).toMatch(/2 ZIP codes for Moon by you today Review 3 ZIP codes/);
    expect(html).toContain(`/account/reviews/confirm?batch=${batchId}`);
  });

  it('shows members their own requests that wait, and not those of others', async () => {
    const { owner, moon, request } = await setting();
    await request([C], moon, agent);
    const kim = await newColleague(owner, 'member');
    const [row] = await db.query<{ id: string }>('select id from people where email = $1', [
      kim.email,
    ]);
    await request([A, B], moon, { kind: 'person', id: row!.id, name: 'Kim' });
    const { html, text } = await overview(kim);
    expect(text).toMatch(/Your requests They wait for a reviewer. 2 ZIP codes for Moon requested/);
    expect(html).toContain('/account/brands/moon?status=pending#zips');
    expect(text).not.toContain('To review');
  });

  it('names overlaps, gaps, and reserves that end within a month', async () => {
    const { owner, tenant, star, moon } = await setting();
    await hold(tenant, star, DALLAS);
    await hold(tenant, moon, [A, B]);
    const brands = [star.id, moon.id];
    await tenant.transaction((tx) =>
      createGroup(tx, agent, { name: 'Franchisees', rule: 'warn', brands }),
    );
    const inDays = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    for (const [reason, days] of [
      ['A sale', 9],
      ['An option', 90],
    ] as const) {
      await tenant.transaction(async (tx) =>
        createReserve(tx, agent, await findGroup(tx, 'all', 'Franchisees'), {
          zips: ['85003'],
          reason,
          until: inDays(days),
        }),
      );
    }
    const { html, text } = await overview(owner);
    expect(text).toMatch(new RegExp(`Moon and Star hold the same 2 ZIP codes ${A}, ${B}`));
    expect(html).toMatch(/\/account\/brands\/(moon|star)\?flag=shared#zips/);
    expect(text).toMatch(/gaps? inside or between your territories [\d, ]*75270/);
    expect(html).toMatch(/\/account\/map\?zips=[\d+]*75270/);
    expect(text).toMatch(/The reserve of 1 ZIP code in Franchisees ends on \w+ \d+, \d+ A sale/);
    expect(text.match(/The reserve of/g)).toHaveLength(1);
  });

  it('lists what others have changed since the visit before, also after a reload', async () => {
    const { owner, tenant, star, me, request, wait } = await setting();
    await request([A], star, agent);
    expect((await overview(owner)).text).toContain(`Recent activity Requested 1 ZIP code`);
    await wait();
    expect((await overview(owner)).text).toMatch(/Nobody else has changed anything since \w+ \d+/);
    await wait();
    await request([B], star, me);
    await hold(tenant, star, [C]);
    for (const _ of ['first look', 'reload']) {
      const { text, html } = await overview(owner);
      expect(text).toContain(`Since your last visit Approved 1 ZIP code of Star: ${C}.`);
      expect(html).toContain(`/account/map?brand=star&amp;zips=${C}`);
      expect(text).not.toContain(`Requested 1 ZIP code for Star: ${B}.`);
      expect(text).not.toContain(`Requested 1 ZIP code for Star: ${A}.`);
    }
  });

  it('offers next steps to managers until each is done', async () => {
    const { owner, tenant, star, me } = await setting();
    await hold(tenant, star, [A]);
    const steps = async (person: Visitor) => {
      const { html } = await overview(person);
      return ['/account/members', '/account/data', '/account/shares'].filter((path) =>
        new RegExp(`class="steps"[^]*href="${path}"[^]*</section>`).test(html),
      );
    };
    expect(await steps(owner)).toEqual(['/account/members', '/account/data', '/account/shares']);
    const kim = await newColleague(owner, 'member');
    expect(await steps(kim)).toEqual([]);
    expect(await steps(owner)).toEqual(['/account/data', '/account/shares']);
    await saveData({ tenant }, 'Jobs', { [A]: 1 });
    const share = { kind: 'brand', days: 30, hideBranding: false } as const;
    await tenant.transaction((tx) => mintShare(tx, me, star, share));
    expect(await steps(owner)).toEqual([]);
  });

  it('leads to the page of usage in one line', async () => {
    const { owner } = await setting();
    const { html, text } = await overview(owner);
    expect(text).toMatch(/0 of [\d,]+ units used this month. Usage/);
    expect(html).toContain('href="/account/usage"');
    const usage = await owner.get('/account/usage');
    expect(mainText(usage)).toMatch(/Units 0 of [\d,]+ used/);
    expect(mainText(usage)).toContain('No units used yet.');
  });
});
