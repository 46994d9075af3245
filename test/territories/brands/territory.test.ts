import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/people/account/caller.ts';
import { applyZips, previewApply } from '../../../src/territories/brands/apply.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { findBrand, createBrand } from '../../../src/territories/brands/brands.ts';
import { listBrands } from '../../../src/territories/brands/list-brands.ts';
import {
  brandZips,
  heldZipStatuses,
  type BrandZipFilter,
} from '../../../src/territories/brands/brand-zips.ts';
import { previewRemove, removeZips } from '../../../src/territories/brands/remove.ts';
import { listReviews } from '../../../src/territories/brands/review-list.ts';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import { undoRemoval } from '../../../src/territories/brands/undo.ts';
import { testDatabase } from '../../support/database.ts';
import { expectConsistent } from './invariants.ts';
import { agent, DALLAS, organizationWith, reviewer } from './organization.ts';

describe('territories', async () => {
  const { db } = await testDatabase('sample');
  const north = () => organizationWith(db, 'North Roofing', 'South Roofing');
  type Setting = Awaited<ReturnType<typeof north>>;

  const apply = ({ tenant }: Setting, brand: Setting['brands'][0], zips: string[]) =>
    tenant.transaction((tx) => applyZips(tx, agent, brand, { zips }));
  const approve = ({ tenant }: Setting, brand: Setting['brands'][0], zips?: string[]) =>
    tenant.transaction((tx) => approveReviews(tx, reviewer, { brandId: brand.id, zips }));
  const remove = ({ tenant }: Setting, brand: Setting['brands'][0], zips: string[]) =>
    tenant.transaction((tx) => removeZips(tx, agent, brand, { zips }));

  describe('brands', () => {
    it('are found by slug, by name in any case, and by id', async () => {
      const { tenant, brands } = await north();
      for (const ref of ['north-roofing', 'NORTH roofing', ` ${brands[0].id} `]) {
        expect(await findBrand(tenant, 'all', ref)).toEqual(brands[0]);
      }
    });

    it('are reported as unknown if they are outside the scope, with a list of those within it', async () => {
      const { tenant, brands } = await north();
      const scope = new Set([brands[1].id]);
      await expect(findBrand(tenant, scope, 'east')).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringMatching(
          /^There is no brand "east".*: south-roofing \(South Roofing\)\.$/,
        ),
      });
      for (const ref of ['north-roofing', 'North Roofing', brands[0].id]) {
        await expect(findBrand(tenant, scope, ref)).rejects.toMatchObject({
          status: 404,
          message: `There is no brand "${ref}". Available brands: south-roofing (South Roofing).`,
        });
      }
    });

    it('of another organization are unknown, even by id', async () => {
      const { brands } = await north();
      const { tenant } = await organizationWith(db, 'East');
      await expect(findBrand(tenant, 'all', brands[0].id)).rejects.toMatchObject({ status: 404 });
    });

    it('have unique names and slugs', async () => {
      const { tenant } = await north();
      for (const name of ['north ROOFING', 'North: Roofing']) {
        await expect(createBrand(tenant, { name })).rejects.toMatchObject({ code: 'conflict' });
      }
      expect(await createBrand(tenant, { name: 'Müller & Sons' })).toMatchObject({
        slug: 'muller-sons',
      });
    });

    it('are listed with their counts, page by page', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[0], DALLAS.slice(0, 3));
      await approve(setting, brands[0], [DALLAS[0]!]);
      const first = await listBrands(tenant, 'all', { limit: 1 });
      const second = await listBrands(tenant, 'all', { limit: 1, cursor: first.nextCursor! });
      expect(first.rows).toEqual([{ ...brands[0], live: 1, pending: 2 }]);
      expect(second).toEqual({ rows: [{ ...brands[1], live: 0, pending: 0 }], nextCursor: null });
    });
  });

  describe('a request', () => {
    it('returns the outcome of each ZIP code, as its preview did', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      const [live, pending, shared, fresh] = DALLAS as [string, string, string, string];
      await apply(setting, brands[0], [live]);
      await approve(setting, brands[0]);
      await apply(setting, brands[0], [pending]);
      await apply(setting, brands[1], [shared]);
      const zips = [fresh, '00001', live, shared, pending, fresh];
      const expected = {
        queued: [shared, fresh].sort(),
        shared: [shared],
        alreadyLive: [live],
        alreadyPending: [pending],
        unknown: ['00001'],
        unknownReasons: [{ reason: 'not a known ZIP code', zips: ['00001'] }],
        refused: [],
        refusedReasons: [],
        live: [],
      };
      expect(await previewApply(tenant, brands[0], zips)).toEqual(expected);
      expect(await apply(setting, brands[0], zips)).toMatchObject(expected);
      expect(await heldZipStatuses(tenant, brands[0])).toEqual(
        new Map(
          [live, pending, shared, fresh]
            .sort()
            .map((zip) => [zip, zip === live ? 'live' : 'pending']),
        ),
      );
    });

    it('with malformed, no, or too many ZIP codes changes nothing', async () => {
      const setting = await north();
      const many = Array.from({ length: 5001 }, (_, i) => String(10_000 + i));
      await expect(
        apply(setting, setting.brands[0], ['7520', DALLAS[0]!, 'x']),
      ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('7520, x') });
      for (const zips of [[], many]) {
        await expect(apply(setting, setting.brands[0], zips)).rejects.toMatchObject({
          status: 400,
        });
      }
      await expect(apply(setting, setting.brands[0], ['00001', '00002'])).rejects.toMatchObject({
        status: 404,
      });
      expect((await listActivity(setting.tenant, 'all')).rows).toEqual([]);
    });

    it('of 500 ZIP codes is one activity entry and one batch of the queue', async () => {
      const setting = await north();
      const rows = await db.query<{ zip: string }>('select zip from zips order by zip limit 500');
      const zips = rows.map(({ zip }) => zip);
      const { batchId } = await apply(setting, setting.brands[0], zips);
      await setting.tenant.transaction((tx) => approveReviews(tx, reviewer, { batchId: batchId! }));
      expect((await listActivity(setting.tenant, 'all')).rows).toMatchObject([
        { action: 'territory_approved', zips },
        { action: 'territory_applied', zips },
      ]);
      await expectConsistent(setting.tenant);
    });
  });

  describe('a review', () => {
    it.each<[string, Pick<Caller, 'actor' | 'role'>]>([
      ['a key', { actor: agent, role: null }],
      ['a key that claims a role', { actor: agent, role: 'owner' }],
      ['a member', { actor: reviewer.actor, role: 'member' }],
    ])('is not decided by %s', async (_, who) => {
      const setting = await north();
      await apply(setting, setting.brands[0], [DALLAS[0]!]);
      const choice = { brandId: setting.brands[0].id };
      const decider = { ...who, brandScope: 'all' as const };
      await expect(
        setting.tenant.transaction((tx) => approveReviews(tx, decider, choice)),
      ).rejects.toMatchObject({ code: 'role_required' });
      await expect(
        setting.tenant.transaction((tx) => rejectReviews(tx, decider, choice, 'no')),
      ).rejects.toMatchObject({ code: 'role_required' });
    });

    it('needs a reason for a rejection, and records it', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[0], [DALLAS[0]!]);
      const choice = { brandId: brands[0].id };
      await expect(
        tenant.transaction((tx) => rejectReviews(tx, reviewer, choice, ' ')),
      ).rejects.toMatchObject({ status: 400 });
      await tenant.transaction((tx) => rejectReviews(tx, reviewer, choice, ' Too far '));
      expect((await listReviews(tenant, 'all', { status: 'rejected' })).rows).toMatchObject([
        { zip: DALLAS[0], reason: 'Too far', decidedBy: reviewer.actor, requestedBy: agent },
      ]);
      expect(await brandZips(tenant, brands[0], { status: 'removed' })).toMatchObject({ rows: [] });
    });

    it('that is rejected returns a removed ZIP code to removed', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      const zips = [DALLAS[0]!];
      await apply(setting, brands[0], zips);
      await approve(setting, brands[0]);
      await remove(setting, brands[0], zips);
      await apply(setting, brands[0], zips);
      await tenant.transaction((tx) =>
        rejectReviews(tx, reviewer, { brandId: brands[0].id }, 'Still too far'),
      );
      expect(await brandZips(tenant, brands[0], { status: 'removed' })).toMatchObject({
        rows: [{ zip: zips[0], review: { status: 'rejected', reason: 'Still too far' } }],
      });
    });

    it('that was decided before is reported and left unchanged', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[0], DALLAS.slice(0, 2));
      const { rows } = await listReviews(tenant, 'all');
      const ids = rows.map(({ id }) => id);
      const one = { ids: ids.slice(0, 1) };
      await tenant.transaction((tx) => approveReviews(tx, reviewer, one));
      const both = await tenant.transaction((tx) => rejectReviews(tx, reviewer, { ids }, 'no'));
      expect(both).toMatchObject({
        decided: [{ id: ids[1], status: 'rejected' }],
        notOpen: [{ id: ids[0], status: 'approved' }],
      });
      const approve = (chosen: string[]) =>
        tenant.transaction((tx) => approveReviews(tx, reviewer, { ids: chosen }));
      await expect(approve(ids)).rejects.toMatchObject({ code: 'conflict' });
      await expect(approve(['x'])).rejects.toMatchObject({ status: 404 });
    });

    it('of several brands is recorded in the activity of each', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[0], DALLAS.slice(0, 2));
      await apply(setting, brands[1], DALLAS.slice(1, 3));
      const { rows } = await listReviews(tenant, 'all');
      await tenant.transaction((tx) =>
        approveReviews(tx, reviewer, { ids: rows.map(({ id }) => id) }),
      );
      const activity = await listActivity(tenant, 'all', { actions: ['territory_approved'] });
      expect(activity.rows.map(({ brand, zips }) => [brand?.slug, zips]).sort()).toEqual([
        ['north-roofing', DALLAS.slice(0, 2)],
        ['south-roofing', DALLAS.slice(1, 3)],
      ]);
      await expectConsistent(tenant);
    });

    it('is listed in the order of the requests, page by page', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[1], DALLAS.slice(4, 6));
      await apply(setting, brands[0], DALLAS.slice(0, 3));
      const read: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listReviews(tenant, 'all', { status: 'pending' }, { limit: 2, cursor });
        read.push(...page.rows.map(({ zip }) => zip));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(read).toEqual([...DALLAS.slice(4, 6), ...DALLAS.slice(0, 3)]);
    });
  });

  describe('an undone removal', () => {
    it('leaves ZIP codes that were requested again, and names brands that share the others', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      const [again, shared, live] = DALLAS as [string, string, string];
      await apply(setting, brands[0], [again, shared, live]);
      await approve(setting, brands[0], [live]);
      const { removalId } = await remove(setting, brands[0], [again, shared, live]);
      await apply(setting, brands[0], [again]);
      await apply(setting, brands[1], [shared]);
      expect(await undoRemoval(tenant, reviewer.actor, removalId)).toEqual({
        removalId,
        brand: brands[0],
        restored: [
          { zip: shared, state: 'pending', sharedWith: [brands[1]] },
          { zip: live, state: 'live', sharedWith: [] },
        ],
        heldAgain: [{ zip: again, state: 'pending' }],
        refused: [],
      });
      await expectConsistent(tenant);
    });

    it('is refused while all ZIP codes are held again, and possible later', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[0], [DALLAS[0]!]);
      const first = await remove(setting, brands[0], [DALLAS[0]!]);
      await apply(setting, brands[0], [DALLAS[0]!]);
      await expect(undoRemoval(tenant, agent, first.removalId)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('already holds all ZIP codes of this removal again'),
      });
      await remove(setting, brands[0], [DALLAS[0]!]);
      expect(await undoRemoval(tenant, agent, first.removalId)).toMatchObject({ heldAgain: [] });
      await expectConsistent(tenant);
    });

    it('is not found by another organization', async () => {
      const setting = await north();
      const other = await organizationWith(db, 'East');
      await apply(setting, setting.brands[0], [DALLAS[0]!]);
      const { removalId } = await remove(setting, setting.brands[0], [DALLAS[0]!]);
      for (const id of [removalId, 'x']) {
        await expect(undoRemoval(other.tenant, agent, id)).rejects.toMatchObject({ status: 404 });
      }
    });

    it('cannot be undone again after another removal of the same ZIP codes', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[0], [DALLAS[0]!]);
      const first = await remove(setting, brands[0], [DALLAS[0]!]);
      await undoRemoval(tenant, agent, first.removalId);
      await remove(setting, brands[0], [DALLAS[0]!]);
      await expect(undoRemoval(tenant, agent, first.removalId)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('already undone'),
      });
    });

    it('is marked in the activity', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[0], [DALLAS[0]!]);
      const { removalId } = await remove(setting, brands[0], [DALLAS[0]!]);
      const undoable = async () =>
        (await listActivity(tenant, 'all', { actions: ['territory_removed'] })).rows[0];
      expect(await undoable()).toMatchObject({ removalId, undoable: true });
      await undoRemoval(tenant, agent, removalId);
      expect(await undoable()).toMatchObject({ removalId, undoable: false });
    });
  });

  it('a removal reports ZIP codes that the brand does not hold, and is refused if it holds none', async () => {
    const setting = await north();
    const { tenant, brands } = setting;
    await apply(setting, brands[0], [DALLAS[0]!]);
    const plan = {
      live: [],
      pending: [DALLAS[0]],
      notHeld: [DALLAS[1]],
      inChange: [],
      leaving: [],
    };
    expect(await previewRemove(tenant, brands[0], DALLAS.slice(0, 2))).toEqual(plan);
    expect(await remove(setting, brands[0], DALLAS.slice(0, 2))).toMatchObject(plan);
    await expect(remove(setting, brands[0], DALLAS.slice(0, 2))).rejects.toMatchObject({
      status: 404,
    });
  });

  describe('the ZIP codes of a brand', () => {
    /** ZIP codes of the sample: two neighbors, and one that borders neither. */
    async function neighborsAndLoner(): Promise<[string, string, string]> {
      const [row] = await db.query<{ zip: string; neighbor: string; loner: string }>(
        `select n.zip, n.neighbor, l.zip as loner from zip_neighbors n, zips l
         where n.zip = $1 and l.zip > '76'
           and not exists (select from zip_neighbors t
                           where t.zip = l.zip and t.neighbor in (n.zip, n.neighbor))
         order by l.zip limit 1`,
        [DALLAS[0]],
      );
      return [row!.zip, row!.neighbor, row!.loner];
    }

    it('are flagged as shared and isolated by held ZIP codes only', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      const [a, b, loner] = await neighborsAndLoner();
      await apply(setting, brands[0], [a, b, loner]);
      await approve(setting, brands[0]);
      await apply(setting, brands[1], [b]);
      const flags = async () =>
        Object.fromEntries(
          (await brandZips(tenant, brands[0])).rows.map((row) => [
            row.zip,
            [row.status, row.sharedWith, row.isolated],
          ]),
        );
      expect(await flags()).toEqual({
        [a]: ['live', [], false],
        [b]: ['live', [brands[1]], false],
        [loner]: ['live', [], true],
      });
      await remove(setting, brands[1], [b]);
      await remove(setting, brands[0], [a]);
      expect(await flags()).toEqual({ [b]: ['live', [], true], [loner]: ['live', [], true] });
    });

    it('are filtered by status, state, flag, and status of the latest review', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      const [a, b, loner] = await neighborsAndLoner();
      await apply(setting, brands[0], [a, b, loner, DALLAS[7]!]);
      await approve(setting, brands[0], [a, loner, DALLAS[7]!]);
      await remove(setting, brands[0], [DALLAS[7]!]);
      await apply(setting, brands[1], [a]);
      const zips = async (filter: BrandZipFilter) =>
        (await brandZips(tenant, brands[0], filter)).rows.map(({ zip }) => zip);
      expect(await zips({})).toEqual([a, b, loner].sort());
      expect(await zips({ status: 'pending' })).toEqual([b]);
      expect(await zips({ status: 'removed' })).toEqual([DALLAS[7]]);
      expect(await zips({ flag: 'shared' })).toEqual([a]);
      expect(await zips({ flag: 'isolated' })).toEqual([loner]);
      expect(await zips({ flag: 'isolated', status: 'removed' })).toEqual([]);
      expect(await zips({ reviewStatus: 'approved' })).toEqual([a, loner].sort());
      expect(await zips({ reviewStatus: 'pending', status: 'live' })).toEqual([]);
      expect(await zips({ state: 'TX', status: 'removed' })).toEqual([DALLAS[7]]);
      expect(await zips({ state: 'OK', status: 'removed' })).toEqual([]);
    });

    it('are paginated without repeating or omitting any', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[0], DALLAS);
      const read: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await brandZips(tenant, brands[0], {}, { limit: 3, cursor });
        read.push(...page.rows.map(({ zip }) => zip));
        cursor = page.nextCursor ?? undefined;
        await remove(setting, brands[0], [page.rows[0]!.zip]);
      } while (cursor);
      expect(read).toEqual(DALLAS);
    });

    it('refuse a cursor of another list', async () => {
      const { tenant, brands } = await north();
      for (const cursor of ['', 'x', Buffer.from('[1]').toString('base64url')]) {
        await expect(brandZips(tenant, brands[0], {}, { cursor })).rejects.toMatchObject({
          status: 400,
        });
      }
    });
  });

  describe('activity', () => {
    it('is visible to the caller who made the change, and to others within the brand scope', async () => {
      const setting = await north();
      const { tenant, brands } = setting;
      await apply(setting, brands[0], [DALLAS[0]!]);
      await apply(setting, brands[1], [DALLAS[1]!]);
      await approve(setting, brands[0]);
      const scope = new Set([brands[0].id]);
      const actions = async (...args: [Parameters<typeof listActivity>[1], object?]) =>
        (await listActivity(tenant, ...args)).rows.map(({ actor, zips }) => [actor.name, ...zips]);
      expect(await actions('all', { actor: agent.id! })).toEqual([
        ['Agent', DALLAS[1]],
        ['Agent', DALLAS[0]],
      ]);
      expect(await actions(scope)).toEqual([
        ['Rita', DALLAS[0]],
        ['Agent', DALLAS[0]],
      ]);
      expect(await actions(scope, { brandId: brands[1].id })).toEqual([]);
    });

    it('cannot be changed in the database', async () => {
      const setting = await north();
      await apply(setting, setting.brands[0], [DALLAS[0]!]);
      for (const change of ['update activity set summary = $2', 'delete from activity']) {
        await expect(
          setting.tenant.query(
            `${change} where organization_id = $1`,
            change.includes('$2') ? [''] : [],
          ),
        ).rejects.toThrow('append-only');
      }
    });
  });
});
