/** Starts sending email if the settings contain an SMTP server. */
import type { Logger } from 'pino';
import { accountWriters } from '../account/letters/compose.ts';
import type { Config } from '../config.ts';
import type { Sender, Writers } from '../mail/sender.ts';
import { offMailWriters } from '../notify/webhooks/off-mail.ts';
import { notificationWriters, type LetterParts } from '../notify/letters/writers.ts';
import { SERVICE_NAME } from '../text/service-name.ts';

/** Writes the emails of all rooms. */
export const writersOf = (parts: LetterParts): Writers => ({
  ...accountWriters(parts.db, parts.page),
  ...notificationWriters(parts),
  ...offMailWriters(parts.page),
});

export async function startMailer(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  parts: LetterParts,
  log: Logger,
): Promise<Sender> {
  if (smtpUrl === undefined) return { close: async () => {} };
  const [{ smtpAt }, { startSender }] = await Promise.all([
    import('../mail/smtp.ts'),
    import('../mail/sender.ts'),
  ]);
  const smtp = smtpAt(smtpUrl, mailFrom!);
  const writers = writersOf(parts);
  return startSender({ db: parts.db, smtp, writers, log, sender: SERVICE_NAME });
}
