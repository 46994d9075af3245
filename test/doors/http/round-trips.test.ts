/**
 * How many round trips to the database a call takes. If the database is far away, they take most of the
 * call's time.
 */
import { expect, it } from 'vitest';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { cuttableDatabase } from '../../support/cuttable-database.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { drawGrid, square } from '../../territories/brands/grid.ts';

const { db: direct, env } = await testDatabase('empty', { own: true });
await drawGrid(direct, 4, 4);
await direct.query(`insert into datasets (name, vintage, synthetic)
  select name, 'none', true from unnest('{states,counties,water,roads,places}'::text[]) as name`);
const { db, proxy } = await cuttableDatabase(env);
const { api } = await serveKeyed(db);
const { key, caller } = await newKey(direct);
await createBrand(caller.tenant, { name: 'North' });

const get = (path: string) =>
  fetch(`${api}${path}`, { headers: { ...bearer(key), ...newClient() } });

const tool = (name: string) => (args: object) =>
  fetch(`${api}/mcp`, {
    method: 'POST',
    headers: { ...bearer(key), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  });

let zips = 0;
const nextZip = () => square(zips >> 2, zips++ & 3);
let views = 0;
let keys = 0;
const apply = (args: object) =>
  tool('service_apply_territory')({ brand: 'north', zips: [nextZip()], confirm: true, ...args });

it.each<[string, number, () => Promise<Response>]>([
  ['a cached public answer', 0, () => get('/map-context?bbox=-98,32,-96,34&zoom=8')],
  // Its reads and the check of the data's version
  ['a new public answer', 1, () => get(`/map-context?bbox=-98,32,-96,${34 + ++views}&zoom=8`)],
  // The key, its limits, then at the same time: the brands, the units, what used them, the figures, the data sets
  ['capabilities', 7, () => get('/agent/capabilities')],
  // The key, its limits, a reservation of units, the brands, the charge
  ['a tool that reads', 5, () => tool('service_list_brands')({})],
  // The key, its limits, a reservation, the brand, the lock with held ZIP codes, the changes with the commit
  ['a tool that writes', 6, () => apply({})],
  // One more: whether the key of the call is new
  ['a write that can be repeated', 7, () => apply({ idempotencyKey: `call ${++keys}` })],
])('%s takes %d round trips', async (_, trips, call) => {
  await call();
  const taken: number[] = [];
  for (let i = 0; i < 3; i++) {
    const before = proxy.roundTrips();
    const answer = await call();
    const body = (await answer.json()) as { result?: { isError: boolean } };
    expect([answer.status, body.result?.isError]).toEqual([200, body.result && false]);
    taken.push(proxy.roundTrips() - before);
  }
  // A connection that was idle for a second is tested first, which takes one more.
  expect(Math.min(...taken)).toBe(trips);
});
