/** Saves plans from the state of the workspace through the real service. */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { figuresMeterOf } from '../../../../src/people/metering/figures.ts';
import { createPlan, findPlan } from '../../../../src/territories/plans/plans.ts';
import { editPlan } from '../../../../src/territories/plans/edit.ts';
import { newPlanOf } from '../../../../src/territories/plans/create.ts';
import { setConfig } from '../../../../src/doors/site/workspace/browser/config.ts';
import {
  moveZips,
  renameTerritory,
} from '../../../../src/doors/site/workspace/browser/territories/edits.ts';
import {
  editDraft,
  isEdited,
  redoEdit,
  undoEdit,
} from '../../../../src/doors/site/workspace/browser/territories/editing.ts';
import { NO_HISTORY } from '../../../../src/doors/site/workspace/browser/territories/history.ts';
import {
  loadDraft,
  planDraft,
  reloadColumns,
  reloadDraft,
} from '../../../../src/doors/site/workspace/browser/load.ts';
import { readMarket } from '../../../../src/doors/site/workspace/browser/market.ts';
import { compareWith } from '../../../../src/doors/site/workspace/browser/plans/compare-plans.ts';
import type { WorkspaceConfig } from '../../../../src/doors/site/workspace/browser/page-config.ts';
import * as requests from '../../../../src/doors/site/workspace/browser/plans/plan-requests.ts';
import {
  discardEdits,
  loadConflict,
  reapplyEdits,
  savePlan,
} from '../../../../src/doors/site/workspace/browser/saving/save-plan.ts';
import { store } from '../../../../src/doors/site/workspace/browser/state.ts';
import { saveData } from '../../../territories/own-data/saved.ts';
import { testDatabase } from '../../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../../support/keyed-app.ts';
import { agent } from '../../../territories/brands/organization.ts';
import { gridAnswer } from './grid.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const { key, caller } = await newKey(db);
const { tenant } = caller;

const zips = (
  await db.query<{ zip: string }>(`select zip from zips where state = 'RI' order by zip limit 12`)
).map(({ zip }) => zip);
const answer = { ...gridAnswer({ columns: 4, rows: 3 }), zips: zips.join(' ') };
const market = readMarket(answer);
const jobs = {
  slug: 'jobs',
  name: 'jobs',
  addsUp: 'sum' as const,
  unit: 'count',
  period: null,
  amounts: zips.map((_, i) => i),
  rows: null,
};

/** Sends a key, whereas pages send a cookie. `market-data.test.ts` tests the data of the market. */
const send = fetch;
vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
  if (path.startsWith('/market.json')) return Response.json({ ...answer, dataSets: [jobs] });
  if (path.startsWith('/live.json')) return Response.json({ territories: [] });
  return send(`${app.api}${path}`, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), ...bearer(key) },
  });
});
// Other test files share this thread.
afterAll(() => vi.unstubAllGlobals());
setConfig({
  organization: caller.organization,
  brands: [],
  verticals: [{ slug: 'roofing', label: 'Roofing', own: false }],
  paths: {
    plan: '/agent/plans/{plan}',
    plans: '/agent/plans',
    market: '/market.json',
    live: '/live.json',
  },
} as unknown as WorkspaceConfig);

let count = 0;
let id = '';

/** Opens a new plan with the territories West and East. */
beforeEach(async () => {
  id = await tenant.transaction(async (tx) => {
    const plan = await newPlanOf(tx, { name: `Plan ${++count}`, zips });
    return createPlan(tx, agent, {
      ...plan,
      territories: [
        { number: 1, name: 'West', brand: null, zips: zips.slice(0, 6) },
        { number: 2, name: 'East', brand: null, zips: zips.slice(6) },
      ],
    });
  });
  const { source, draft } = planDraft(await requests.readPlan(id), market);
  store.update({
    place: `plan=${id}`,
    market,
    source,
    draft,
    saved: draft,
    history: NO_HISTORY,
    dialog: null,
    notice: null,
    balance: 'households',
    colorBy: 'territory',
    proposal: null,
  });
});

const moveZip = (zip: number, to: number) =>
  editDraft(moveZips(store.get().draft, new Set([zip]), to), `Move ${zip}`);
const undoAll = () => {
  while (store.get().history.past.length > 0) undoEdit();
};
const storedSizes = async () =>
  (await findPlan(tenant, id)).territories.map((territory) => territory.zips.length);
const shownSizes = () => store.get().draft.territories.map((territory) => territory.zips.size);

