/** Terms of holdings: set by the API, told once, ended at their moment, and shown by exhibits and lookups. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/people/account/caller.ts';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { addDays, startOfDay } from '../../../src/base/text/days.ts';
import { recordedDays } from '../../../src/people/account/days/as-of.ts';
import { render } from '../../../src/render/render.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { heldZipStatuses } from '../../../src/territories/brands/brand-zips.ts';
import {
  brandsWithDueTerms,
  keepTermsOf,
} from '../../../src/territories/brands/terms/keep-terms.ts';
import { listRemovals } from '../../../src/territories/brands/removals.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { undoRemoval } from '../../../src/territories/brands/undo.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { readPdf } from '../../support/pdf-text.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent } from '../../territories/brands/organization.ts';
import { foundedAt } from '../../territories/record/past.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db, { renderer: mapsWith({ render }) });
const [A, B, C] = ['75201', '75204', '75214'] as const;

let key: string;
let caller: Caller;
let star: Brand;
let today: string;

beforeEach(async () => {
  ({ key, caller } = await newKey(db));
  await changeSubscription(caller.tenant, { status: 'active' });
  star = await createBrand(caller.tenant, { name: 'Star' });
  await hold(caller.tenant, star, [A, B]);
  await hold(caller.tenant, star, [C], 'pending');
  ({ today } = await recordedDays(caller.tenant));
});

async function send(path: string, body?: object) {
  const answer = await fetch(`${app.api}${path}`, {
    headers: {
      ...bearer(key),
      ...newClient(),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}
async function json(path: string, body?: object) {
  const { status, bytes } = await send(path, body);
  return { status, body: JSON.parse(bytes.toString()) };
}
const TERMS = '/agent/brands/star/terms';
const set = (body: object) => json(TERMS, body);
const list = async () => (await json(TERMS)).body.terms;

/** Lets days pass: terms end earlier instead. */
const letPass = (days: number) =>
  db.query(
    'update holding_terms set ends_on = ends_on - $2::int where organization_id = $1 and replaced_at is null',
    [caller.tenant.organizationId, days],
  );
/** Runs the elected work, twice at once, as several processes do. */
async function keep() {
  const due = await brandsWithDueTerms(db);
  const ours = due.filter(({ organizationId }) => organizationId === caller.tenant.organizationId);
  await Promise.all([...ours, ...ours].map((one) => keepTermsOf(db, one)));
}
const events = async () =>
  (
    await db.query<{ type: string; data: { zips: string[]; endsOn: string } }>(
      `select type, data from events where organization_id = $1 and type like 'territory.term%' order by position`,
      [caller.tenant.organizationId],
    )
  ).map(({ type, data }) => [type, ...data.zips]);

