import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { reserveUnits } from '../../../src/people/metering/units.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import { testDatabase } from '../../support/database.ts';
import { expectBalanced, expireReservations, newTenant } from './usage.ts';

const { db, env } = await testDatabase('empty');
const UNITS = 3;
const CONCURRENCY = 6;

/** Runs calls in a process, kills it after some charges, and returns its output. */
async function runAndKill(organization: string, afterCharges: number): Promise<string> {
  const modules = [
    'base/db/database.ts',
    'people/account/tenant.ts',
    'people/metering/units.ts',
  ].map(compiledModule);
  const child = spawn(
    process.execPath,
    [
      projectFile('test/people/metering/busy-process.mjs'),
      ...modules,
      organization,
      String(UNITS),
      String(CONCURRENCY),
    ],
    { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (countOf(output, 'charged') >= afterCharges) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect({ signal, errors }).toEqual({ signal: 'SIGKILL', errors: '' });
  return output;
}

const countOf = (output: string, event: string) => output.split(`${event} `).length - 1;

it('frees the units of a killed process within seconds, without an operator', async () => {
  const tenant = await newTenant(db);
  await runAndKill(tenant.organizationId, 1);
  await delay(200);
  const [left] = await tenant.query<{ seconds: number }>(
    `select extract(epoch from max(expires_at) - now())::float8 as seconds
     from usage_reservations where organization_id = $1`,
  );
  expect(left!.seconds ?? 0).toBeLessThanOrEqual(15);
});

it('keeps the units of a long call in a process that is alive', async () => {
  const tenant = await newTenant(db);
  const reservation = await reserveUnits(tenant, { monthlyUnits: 5 }, 'slow', 5);
  const expiry = async () =>
    (
      await tenant.query<{ at: Date }>(
        'select expires_at as at from usage_reservations where organization_id = $1',
      )
    )[0]?.at;
  const first = await expiry();
  await expect.poll(expiry, { interval: 500 }).not.toEqual(first);
  await reservation.settle();
  expect(await expectBalanced(tenant)).toMatchObject({ reserved: {} });
});

it('charges each call of a killed process once or not at all', async () => {
  const tenant = await newTenant(db);
  let output = '';
  for (const afterCharges of [1, 7, 20]) {
    output += await runAndKill(tenant.organizationId, afterCharges);
  }
  // The server may still finish statements that were running when the process died.
  await delay(200);
  await expireReservations(tenant);
  const [{ calls, units }] = (await tenant.query<{ calls: number; units: number }>(
    `select sum(calls)::int as calls, sum(units)::int as units from usage_days
     where organization_id = $1`,
  )) as [{ calls: number; units: number }];
  // The last unit is left only if all expired reservations are released.
  await (await reserveUnits(tenant, { monthlyUnits: units + 1 }, 'probe', 1)).release();

  const usage = await expectBalanced(tenant);
  expect(usage.reserved).toEqual({});
  expect(units).toBe(UNITS * calls);
  // Every call reported as charged is charged. At most the running calls are charged without a report.
  const known = countOf(output, 'charged') + countOf(output, 'written');
  expect(known).toBeGreaterThan(28);
  expect(calls).toBeGreaterThanOrEqual(known);
  expect(calls).toBeLessThanOrEqual(known + 3 * CONCURRENCY);
  // A call's row exists exactly if its units are charged.
  const written = await tenant.query<{ name: string }>(
    'select vertical as name from targeting_profiles where organization_id = $1',
  );
  const names = new Set(written.map(({ name }) => name));
  const missing = [...output.matchAll(/written (\S+)/g)].filter(([, name]) => !names.has(name!));
  expect(missing).toEqual([]);
  const chargedReads = countOf(output, 'charged');
  expect(calls - written.length).toBeGreaterThanOrEqual(chargedReads);
  expect(calls - written.length).toBeLessThanOrEqual(chargedReads + 3 * CONCURRENCY);
});