describe('saving a plan', () => {
  it('saves what the draft has, once', async () => {
    moveZip(0, 2);
    editDraft(renameTerritory(store.get().draft, 2, 'Shore'), 'Rename');
    await Promise.all([savePlan(), savePlan()]);
    expect(await storedSizes()).toEqual([5, 7]);
    const plan = await findPlan(tenant, id);
    expect(plan).toMatchObject({ version: 2, territories: [{ name: 'West' }, { name: 'Shore' }] });
    expect(store.get()).toMatchObject({ source: { version: 2 }, history: NO_HISTORY });
    expect(isEdited(store.get())).toBe(false);
  });

  it('keeps edits made while saving, and undoes them back to the saved state', async () => {
    moveZip(0, 2);
    const saving = savePlan();
    moveZip(1, 2);
    moveZip(2, 2);
    await saving;
    expect(await storedSizes()).toEqual([5, 7]);
    expect(shownSizes()).toEqual([3, 9]);
    undoAll();
    expect(isEdited(store.get())).toBe(false);
    expect(shownSizes()).toEqual([5, 7]);
    redoEdit();
    await savePlan();
    expect(await storedSizes()).toEqual([4, 8]);
  });

  it('can redo an edit that was undone while saving, but not undo earlier ones', async () => {
    moveZip(0, 2);
    moveZip(1, 2);
    const saving = savePlan();
    undoEdit();
    await saving;
    expect(await storedSizes()).toEqual([4, 8]);
    expect(shownSizes()).toEqual([5, 7]);
    undoEdit();
    expect(shownSizes()).toEqual([5, 7]);
    redoEdit();
    expect(isEdited(store.get())).toBe(false);
  });

  it('undoes to the saved state even if an edit was undone while saving', async () => {
    moveZip(0, 2);
    const saving = savePlan();
    undoEdit();
    moveZip(6, 1);
    await saving;
    expect(shownSizes()).toEqual([7, 5]);
    undoAll();
    expect(isEdited(store.get())).toBe(false);
    expect(shownSizes()).toEqual(await storedSizes());
  });

  it('doesn’t touch a plan that was opened while saving', async () => {
    moveZip(0, 2);
    const saving = savePlan();
    store.update({ place: 'plan=another' });
    const before = store.get();
    await saving;
    expect(store.get()).toBe(before);
    expect(await storedSizes()).toEqual([5, 7]);
  });

  it('reapplies edits to another person’s version, or discards them', async () => {
    await tenant.transaction((tx) =>
      editPlan(tx, agent, id, 1, { moves: [{ zips: [zips[11]!], to: 1 }] }),
    );
    moveZip(0, 2);
    await savePlan();
    expect(store.get().dialog).toBe('conflict');
    const conflict = await loadConflict();
    expect(conflict).toMatchObject({ changedBy: 'Agent', source: { version: 2 } });
    await discardEdits(conflict);
    expect(shownSizes()).toEqual([7, 5]);
    await reapplyEdits(conflict);
    undoAll();
    expect(shownSizes()).toEqual([7, 5]);
    redoEdit();
    await savePlan();
    expect(await storedSizes()).toEqual([6, 6]);
  });

  it('says why it can’t save, and keeps the edits', async () => {
    await tenant.transaction(async (tx) =>
      tx.query('delete from territory_plans where organization_id = $1 and id = $2', [id]),
    );
    moveZip(0, 2);
    await savePlan();
    expect(store.get().notice?.text).toContain('There is no plan');
    expect(isEdited(store.get())).toBe(true);
  });
});

describe('a plan that is balanced by a data set', () => {
  const balanceByJobs = async () => {
    await saveData(caller, 'jobs', Object.fromEntries(zips.map((zip, i) => [zip, i])));
    const { version } = await requests.readPlan(id);
    await requests.editPlan(id, version, { balance: 'jobs' });
  };

  it('loads its amounts if someone else started balancing by it during edits', async () => {
    await balanceByJobs();
    moveZip(0, 2);
    await savePlan();
    await reapplyEdits(await loadConflict());
    expect(store.get()).toMatchObject({ balance: 'jobs', source: { balance: 'jobs' } });
    expect(store.get().market!.columns.has('data:jobs')).toBe(true);
    expect(shownSizes()).toEqual([5, 7]);
    await savePlan();
    expect(await storedSizes()).toEqual([5, 7]);
  });

  it('is compared with the live territories by a measure that both have', async () => {
    await balanceByJobs();
    store.update({ place: 'state=RI', source: { kind: 'live' } });
    await compareWith({ id, name: 'Jobs' });
    expect(store.get().proposal).toMatchObject({ kind: 'comparison', balance: 'households' });
  });
});

describe('new columns of the market', () => {
  it('leave the chosen balance, and don’t lose territories that load meanwhile', async () => {
    await tenant.transaction((tx) =>
      editPlan(tx, agent, id, 1, { moves: [{ zips: [zips[0]!], to: 2 }] }),
    );
    store.update({ balance: 'population' });
    const reloading = reloadDraft();
    await reloadColumns(false);
    await reloading;
    expect(shownSizes()).toEqual([5, 7]);
    expect(store.get()).toMatchObject({ balance: 'population', source: { version: 2 } });
    await Promise.all([reloadColumns(false), reloadColumns(true)]);
    expect(store.get().market!.columns.has('data:jobs')).toBe(true);
  });
});

it('Opening, saving, and comparing plans uses up no figures', async () => {
  const seen = async () =>
    (await figuresMeterOf({ tenant, subscription: { monthlyZips: 2_500 } })).zipsSeen;
  await loadDraft(`plan=${id}`, market);
  moveZip(0, 2);
  await savePlan();
  const { id: copy } = await requests.createPlan({ name: `Copy ${count}`, copyOf: id });
  await compareWith({ id: copy, name: 'Copy' });
  expect(store.get().proposal).not.toBeNull();
  expect(await seen()).toBe(0);
  await fetch(`/agent/plans/${id}`, {});
  expect(await seen()).toBe(zips.length);
});