describe('terms', () => {
  it('are set field by field, and only for live ZIP codes', async () => {
    const end = addDays(today, 400);
    const { body } = await set({
      zips: [A, B],
      granted: 'exclusive',
      endsOn: end,
      note: 'Agreement 12',
    });
    expect(body).toEqual({
      brand: 'star',
      brandName: 'Star',
      terms: [A, B].map((zip) => ({
        zip,
        granted: 'exclusive',
        endsOn: end,
        atEnd: 'told',
        note: 'Agreement 12',
      })),
    });
    await set({ zips: [B], granted: 'non_exclusive', note: null });
    expect(await list()).toMatchObject([
      { zip: A, note: 'Agreement 12' },
      { zip: B, granted: 'non_exclusive', endsOn: end, note: null },
    ]);
    await set({ zips: [A], granted: null, endsOn: null, note: null });
    expect(await list()).toMatchObject([{ zip: B }]);
    expect(await set({ zips: [A, C], granted: 'protected' })).toMatchObject({
      status: 409,
      body: { error: `Star doesn’t hold ${C} live, so there are no terms to set. Leave it out.` },
    });
    expect((await set({ zips: [A], endsOn: addDays(today, -1) })).body.error).toMatch(
      /^endsOn: .* has passed\./,
    );
    expect((await set({ zips: [A] })).body.error).toBe(
      'Give at least one of granted, endsOn, atEnd, and note.',
    );
  });

  it('are told 90 days before the end and at the end, once each, and then the brand still holds the ZIP code', async () => {
    await set({ zips: [A], endsOn: addDays(today, 91) });
    await keep();
    expect(await events()).toEqual([]);
    await letPass(1);
    await keep();
    await keep();
    expect(await events()).toEqual([['territory.term_ending', A]]);
    await letPass(90);
    await keep();
    expect(await events()).toHaveLength(1);
    await letPass(1);
    await keep();
    await keep();
    expect(await events()).toEqual([
      ['territory.term_ending', A],
      ['territory.term_ended', A],
    ]);
    expect((await heldZipStatuses(caller.tenant, star)).get(A)).toBe('live');
  });

  it('end a holding after its last day, also after a week of downtime, and the removal can be undone', async () => {
    const { tenant } = caller;
    await foundedAt(db, tenant, '2020-01-01T00:00:00Z');
    await db.query('update holdings set held_from = $2 where organization_id = $1 and zip = $3', [
      tenant.organizationId,
      startOfDay(addDays(today, -300), 'America/New_York'),
      A,
    ]);
    await db.query(
      `delete from holdings where organization_id = $1 and zip = $2 and state = 'pending'`,
      [tenant.organizationId, A],
    );
    await set({ zips: [A], endsOn: addDays(today, 1), atEnd: 'ends' });
    await letPass(8);
    await keep();
    await keep();
    expect([...(await heldZipStatuses(tenant, star)).keys()]).toEqual([B, C]);
    expect(await events()).toEqual([['territory.term_ended', A]]);
    const last = addDays(today, -7);
    const { body } = await json(`/agent/record/zips/${A}`);
    expect(body.periods).toMatchObject([
      {
        status: 'live',
        until: startOfDay(addDays(last, 1), 'America/New_York').toISOString(),
        ended: { by: 'The service', summary: expect.stringContaining('Reason: The term ended on') },
      },
    ]);
    const { rows } = await listRemovals(tenant, star, {});
    await undoRemoval(tenant, agent, rows[0]!.id);
    expect((await heldZipStatuses(tenant, star)).get(A)).toBe('live');
    // The end was told. A new term begins with the next agreement.
    await keep();
    expect((await heldZipStatuses(tenant, star)).get(A)).toBe('live');
    expect(await list()).toMatchObject([{ zip: A, endsOn: last }]);
  });

  it('of an earlier moment stay known, and a new request ends them', async () => {
    const asOf = async (moment: string) =>
      (await json(`${TERMS}?asOf=${encodeURIComponent(moment)}`)).body.terms;
    /** The database's clock, which terms are set by, and the next statement is later */
    const moment = async () => {
      const [row] = await db.query<{ at: Date }>('select clock_timestamp() as at, pg_sleep(0.002)');
      return row!.at.toISOString();
    };
    const before = await moment();
    await set({ zips: [A], granted: 'exclusive' });
    const between = await moment();
    await set({ zips: [A], granted: 'protected' });
    expect(await asOf(before)).toEqual([]);
    expect(await asOf(between)).toMatchObject([{ zip: A, granted: 'exclusive' }]);
    const { tenant } = caller;
    const { removalId } = await tenant.transaction((tx) =>
      removeZips(tx, agent, star, { zips: [A] }),
    );
    expect(await list()).toEqual([]);
    await undoRemoval(tenant, agent, removalId);
    expect(await list()).toMatchObject([{ zip: A, granted: 'protected' }]);
    await tenant.transaction((tx) => removeZips(tx, agent, star, { zips: [A] }));
    await hold(tenant, star, [A]);
    expect(await list()).toEqual([]);
    expect(await asOf(between)).toMatchObject([{ zip: A, granted: 'exclusive' }]);
  });

  it('are shown by exhibits and lookups', async () => {
    const end = addDays(today, 200);
    await set({ zips: [A], granted: 'protected', endsOn: end });
    const { body } = await json(`/agent/serving?zip=${A}`);
    expect(body.brands).toMatchObject([{ brand: 'star', granted: 'protected', endsOn: end }]);
    expect((await json(`/agent/serving?zip=${B}`)).body.brands).toMatchObject([
      { granted: null, endsOn: null },
    ]);
    const { status, bytes } = await send('/agent/territory-exhibit', { brand: 'star' });
    expect(status).toBe(200);
    const texts = readPdf(bytes).pages.flat();
    for (const text of ['Grant', 'Through', 'Protected', end]) expect(texts).toContain(text);
  });
});
