/**
 * Every table, by what happens to its rows with time: either they are deleted when they expire, or they
 * stay, for the reason that is given here. A test compares these lists with the schema.
 */
import { UNFINISHED_APPS } from '../account/authenticator-app.ts';
import { EXPIRED_ATTEMPTS } from '../account/company-sign-in/attempts.ts';
import { UNCONFIRMED_SIGN_INS } from '../account/company-sign-in/grants.ts';
import { USED_LOGOUTS } from '../account/company-sign-in/logout.ts';
import { ENDED_INVITATIONS } from '../account/invitations.ts';
import { FORGOTTEN_BROWSERS } from '../account/known-browsers.ts';
import { EXPIRED_CHALLENGES } from '../account/passkeys.ts';
import { EXPIRED_PASSWORD_LINKS } from '../account/password-links.ts';
import { EXPIRED_SIGN_UPS } from '../account/pending-sign-ups.ts';
import { ENDED_SESSIONS } from '../account/sessions.ts';
import { OLD_CALLS } from '../agent/idempotent.ts';
import type { ExpiringRows } from '../db/expiring-rows.ts';
import { OLD_EVENTS } from '../events/events.ts';
import { DONE_MAIL, UNSENT_MAIL } from '../mail/outbox.ts';
import { ENDED_COUNTERS } from '../metering/key-limits.ts';
import { ABANDONED_RESERVATIONS } from '../metering/units.ts';
import { OLD_USAGE } from '../metering/usage-days.ts';
import { PAST_LEDGERS } from '../metering/zip-ledger.ts';
import { EXPIRED_CONNECTIONS } from '../account/connections/connections.ts';
import { EXPIRED_RECORDS } from '../account/connections/records.ts';
import { OLD_NOTIFICATIONS } from '../notify/notifications.ts';
import { OLD_UNSUBSCRIBE_LINKS } from '../notify/unsubscribe.ts';
import { OLD_PICTURES } from '../static/paid-pictures.ts';
import { LONG_ENDED_RESERVES } from '../territory/groups/reserves.ts';
import { EXPIRED_REPORTS } from '../territory/import/reports.ts';

export const EXPIRING: readonly ExpiringRows[] = [
  ...[ENDED_SESSIONS, EXPIRED_PASSWORD_LINKS, EXPIRED_SIGN_UPS, ENDED_INVITATIONS],
  ...[FORGOTTEN_BROWSERS, UNFINISHED_APPS, EXPIRED_CHALLENGES],
  ...[EXPIRED_ATTEMPTS, UNCONFIRMED_SIGN_INS, USED_LOGOUTS],
  ...[EXPIRED_RECORDS, EXPIRED_CONNECTIONS],
  ...[DONE_MAIL, UNSENT_MAIL, OLD_NOTIFICATIONS, OLD_UNSUBSCRIBE_LINKS],
  ...[ENDED_COUNTERS, ABANDONED_RESERVATIONS, OLD_USAGE, PAST_LEDGERS],
  ...[OLD_CALLS, EXPIRED_REPORTS, OLD_PICTURES, LONG_ENDED_RESERVES, OLD_EVENTS],
];

/** Why rows stay, with the tables that this applies to */
export const KEPT: Readonly<Record<string, readonly string[]>> = {
  'Replaced by imports and migrations': [
    ...['datasets', 'zips', 'zip_boundaries', 'zip_neighbors', 'border_graph'],
    ...['zip_demographics', 'zip_scores', 'zip_directory'],
    ...['metros', 'metro_counties', 'basemap_features', 'basemap_shapes', 'schema_migrations'],
  ],
  'In force until a person changes or ends it': [
    ...['organizations', 'plans', 'people', 'memberships', 'api_keys', 'api_key_brands', 'brands'],
    ...[
      'territory_plans',
      'plan_territories',
      'brand_looks',
      'targeting_profiles',
      'notification_settings',
      'passkeys',
      'recovery_codes',
      'signing_secrets',
      'company_sign_ins',
      'company_domains',
      'company_identities',
      'data_sets',
      'data_set_uploads',
      'brand_groups',
      'brand_group_brands',
      'webhook_endpoints',
    ],
  ],
  'The territories and their history, which people look up years later': [
    ...[
      'brand_zips',
      'reviews',
      'activity',
      'share_links',
      'share_link_zips',
      'plan_shares',
      'plan_data_sets',
    ],
  ],
  'A removal can be undone at any time': ['removals', 'removal_zips'],
  'The limit of the month refers to it; one row a month': ['data_set_rows'],
  'Bills refer to it; one row a month': ['usage_periods'],
  'Readers of events continue after it; one row': ['event_positions', 'notified_events'],
  'Deleted with their events': ['webhook_deliveries'],
  'One row': ['oauth_cookie_key', 'leases'],
};
