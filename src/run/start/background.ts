/** What a process does besides answering requests: emails, notifications, webhooks, checks, and cleaning. */
import type { Logger } from 'pino';
import { issuerFetch } from '../../base/outside/issuer-fetch.ts';
import { publicFetch, requirePublicHost } from '../../base/outside/public-fetch.ts';
import { txtLookup } from '../../base/outside/txt-records.ts';
import { SERVICE_NAME } from '../../base/text/service-name.ts';
import type { Loop } from '../../base/workers/loops.ts';
import type { Database } from '../../base/db/database.ts';
import type { Config } from '../../config.ts';
import { startCompanyChecker } from '../../people/account/company-sign-in/checker.ts';
import { companySecretBox, type CompanyParts } from '../../people/account/company-sign-in/parts.ts';
import { accountWriters } from '../../people/account/letters/compose.ts';
import type { Writers } from '../../people/mail/sender.ts';
import { notificationWriters, type LetterParts } from '../../territories/notify/letters/writers.ts';
import { startScheduler } from '../../territories/brands/changes/scheduler.ts';
import { startNotifier } from '../../territories/notify/notifier.ts';
import type { WebhookParts } from '../../territories/notify/webhooks/manage.ts';
import { candidateWriters } from '../../territories/serving/locator-mail.ts';
import { offMailWriters } from '../../territories/notify/webhooks/off-mail.ts';
import { webhookSecretBox } from '../../territories/notify/webhooks/secrets.ts';
import { startWebhookSender } from '../../territories/notify/webhooks/sender.ts';
import type { Layouts } from '../../maps/cartography/map-data.ts';
import { startLayoutsAhead } from '../../maps/layouts/ahead.ts';
import { startCleaner } from '../cleanup/cleaner.ts';
import type { ServiceMaps } from './renderer.ts';

export const webhookPartsOf = ({ secretKeys }: Config): WebhookParts => ({
  box: webhookSecretBox(secretKeys),
  fetch: publicFetch(),
  requireHost: requirePublicHost,
});

export const companyPartsOf = (
  { issuerNetworks, secretKeys }: Config,
  db: Database,
  log: Logger,
): CompanyParts => ({
  db,
  fetch: issuerFetch(issuerNetworks),
  secrets: companySecretBox(secretKeys),
  log,
  lookUpTxt: txtLookup(),
});

/** Writes the emails of all rooms. */
export const writersOf = (parts: LetterParts): Writers => ({
  ...accountWriters(parts.db, parts.page),
  ...notificationWriters(parts),
  ...offMailWriters(parts.page),
  ...candidateWriters(parts.page),
});

interface BackgroundParts extends LetterParts {
  renderer: ServiceMaps;
  layouts: Layouts;
  webhooks: WebhookParts;
  company: CompanyParts;
}

export async function startBackground(
  { smtpUrl, mailFrom }: Config,
  { webhooks, company, layouts, ...parts }: BackgroundParts,
  log: Logger,
): Promise<Pick<Loop, 'close'>> {
  const { db } = parts;
  const sendsMail = smtpUrl !== undefined;
  const loops = [
    startScheduler({ db, log }),
    startNotifier({ db, log, sendsMail }),
    startWebhookSender({ db, log, ...webhooks, sendsMail }),
    startCompanyChecker(company),
    startCleaner({ db, log }),
    startLayoutsAhead({ db, log, layouts, renderer: parts.renderer }),
  ];
  if (smtpUrl !== undefined) {
    const [{ smtpAt }, { startSender }] = await Promise.all([
      import('../../people/mail/smtp.ts'),
      import('../../people/mail/sender.ts'),
    ]);
    const smtp = smtpAt(smtpUrl, mailFrom!);
    loops.push(startSender({ db, smtp, writers: writersOf(parts), log, sender: SERVICE_NAME }));
  }
  return {
    close: async (graceMs) => void (await Promise.all(loops.map((loop) => loop.close(graceMs)))),
  };
}
