/** The service with email, sent through a real SMTP server. */
import { afterAll } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import type { Database } from '../../src/base/db/database.ts';
import { startSender } from '../../src/people/mail/sender.ts';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import { inProcessRenderer } from '../../src/render/engines.ts';
import { writersOf } from '../../src/run/start/background.ts';
import { smtpAt } from '../../src/people/mail/smtp.ts';
import { serveKeyed, type KeyedApp } from './keyed-app.ts';
import { testLog } from './log.ts';
import { startSmtp, waitFor, type ReceivedMail, type TestSmtp } from './servers/smtp.ts';

export interface MailingApp extends KeyedApp {
  /** Root of the site */
  site: string;
  smtp: TestSmtp;
  /** Waits for the next message to a person, and takes it. */
  mailTo(person: { email: string }): Promise<ReceivedMail>;
  /** Waits until every queued message is done. */
  allSent(): Promise<true>;
}

export async function serveMailing(
  db: Database,
  more: Partial<AppParts> = {},
): Promise<MailingApp> {
  const smtp = await startSmtp();
  const app = await serveKeyed(db, { sendsMail: true, ...more });
  const renderer = mapsWith(inProcessRenderer());
  const site = `http://127.0.0.1:${app.port}`;
  const sender = startSender({
    db,
    smtp: smtpAt(smtp.url, 'Territory <territory@example.com>'),
    writers: writersOf({ db, renderer, page: (path) => site + path }),
    log: testLog(),
    sender: 'Territory',
  });
  afterAll(() => sender.close());
  const mailTo = ({ email }: { email: string }) =>
    waitFor(() => {
      const at = smtp.received.findIndex(({ to }) => to === email);
      return at < 0 ? undefined : smtp.received.splice(at, 1)[0];
    });
  const allSent = () =>
    waitFor(async () => {
      const waiting = await db.query('select from outbox where done_at is null');
      return waiting.length === 0 ? true : undefined;
    });
  return { ...app, site, smtp, mailTo, allSent };
}
