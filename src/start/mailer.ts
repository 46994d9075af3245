/** Starts sending email if the settings contain an SMTP server. */
import type { Logger } from 'pino';
import { composerOf } from '../account/letters/compose.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Sender } from '../mail/sender.ts';
import { SERVICE_NAME } from '../text/service-name.ts';

/** @param site URL of the site, without a trailing slash */
export async function startMailer(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  db: Database,
  log: Logger,
  site: () => string,
): Promise<Sender> {
  if (smtpUrl === undefined) return { close: async () => {} };
  const [{ smtpAt }, { startSender }] = await Promise.all([
    import('../mail/smtp.ts'),
    import('../mail/sender.ts'),
  ]);
  const smtp = smtpAt(smtpUrl, mailFrom!);
  return startSender({ db, smtp, compose: composerOf(db, site), log, sender: SERVICE_NAME });
}
