/**
 * Jobs that agents do for people, knowing only `tools/list`. Each must succeed without an error, in few
 * calls. The output ends with a table of their costs.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { driveTimesFrom } from '../../../../src/data/routing/drive-times.ts';
import { formatTable } from '../../../../src/doors/cli/table.ts';
import { testDatabase } from '../../../support/database.ts';
import { startRouter } from '../../../support/servers/router.ts';
import { modernClient, serveDemo } from '../service.ts';
import { agentOf, type Cost, type Job } from './agent.ts';
import { DAILY_JOBS } from './daily.ts';
import { REPORTED_JOBS } from './reported.ts';
import { unitsUsed } from '../../../people/metering/units-used.ts';

const { db } = await testDatabase('sample');
const router = await startRouter();
const driveTimes = driveTimesFrom({ url: router.url, engine: 'osrm', timeoutMs: 5_000 });
const { url, tenant, anotherKey } = await serveDemo(db, { driveTimes });

const costs: (Cost & { name: string; units: number })[] = [];

async function expectSuccess({ name, run, calls }: Job): Promise<void> {
  const before = await unitsUsed(tenant);
  const client = await modernClient(url, await anotherKey());
  const { tools } = await client.list();
  const agent = agentOf(client, tools);
  try {
    await run(agent);
  } finally {
    costs.push({ name, ...agent.cost, units: (await unitsUsed(tenant)) - before });
    await client.close();
  }
  expect(agent.cost.errors).toBe(0);
  expect(agent.cost.calls).toBeLessThanOrEqual(calls);
}

describe('a reported job: an agent finds out', () => {
  it.each(REPORTED_JOBS.map((job) => [job.name, job] as const))('%s', (_, job) =>
    expectSuccess(job),
  );
});

describe('a daily job: an agent finds out', () => {
  it.each(DAILY_JOBS.map((job) => [job.name, job] as const))('%s', (_, job) => expectSuccess(job));
});

afterAll(() => {
  const layout = { width: 160, paint: (_: unknown, text: string) => text };
  const total = costs.reduce(
    (sum, { calls, errors, units, tokens }) => ({
      name: 'all',
      calls: sum.calls + calls,
      errors: sum.errors + errors,
      units: sum.units + units,
      tokens: sum.tokens + tokens,
    }),
    { name: 'all', calls: 0, errors: 0, units: 0, tokens: 0 },
  );
  const table = formatTable(layout as Parameters<typeof formatTable>[0], [...costs, total], {
    Job: 'name',
    Calls: 'calls',
    Errors: 'errors',
    Units: 'units',
    Tokens: 'tokens',
  });
  process.stdout.write(`\n${table}\n\n`);
});
