/** Compares random sequences of changes with a small model. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { ServiceError } from '../../../src/errors.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { removeZips } from '../../../src/territories/brands/remove.ts';
import { listReviews } from '../../../src/territories/brands/review-list.ts';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import { undoRemoval } from '../../../src/territories/brands/undo.ts';
import { testDatabase } from '../../support/database.ts';
import { runs } from '../../support/thorough.ts';
import { expectConsistent } from './invariants.ts';
import { agent, DALLAS, organizationWith, reviewer } from './organization.ts';

const ZIPS = DALLAS.slice(0, 4);
const BRANDS = ['North', 'South'] as const;

/** The model of a ZIP code: its state, the step in which it changed, and what a rejection restores. */
interface ModelZip {
  state: 'pending' | 'live' | 'removed';
  since: string;
  /** For a pending ZIP code: the state that a rejection restores */
  restores: 'removed' | null;
}
type Territory = Map<string, ModelZip>;
interface Snapshot {
  brand: number;
  before: Territory;
  undone: boolean;
}

const step = fc.oneof(
  fc.record({
    does: fc.constantFrom('apply', 'approve', 'reject', 'remove'),
    brand: fc.nat(1),
    zips: fc.subarray(ZIPS, { minLength: 1 }),
  }),
  fc.record({ does: fc.constant('undo'), which: fc.nat(2) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('a territory after any sequence of changes', async () => {
  const { db } = await testDatabase('sample');

  it('matches the model, and so does its activity', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { tenant, brands } = await organizationWith(db, ...BRANDS);
        const model = new Model();
        const days: PastDay[] = [];
        for (const each of steps) {
          const expected = model.take(each);
          const changed = await perform(tenant, brands, model, each);
          expect({ each, changed }).toEqual({ each, changed: expected });
          await expectModel(tenant, brands, model);
          await expectConsistent(tenant);
          days.push(await rememberDay(tenant));
        }
        for (const day of days) expect(await readTerritories(tenant.asOf(day.at))).toEqual(day.was);
      }),
      { numRuns: runs(60) },
    );
  });
});

interface PastDay {
  at: Date;
  was: { zips: object[]; reviews: object[] };
}

/** Returns what the organization's territories are, and a moment before their next change. */
async function rememberDay(tenant: TenantDatabase): Promise<PastDay> {
  const was = await readTerritories(tenant);
  const [now] = await tenant.query<{ at: Date }>(
    `select date_trunc('milliseconds', clock_timestamp()) as at, $1::uuid`,
  );
  // Moments are whole milliseconds, and the next change is to have its own.
  await tenant.query('select pg_sleep(0.002), $1::uuid');
  return { at: now!.at, was };
}

/** Without times of decisions, which an undo deletes */
const readTerritories = async (tenant: TenantDatabase): Promise<PastDay['was']> => ({
  zips: await tenant.query(
    `select brand_id, zip, state, changed_at::text from brand_zips
     where organization_id = $1 order by brand_id, zip`,
  ),
  reviews: await tenant.query(
    `select id, brand_id, zip, status, reason from reviews
     where organization_id = $1 order by id`,
  ),
});

/** The service's rules, on maps. */
class Model {
  territories: Territory[] = BRANDS.map(() => new Map<string, ModelZip>());
  snapshots: (Snapshot & { id: string })[] = [];

