/** The service with email, sent through a real SMTP server. */
import { afterAll } from 'vitest';
import { composerOf } from '../../src/account/letters/compose.ts';
import type { Database } from '../../src/db/database.ts';
import { startSender } from '../../src/mail/sender.ts';
import { smtpAt } from '../../src/mail/smtp.ts';
import { serveKeyed, type KeyedApp } from './keyed-app.ts';
import { testLog } from './log.ts';
import { startSmtp, type TestSmtp } from './smtp.ts';

export interface MailingApp extends KeyedApp {
  /** Root of the site */
  site: string;
  smtp: TestSmtp;
}

export async function serveMailing(db: Database): Promise<MailingApp> {
  const smtp = await startSmtp();
  const app = await serveKeyed(db, { sendsMail: true });
  const site = `http://127.0.0.1:${app.port}`;
  const sender = startSender({
    db,
    smtp: smtpAt(smtp.url, 'Territory <territory@example.com>'),
    compose: composerOf(db, () => site),
    log: testLog(),
    sender: 'Territory',
  });
  afterAll(() => sender.close());
  return { ...app, site, smtp };
}
