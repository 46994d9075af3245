/**
 * Processes that change something and send events are killed at any moment, also between a commit and its sending. Each
 * committed change has exactly one event, each event arrives, and those of a brand arrive in order.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { listEvents } from '../../../src/people/events/events.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import {
  createEndpoint,
  findEndpoint,
} from '../../../src/territories/notify/webhooks/endpoints.ts';
import { webhookSecretBox } from '../../../src/territories/notify/webhooks/secrets.ts';
import { testDatabase } from '../../support/database.ts';
import { localCertificate } from '../../support/servers/certificate.ts';
import { organizationWith, reviewer } from '../brands/organization.ts';

const { db, env } = await testDatabase('empty', { own: true });

interface Arrival {
  code: string;
  brandId: string;
}
const arrivals: Arrival[] = [];
const { key, cert } = localCertificate();
const server = createServer({ key, cert }, async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  const { code, brand } = JSON.parse(body).data;
  arrivals.push({ code, brandId: brand.id });
  // Leaves time to be killed before the answer, and loses some answers.
  await delay(10 * Math.random());
  if (Math.random() < 0.1) response.socket!.destroy();
  else response.writeHead(204).end();
});
await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));

const running = new Set<ChildProcess>();
async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
  running.delete(child);
}
afterAll(async () => {
  await Promise.all([...running].map(kill));
  server.closeAllConnections();
  server.close();
});

const MODULES = JSON.stringify(
  Object.fromEntries(
    Object.entries({
      database: 'base/db/database.ts',
      log: 'base/observe/log.ts',
      tenant: 'people/account/tenant.ts',
      links: 'territories/share/links.ts',
      fetch: 'base/outside/public-fetch.ts',
      secrets: 'territories/notify/webhooks/secrets.ts',
      sender: 'territories/notify/webhooks/sender.ts',
    }).map(([name, module]) => [name, compiledModule(module)]),
  ),
);

const ROUNDS = 6;

it('No change loses its event, and no event arrives out of order', async () => {
  const { tenant, brands } = await organizationWith(db, 'North', 'South');
  const { id } = await tenant.transaction((tx) =>
    createEndpoint(
      tx,
      reviewer.actor,
      { url: `https://localhost:${(server.address() as AddressInfo).port}/` },
      webhookSecretBox([]),
    ),
  );
  const acknowledged = new Set<string>();
  /** @returns once it works */
  async function startProcess(shares: boolean): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      [
        projectFile('test/territories/notify/killed-process.mjs'),
        MODULES,
        tenant.organizationId,
        brands.map((brand) => brand.id).join(),
        cert,
        shares ? 'yes' : 'no',
      ],
      { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    running.add(child);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const lines = output.split('\n');
      output = lines.pop()!;
      for (const line of lines) if (line !== 'started') acknowledged.add(line);
    });
    await once(child.stdout, 'data');
    return child;
  }
  /** A minute later, the claims of killed processes have ended. */
  const endClaims = () =>
    db.query('update webhook_endpoints set claimed_until = now() where claimed_until > now()');

  for (let round = 0; round < ROUNDS; round++) {
    const children = await Promise.all([startProcess(true), startProcess(true)]);
    await delay(200 + 400 * Math.random());
    await Promise.all(children.map(kill));
    await endClaims();
  }
  const last = await startProcess(false);
  const isDone = async () => {
    const { waiting, deliveredAt } = await findEndpoint(tenant, id);
    const rows = await db.query<{ behind: number }>(
      `select last.position - e.position as behind from webhook_endpoints e
         join event_positions last using (organization_id)`,
    );
    return deliveredAt !== null && waiting === 0 && rows[0]!.behind === 0;
  };
  await expect.poll(isDone, { interval: 200 }).toBe(true);
  await kill(last);

  const events: string[] = [];
  const ofBrand = new Map<string, string[]>(brands.map((brand) => [brand.id, []]));
  for (let after = 0; ;) {
    const page = await listEvents(tenant, after, 1_000);
    if (page.events.length === 0) break;
    after = page.nextAfter;
    for (const { brandId, data } of page.events) {
      const { code } = data as { code: string };
      events.push(code);
      ofBrand.get(brandId!)!.push(code);
    }
  }
  const links = await db.query<{ code: string }>('select code from share_links');
  expect(events.toSorted()).toEqual(links.map(({ code }) => code).toSorted());
  expect([...acknowledged].filter((code) => !events.includes(code))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(ROUNDS);
  expect(new Set(arrivals.map(({ code }) => code))).toEqual(new Set(events));
  for (const [brandId, codes] of ofBrand) {
    const arrived = arrivals.filter((one) => one.brandId === brandId).map(({ code }) => code);
    expect([...new Set(arrived)]).toEqual(codes);
    // Repetitions are of the event that was under way: none arrives after a later one.
    const positions = arrived.map((code) => codes.indexOf(code));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  }
});
