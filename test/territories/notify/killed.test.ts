/**
 * Processes of the service are killed between the commits of events and the sending of emails. On the embedded
 * database, the service also creates the demo organization, whose own notifications don't count here.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { addMember } from '../../../src/people/account/members.ts';
import type { Actor } from '../../../src/people/account/caller.ts';
import { changeSettings } from '../../../src/territories/notify/settings.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { person } from '../../people/account/organizations.ts';
import { testDatabase } from '../../support/database.ts';
import { startService, type RunningService } from '../../support/processes.ts';
import { startSmtp, waitFor } from '../../support/servers/smtp.ts';
import { organizationWith } from '../brands/organization.ts';
import { passTime } from './passing-time.ts';

const ROUNDS = 4;
const REQUESTS = 60;

const { db, env } = await testDatabase('sample', { own: true });
const smtp = await startSmtp();
const settings = { ...env, SMTP_URL: smtp.url, MAIL_FROM: 'Territory <territory@example.com>' };

it('tell every reviewer of every request once, by as many emails as were queued', async () => {
  const {
    tenant,
    brands: [brand],
  } = await organizationWith(db, 'North');
  const owner = await addMember(tenant, person('Olga', 'owner'));
  const rita = await addMember(tenant, person('Rita', 'reviewer'));
  for (const { id } of [owner, rita]) {
    await changeSettings(tenant, id, { choices: { requests: 'now' } });
  }
  const zips = await db.query<{ zip: string }>('select zip from zips order by zip limit $1', [
    REQUESTS * ROUNDS,
  ]);
  const robot: Actor = { kind: 'operator', id: null, name: 'Op' };
  const requestSome = async (round: number) => {
    for (const { zip } of zips.slice(round * REQUESTS, (round + 1) * REQUESTS)) {
      await tenant.transaction((tx) => applyZips(tx, robot, brand, { zips: [zip] }));
      // As if the quiet minute had passed, and without a limit of emails in an hour
      await passTime(db, '2 minutes');
      await db.query(`update outbox set queued_at = queued_at - interval '2 hours'`);
    }
  };

  let service: RunningService | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    // Two processes at once, and one of them is killed in the midst of its work.
    const doomed = await startService(settings);
    service ??= await startService(settings);
    const requesting = requestSome(round);
    await delay(300 + 700 * Math.random());
    await doomed.stop('SIGKILL');
    await requesting;
    if (round === ROUNDS / 2) {
      await service.stop('SIGKILL');
      service = undefined;
    }
  }
  // What a killed process had claimed is due again when its claim ends.
  const state = async () => {
    await passTime(db, '2 minutes');
    await db.query(`update outbox set due_at = now() where done_at is null and attempts > 0
      and due_at > now() + interval '100 seconds'`);
    const [row] = await db.query<{ told: number; unsent: number; emails: number; waiting: number }>(
      `select count(*) as told, count(*) filter (where email_id is null) as unsent,
         count(distinct email_id) as emails,
         (select count(*) from outbox where done_at is null) as waiting
       from notifications where organization_id = $1`,
      [tenant.organizationId],
    );
    return row!;
  };
  const done = await waitFor(async () => {
    await delay(500);
    const now = await state();
    return now.told === 2 * zips.length && now.unsent === 0 && now.waiting === 0 ? now : undefined;
  });
  await service?.stop();

  const sent = await db.query<{ outcome: string }>(
    `select outcome from outbox where kind = 'notifications' and recipient = any($1)`,
    [[owner.email, rita.email]],
  );
  expect(sent).toHaveLength(done.emails);
  expect(new Set(sent.map(({ outcome }) => outcome))).toEqual(new Set(['sent']));
  // A message that was accepted right before a kill is sent again under the same id, which mail programs recognize.
  const received = smtp.received.filter(({ to }) => [owner.email, rita.email].includes(to));
  const ids = new Set(received.map(({ headers }) => headers['message-id']));
  expect(ids.size).toBe(done.emails);
  expect(new Set(received.map(({ to }) => to)).size).toBe(2);
});
