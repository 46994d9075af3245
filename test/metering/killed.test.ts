import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { reserveUnits } from '../../src/metering/units.ts';
import { compiledModule, projectFile } from '../../src/paths.ts';
import { testDatabase } from '../support/database.ts';
import { expectBalanced, expireReservations, newTenant } from './usage.ts';

const { db, env } = await testDatabase('empty');
const UNITS = 3;
const AT_ONCE = 6;
const ENOUGH = 1_000_000;

/** @returns what it has told, after it was killed in the middle of its calls */
async function killedProcess(organization: string, afterCharges: number): Promise<string> {
  const modules = ['db/database.ts', 'account/tenant.ts', 'metering/units.ts'].map(compiledModule);
  const child = spawn(
    process.execPath,
    [
      projectFile('test/metering/busy-process.mjs'),
      ...modules,
      organization,
      String(UNITS),
      String(AT_ONCE),
    ],
    { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let told = '';
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint += chunk));
  child.stdout.on('data', (chunk) => {
    told += chunk;
    if (countOf(told, 'charged') >= afterCharges) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect({ signal, complaint }).toEqual({ signal: 'SIGKILL', complaint: '' });
  return told;
}

const countOf = (told: string, what: string) => told.split(`${what} `).length - 1;

it('a process killed in the middle of its calls loses and doubles nothing', async () => {
  const tenant = await newTenant(db);
  let told = '';
  for (const afterCharges of [1, 7, 20]) {
    told += await killedProcess(tenant.organizationId, afterCharges);
  }
  // What was under way when it died, the server may still end.
  await delay(200);
  await expireReservations(tenant);
  await (await reserveUnits(tenant, { monthlyUnits: ENOUGH }, 'probe', 1)).release();

  const usage = await expectBalanced(tenant);
  expect(usage.reserved).toEqual({});
  const [{ calls, units }] = (await tenant.query<{ calls: number; units: number }>(
    `select sum(calls)::int as calls, sum(units)::int as units from usage_days
     where organization_id = $1`,
  )) as [{ calls: number; units: number }];
  expect(units).toBe(UNITS * calls);
  // All that it knew to be charged is, and nothing that it never asked for.
  const known = countOf(told, 'charged') + countOf(told, 'written');
  expect(known).toBeGreaterThan(28);
  expect(calls).toBeGreaterThanOrEqual(known);
  expect(calls).toBeLessThanOrEqual(known + 3 * AT_ONCE);
  // What a call has written is there exactly if its units are charged.
  const written = await tenant.query<{ name: string }>(
    'select vertical as name from targeting_profiles where organization_id = $1',
  );
  const names = new Set(written.map(({ name }) => name));
  const missing = [...told.matchAll(/written (\S+)/g)].filter(([, name]) => !names.has(name!));
  expect(missing).toEqual([]);
  const knownReads = countOf(told, 'charged');
  expect(calls - written.length).toBeGreaterThanOrEqual(knownReads);
  expect(calls - written.length).toBeLessThanOrEqual(knownReads + 3 * AT_ONCE);
});
