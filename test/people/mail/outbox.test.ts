import { beforeEach, describe, expect, it } from 'vitest';
import {
  claimMail,
  CLAIM_SECONDS,
  finishMail,
  MAX_FROM_STRANGERS,
  MAX_PER_HOUR,
  MAX_WAITING,
  postponeMail,
  queueMail,
  retrySeconds,
} from '../../../src/people/mail/outbox.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { newOrganization } from '../account/organizations.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('empty');
beforeEach(() => db.query('delete from outbox'));

const mail = (recipient: string) => ({ kind: 'test', recipient, data: { a: 1 }, hours: 1 });

describe('the outbox', () => {
  it('hands each message to one process', async () => {
    for (let i = 0; i < 12; i++) await queueMail(db, mail(`pat${i}@example.com`));
    const claimed = await Promise.all(Array.from({ length: 20 }, () => claimMail(db)));
    // Which of them get a message depends on their connections.
    const messages = claimed.filter((one) => one !== null);
    expect(messages).toHaveLength(12);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(12);
    for (const message of messages) {
      expect(message).toMatchObject({ kind: 'test', data: { a: 1 }, attempts: 1, expired: false });
    }
  });

  it('gives the message of a dead process to another one, whose result counts', async () => {
    await queueMail(db, mail('pat@example.com'));
    const dead = (await claimMail(db))!;
    expect(await claimMail(db)).toBeNull();
    await db.query(`update outbox set due_at = due_at - $1::int * interval '1 second'`, [
      CLAIM_SECONDS,
    ]);
    const alive = (await claimMail(db))!;
    expect(alive).toMatchObject({ id: dead.id, attempts: 2 });
    await postponeMail(db, dead, 0, 'too late');
    await finishMail(db, dead, 'refused', 'too late');
    expect(await claimMail(db)).toBeNull();
    await finishMail(db, alive, 'sent');
    expect(await db.query('select outcome, problem, data from outbox')).toEqual([
      { outcome: 'sent', problem: null, data: {} },
    ]);
  });

  it('tries again later, less and less often', async () => {
    await queueMail(db, mail('pat@example.com'));
    await postponeMail(db, (await claimMail(db))!, 30, 'mailbox full');
    expect(await claimMail(db)).toBeNull();
    await db.query(`update outbox set due_at = due_at - interval '30 seconds'`);
    expect(await claimMail(db)).toMatchObject({ attempts: 2 });
    expect([1, 2, 3, 7, 8, 100].map(retrySeconds)).toEqual([30, 60, 120, 1920, 3600, 3600]);
  });

  it('limits the messages of a kind to one address, in any spelling', async () => {
    const queue = (recipient: string, kind = 'test') => queueMail(db, { ...mail(recipient), kind });
    for (let i = 0; i < MAX_PER_HOUR; i++) expect(await queue('pat@example.com')).toBe(true);
    await finishMail(db, (await claimMail(db))!, 'sent');
    expect(await queue('PAT@example.com')).toBe(false);
    expect(await queue('pat@example.com', 'other')).toBe(true);
    expect(await queue('sam@example.com')).toBe(true);
    await db.query(`update outbox set queued_at = queued_at - interval '1 hour'`);
    expect(await queue('pat@example.com')).toBe(true);
  });

  it('holds a limited number of messages, and strangers fill at most half', async () => {
    const fill = (from: number, to: number) =>
      db.query(
        `insert into outbox (kind, recipient, expires_at)
         select 'test', i || '@example.com', now() + interval '1 hour'
         from generate_series($1::int, $2::int) i`,
        [from, to],
      );
    const sentByStranger = (name: string) =>
      queueMail(db, { ...mail(`${name}@example.com`), fromStranger: true });
    await fill(2, MAX_FROM_STRANGERS);
    expect(await sentByStranger('eve')).toBe(true);
    expect(await sentByStranger('mallory')).toBe(false);
    await fill(MAX_FROM_STRANGERS + 2, MAX_WAITING);
    expect(await queueMail(db, mail('pat@example.com'))).toBe(true);
    expect(await queueMail(db, mail('sam@example.com'))).toBe(false);
    await finishMail(db, (await claimMail(db))!, 'sent');
    expect(await queueMail(db, mail('sam@example.com'))).toBe(true);
  });

  it('queues messages in a transaction of an organization, and returns the result', async () => {
    const { organization } = await newOrganization(db);
    const tenant = tenantOf(db, organization.id);
    const queue = (work: () => void) =>
      tenant.transaction(async (tx) => {
        expect(await queueMail(tx.common, mail('pat@example.com'))).toBe(true);
        work();
      });
    const failed = queue(() => {
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await claimMail(db)).toBeNull();
    await queue(() => {});
    expect(await claimMail(db)).toMatchObject({ recipient: 'pat@example.com' });
  });
});
