/** Authenticator apps: one-time codes of six digits that change every 30 seconds (TOTP, RFC 6238). */
import { Secret, TOTP } from 'otpauth';
import type { Queryable } from '../../base/db/database.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { conflict } from '../../errors.ts';
import type { SecretBox } from './secret-box.ts';
import { boxOf, type SecretColumn } from './stored-secrets.ts';

/** Name of the account in the app, followed by the email address */
const ISSUER = 'Territory Intelligence';
const PERIOD_SECONDS = 30;
/**
 * Hours after which an unfinished setup gets a new secret. Otherwise, an intruder who used a person's session briefly
 * would know the secret of an app that the person sets up later.
 */
const SET_UP_HOURS = 1;
const LAST_SET_UP = `now() - interval '${SET_UP_HOURS} hours'`;

/** Encrypts the apps' secrets, bound to their person. A hash isn't enough, because the service computes codes. */
export const APP_SECRETS: SecretColumn = {
  noun: 'authenticator app',
  table: 'authenticator_apps',
  column: 'secret',
  owner: 'person_id',
  purpose: 'authenticator apps',
};

export const appSecretBox = (keys: readonly Uint8Array[]) => boxOf(APP_SECRETS, keys);

/** Number of codes to accept before and after the current one, for inaccurate clocks */
const WINDOW = 1;

export const UNFINISHED_APPS = expiring({
  table: 'authenticator_apps',
  column: 'created_at',
  before: LAST_SET_UP,
  only: 'confirmed_at is null',
});

export interface AppSetUp {
  /** Base32, to type into the app */
  secret: string;
  /** `otpauth://…`, for the QR code */
  uri: string;
}

/**
 * Returns the secret for the app. Within an hour, further calls return the same secret.
 * @throws ServiceError 409 if an app is already set up
 */
export async function setUpApp(
  db: Queryable,
  secrets: SecretBox,
  person: { id: string; email: string },
): Promise<AppSetUp> {
  const { base32 } = new Secret({ size: 20 });
  const [row] = await db.query<{ secret: string; confirmed: boolean }>(
    `insert into authenticator_apps as app (person_id, secret) values ($1, $2)
     on conflict (person_id) do update set
       secret = case when ${IS_OVERDUE} then excluded.secret else app.secret end,
       created_at = case when ${IS_OVERDUE} then now() else app.created_at end
     returning secret, confirmed_at is not null as confirmed`,
    [person.id, secrets.seal(base32, person.id)],
  );
  if (row!.confirmed) {
    throw conflict('An authenticator app is already set up. Remove it first to use another one.');
  }
  const secret = secrets.open(row!.secret, person.id);
  return { secret, uri: totpOf(secret, person.email).toString() };
}

const IS_OVERDUE = `(app.confirmed_at is null and app.created_at < ${LAST_SET_UP})`;

/** Deletes an app whose setup isn't finished. */
export async function abandonSetUp(db: Queryable, personId: string): Promise<void> {
  await db.query('delete from authenticator_apps where person_id = $1 and confirmed_at is null', [
    personId,
  ]);
}

/** Finishes the setup. @returns false for a wrong code */
export async function confirmApp(
  db: Queryable,
  secrets: SecretBox,
  personId: string,
  code: string,
): Promise<boolean> {
  return isAccepted(db, secrets, personId, code, 'confirmed_at is null');
}

/** Checks a code. @returns false for a wrong or used code, or a person without an app */
export async function isAppCode(
  db: Queryable,
  secrets: SecretBox,
  personId: string,
  code: string,
): Promise<boolean> {
  return isAccepted(db, secrets, personId, code, 'confirmed_at is not null');
}

async function isAccepted(
  db: Queryable,
  secrets: SecretBox,
  personId: string,
  code: string,
  state: string,
): Promise<boolean> {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return false;
  const [app] = await db.query<{ secret: string }>(
    `select secret from authenticator_apps where person_id = $1 and ${state}`,
    [personId],
  );
  if (!app) return false;
  const now = Date.now();
  const delta = totpOf(secrets.open(app.secret, personId)).validate({
    token,
    timestamp: now,
    window: WINDOW,
  });
  if (delta === null) return false;
  const step = Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
  // If a code is used twice at the same time, the second use finds its time step taken.
  const accepted = await db.query(
    `update authenticator_apps
     set last_step = $2, confirmed_at = coalesce(confirmed_at, now())
     where person_id = $1 and ${state} and coalesce(last_step, 0) < $2 returning person_id`,
    [personId, step],
  );
  return accepted.length > 0;
}

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