  /** Returns the ZIP codes that change; null if the step is refused. */
  take(step: Step): string[] | null {
    if ('which' in step) return this.undo(this.snapshots[step.which]);
    const territory = this.territories[step.brand]!;
    const stateOf = (zip: string) => territory.get(zip)?.state;
    const isHeld = (zip: string) => stateOf(zip) === 'live' || stateOf(zip) === 'pending';
    switch (step.does) {
      case 'apply': {
        const asked = step.zips.filter((zip) => !isHeld(zip));
        for (const zip of asked) {
          territory.set(zip, {
            state: 'pending',
            since: '',
            restores: this.restoredState(territory, zip),
          });
        }
        return asked;
      }
      case 'remove': {
        const held = step.zips.filter(isHeld);
        if (held.length === 0) return null;
        const before = new Map(held.map((zip) => [zip, territory.get(zip)!]));
        this.snapshots.push({ id: '', brand: step.brand, before, undone: false });
        for (const zip of held) territory.set(zip, { state: 'removed', since: '', restores: null });
        return held;
      }
      default: {
        const open = step.zips.filter((zip) => stateOf(zip) === 'pending');
        if (open.length === 0) return null;
        for (const zip of open) {
          const { restores } = territory.get(zip)!;
          if (step.does === 'approve')
            territory.set(zip, { state: 'live', since: '', restores: null });
          else if (restores) territory.set(zip, { state: restores, since: '', restores: null });
          else territory.delete(zip);
        }
        return open;
      }
    }
  }

  restoredState(territory: Territory, zip: string): 'removed' | null {
    return territory.get(zip)?.state === 'removed' ? 'removed' : null;
  }

  undo(snapshot: Snapshot | undefined): string[] | null {
    if (!snapshot || snapshot.undone) return null;
    const territory = this.territories[snapshot.brand]!;
    const free = [...snapshot.before.keys()].filter((zip) => {
      const state = territory.get(zip)?.state;
      return state === undefined || state === 'removed';
    });
    if (free.length === 0) return null;
    snapshot.undone = true;
    for (const zip of free) territory.set(zip, snapshot.before.get(zip)!);
    return free.sort();
  }
}

/** Returns the ZIP codes that changed; null if the service refused. */
async function perform(
  tenant: TenantDatabase,
  brands: readonly Brand[],
  model: Model,
  step: Step,
): Promise<string[] | null> {
  try {
    return await tenant
      .transaction(async (tx) => {
        if ('which' in step) return null;
        const brand = brands[step.brand]!;
        const choice = { brandId: brand.id, zips: step.zips };
        switch (step.does) {
          case 'apply':
            return (await applyZips(tx, agent, brand, { zips: step.zips })).queued;
          case 'remove': {
            const { live, pending, removalId } = await removeZips(tx, agent, brand, step);
            model.snapshots.at(-1)!.id = removalId;
            return [...live, ...pending].sort();
          }
          case 'approve':
            return (await approveReviews(tx, reviewer, choice)).decided.map(({ zip }) => zip);
          default:
            return (await rejectReviews(tx, reviewer, choice, 'no')).decided.map(({ zip }) => zip);
        }
      })
      .then(async (changed) => {
        if (!('which' in step)) return changed;
        const id = model.snapshots[step.which]?.id ?? '00000000-0000-4000-8000-00000000dead';
        return (await undoRemoval(tenant, agent, id)).restored.map(({ zip }) => zip);
      });
  } catch (error) {
    if (error instanceof ServiceError && [404, 409].includes(error.status)) return null;
    throw error;
  }
}

/** Compares the territories with the model, and records the times of changes in it. */
async function expectModel(
  tenant: TenantDatabase,
  brands: readonly Brand[],
  model: Model,
): Promise<void> {
  for (const [i, brand] of brands.entries()) {
    const territory = model.territories[i]!;
    const rows = await tenant.query<{ zip: string; state: string; since: string }>(
      `select zip, state, changed_at::text as since from brand_zips
       where organization_id = $1 and brand_id = $2 order by zip`,
      [brand.id],
    );
    for (const { zip, since } of rows) {
      const known = territory.get(zip);
      if (known?.since === '') known.since = since;
    }
    expect(rows.map((row) => [row.zip, row.state, row.since])).toEqual(
      [...territory].map(([zip, { state, since }]) => [zip, state, since]).sort(),
    );
  }
  const open = await listReviews(tenant, 'all', { status: 'pending' });
  const pending = model.territories
    .flatMap((t) => [...t.values()])
    .filter((k) => k.state === 'pending');
  expect(open.rows).toHaveLength(pending.length);
}
