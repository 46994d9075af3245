/** Authenticator apps: one-time codes of six digits that change every 30 seconds (TOTP, RFC 6238). */
import { Secret, TOTP } from 'otpauth';
import type { Queryable } from '../db/database.ts';
import { expiring } from '../db/expiring-rows.ts';
import { conflict } from '../errors.ts';

/** Name of the account in the app, before the email address */
const ISSUER = 'Territory Intelligence';
const PERIOD_SECONDS = 30;
/** A set-up without a code from the app is forgotten after this time. */
const SET_UP_HOURS = 24;
/** Also accepts the codes before and after the current one, for clocks that are off. */
const WINDOW = 1;

export const UNFINISHED_APPS = expiring({
  table: 'authenticator_apps',
  column: 'created_at',
  before: `now() - interval '${SET_UP_HOURS} hours'`,
  only: 'confirmed_at is null',
});

export interface AppSetUp {
  /** Base32, for typing into the app */
  secret: string;
  /** `otpauth://…`, for the QR code */
  uri: string;
}

/**
 * Returns what the app needs, the same until the person has entered a code from it.
 * @throws ServiceError 409 if an app is already set up
 */
export async function setUpApp(
  db: Queryable,
  person: { id: string; email: string },
): Promise<AppSetUp> {
  const { base32 } = new Secret({ size: 20 });
  const [row] = await db.query<{ secret: string; confirmed: boolean }>(
    `insert into authenticator_apps (person_id, secret) values ($1, $2)
     on conflict (person_id) do update set secret = authenticator_apps.secret
     returning secret, confirmed_at is not null as confirmed`,
    [person.id, base32],
  );
  const { secret, confirmed } = row!;
  if (confirmed) {
    throw conflict('An authenticator app is already set up. Remove it first to use another one.');
  }
  return { secret, uri: totpOf(secret, person.email).toString() };
}

/** Finishes the set-up. @returns false for a wrong code */
export async function confirmApp(db: Queryable, personId: string, code: string): Promise<boolean> {
  return isAccepted(db, personId, code, 'confirmed_at is null');
}

/** @returns false for a wrong code, one that was used before, or a person without an app */
export async function isAppCode(db: Queryable, personId: string, code: string): Promise<boolean> {
  return isAccepted(db, personId, code, 'confirmed_at is not null');
}

async function isAccepted(
  db: Queryable,
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
  const delta = totpOf(app.secret).validate({ token, timestamp: now, window: WINDOW });
  if (delta === null) return false;
  const step = Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
  // Of two uses of a code at once, the second finds its time step taken.
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
