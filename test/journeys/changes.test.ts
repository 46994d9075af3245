/**
 * A plan of four brands that is approved in one step, goes live on its day across a restart of the service, and is undone
 * by one command.
 */
import { expect, it } from 'vitest';
import { mintKey } from '../../src/people/account/keys.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { approveChange } from '../../src/territories/brands/changes/decide.ts';
import { findChange } from '../../src/territories/brands/changes/read.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, newKey } from '../support/keyed-app.ts';
import { runAdmin, startService } from '../support/processes.ts';
import { dayComes, nextYear, statesOf } from '../territories/brands/changes/setting.ts';
import { hold } from '../territories/brands/holding.ts';
import { DALLAS, reviewer } from '../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample', { own: true });
const ZIPS = DALLAS.slice(0, 8);

it('A plan of four brands is approved as one, live on a day across a restart, and undone', async () => {
  const { caller } = await newKey(db);
  const { tenant, organization } = caller;
  const { key } = await mintKey(tenant, { name: 'Planner', brands: 'all', mayWrite: true });
  const brands = await Promise.all(
    ['North', 'East', 'South', 'West'].map((name) => createBrand(tenant, { name })),
  );
  for (const [i, brand] of brands.entries()) {
    await hold(tenant, brand, ZIPS.slice(2 * i, 2 * i + 2));
  }
  const territories = async () => {
    const states = await Promise.all(brands.map((brand) => statesOf(tenant, brand)));
    return states.map((zips) => Object.keys(zips).filter((zip) => zips[zip] === 'live'));
  };
  const before = await territories();

  let service = await startService(env);
  const ask = async (path: string, body: object): Promise<Record<string, any>> => {
    const response = await fetch(`${service.url}/agent${path}`, {
      method: 'POST',
      headers: { ...bearer(key), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, any>;
    expect([response.status, answer['error']]).toEqual([200, undefined]);
    return answer;
  };
  // Each brand passes its second ZIP code on to the next one.
  const { id: plan } = await ask('/plans', { name: 'Turn', zips: ZIPS, start: 'live' });
  const { territories: drawn } = await fetch(`${service.url}/agent/plans/${plan}`, {
    headers: bearer(key),
  }).then(
    (response) => response.json() as Promise<{ territories: { number: number; brand: string }[] }>,
  );
  const numberOf = (i: number) => drawn.find(({ brand }) => brand === brands[i % 4]!.slug)!.number;
  const moves = brands.map((_, i) => ({ zips: [ZIPS[2 * i + 1]!], to: numberOf(i + 1) }));
  await ask(`/plans/${plan}`, { version: 1, moves });
  const { day } = await nextYear(tenant);
  const applied = await ask(`/plans/${plan}/apply`, { version: 2, on: day, confirm: true });
  expect(applied).toMatchObject({ change: { status: 'waiting', on: day } });
  const id = applied['change'].id as string;

  await tenant.transaction((tx) => approveChange(tx, reviewer, id));
  expect(await territories()).toEqual(before);
  await service.stop();
  // The day begins while the service is down.
  await dayComes(tenant, id);
  service = await startService(env);
  await expect.poll(async () => (await findChange(tenant, 'all', id)).status).toBe('live');
  expect(await territories()).toEqual(
    brands.map((_, i) => [ZIPS[2 * i]!, ZIPS[(2 * i + 7) % 8]!].sort()),
  );

  const undone = await runAdmin(['undo', id, '--org', organization.slug], env);
  expect(undone.code).toBe(0);
  expect(undone.stdout.match(/restored/g)).toHaveLength(4);
  expect(await territories()).toEqual(before);
  await service.stop();
});
