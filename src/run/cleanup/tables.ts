/**
 * Every table, by what happens to its rows with time: either they are deleted when they expire, or they
 * stay, for the reason that is given here. A test compares these lists with the schema.
 */
import { UNFINISHED_APPS } from '../../people/account/authenticator-app.ts';
import { EXPIRED_ATTEMPTS } from '../../people/account/company-sign-in/attempts.ts';
import { UNCONFIRMED_SIGN_INS } from '../../people/account/company-sign-in/grants.ts';
import { USED_LOGOUTS } from '../../people/account/company-sign-in/logout.ts';
import { ENDED_INVITATIONS } from '../../people/account/invitations.ts';
import { FORGOTTEN_BROWSERS } from '../../people/account/known-browsers.ts';
import { EXPIRED_CHALLENGES } from '../../people/account/passkeys.ts';
import { EXPIRED_PASSWORD_LINKS } from '../../people/account/password-links.ts';
import { EXPIRED_SIGN_UPS } from '../../people/account/pending-sign-ups.ts';
import { ENDED_SESSIONS } from '../../people/account/sessions.ts';
import { OLD_CALLS } from '../../people/metering/idempotent.ts';
import type { ExpiringRows } from '../../base/db/expiring-rows.ts';
import { OLD_EVENTS } from '../../people/events/events.ts';
import { DONE_MAIL, UNSENT_MAIL } from '../../people/mail/outbox.ts';
import { ENDED_COUNTERS } from '../../people/metering/key-limits.ts';
import { ABANDONED_RESERVATIONS } from '../../people/metering/units.ts';
import { OLD_USAGE } from '../../people/metering/usage-days.ts';
import { PAST_LEDGERS } from '../../people/metering/zip-ledger.ts';
import { EXPIRED_CONNECTIONS } from '../../people/account/connections/connections.ts';
import { EXPIRED_RECORDS } from '../../people/account/connections/records.ts';
import { OLD_DUE_EMAILS } from '../../territories/notify/due-emails.ts';
import { OLD_NOTIFICATIONS } from '../../territories/notify/notifications.ts';
import { OLD_UNSUBSCRIBE_LINKS } from '../../territories/notify/unsubscribe.ts';
import { OLD_LAYOUTS } from '../../maps/layouts/store.ts';
import { OLD_PICTURES } from '../../territories/static/paid-pictures.ts';
import { LONG_ENDED_RESERVES } from '../../territories/brands/groups/reserves.ts';
import { OLD_QUESTIONS } from '../../territories/serving/locator-questions.ts';
import { EXPIRED_REPORTS } from '../../territories/brands/import/reports.ts';

export const EXPIRING: readonly ExpiringRows[] = [
  ENDED_SESSIONS,
  EXPIRED_PASSWORD_LINKS,
  EXPIRED_SIGN_UPS,
  ENDED_INVITATIONS,
  FORGOTTEN_BROWSERS,
  UNFINISHED_APPS,
  EXPIRED_CHALLENGES,
  EXPIRED_ATTEMPTS,
  UNCONFIRMED_SIGN_INS,
  USED_LOGOUTS,
  EXPIRED_RECORDS,
  EXPIRED_CONNECTIONS,
  DONE_MAIL,
  UNSENT_MAIL,
  OLD_NOTIFICATIONS,
  OLD_DUE_EMAILS,
  OLD_UNSUBSCRIBE_LINKS,
  ENDED_COUNTERS,
  ABANDONED_RESERVATIONS,
  OLD_USAGE,
  PAST_LEDGERS,
  OLD_CALLS,
  EXPIRED_REPORTS,
  OLD_LAYOUTS,
  OLD_PICTURES,
  LONG_ENDED_RESERVES,
  OLD_EVENTS,
  OLD_QUESTIONS,
];
