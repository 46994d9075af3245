/**
 * Second factors, which a person needs to sign in with a password. An authenticator app or a passkey turns the second
 * factor on. Recovery codes replace a lost one.
 */
import type { Database, Queryable } from '../../base/db/database.ts';
import { conflict, notFound } from '../../errors.ts';
import { sendAlert } from './alerts.ts';
import { isAppCode } from './authenticator-app.ts';
import { hasSecondFactor } from './has-second-factor.ts';
import { listPasskeys, removePasskey, type Passkey } from './passkeys.ts';
import { countRecoveryCodes, newRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import type { SecretBox } from './secret-box.ts';
import { recordChange } from './activity.ts';
import { OPERATOR, type Actor } from './caller.ts';
import type { Tenant, TenantDatabase } from './tenant.ts';

interface Mailing {
  /** Whether to queue emails about changes */
  sendsMail: boolean;
}

export interface SecondFactors {
  /** Time when the authenticator app was set up, ISO 8601; null without an app */
  appSince: string | null;
  passkeys: readonly Passkey[];
  /** Number of unused recovery codes */
  recoveryCodes: number;
}

export const isSecondFactorOn = ({ appSince, passkeys }: SecondFactors) =>
  appSince !== null || passkeys.length > 0;

export async function secondFactorsOf(db: Queryable, personId: string): Promise<SecondFactors> {
  const [app] = await db.query<{ since: Date }>(
    `select confirmed_at as since from authenticator_apps
     where person_id = $1 and confirmed_at is not null`,
    [personId],
  );
  return {
    appSince: app?.since.toISOString() ?? null,
    passkeys: await listPasskeys(db, personId),
    recoveryCodes: await countRecoveryCodes(db, personId),
  };
}

/**
 * Checks a code at sign-in and uses it up.
 * @param code code from the authenticator app, or a recovery code
 */
export async function isSecondFactor(
  db: Queryable,
  personId: string,
  code: string,
  { sendsMail, secrets }: Mailing & { secrets: SecretBox },
): Promise<boolean> {
  if (await isAppCode(db, secrets, personId, code)) return true;
  if (!(await useRecoveryCode(db, personId, code))) return false;
  if (sendsMail) {
    const left = await countRecoveryCodes(db, personId);
    await sendAlert(db, personId, { about: 'recovery-code', left });
  }
  return true;
}

export type Factor = 'app' | 'passkey';

/**
 * Adds a factor. The first one turns the second factor on.
 * @param store stores the factor, or throws if it can't be added
 * @returns recovery codes to show once; null if the person has some
 */
export function addFactor(
  db: Database,
  personId: string,
  added: Factor,
  store: (tx: Queryable) => Promise<void>,
  { sendsMail }: Mailing,
): Promise<string[] | null> {
  return db.transaction(async (tx) => {
    await store(tx);
    const { appSince, passkeys, recoveryCodes } = await secondFactorsOf(tx, personId);
    const isFirst = passkeys.length + (appSince === null ? 0 : 1) === 1;
    if (sendsMail) {
      await sendAlert(tx, personId, {
        about: 'second-factor',
        change: isFirst ? 'on' : `${added}-added`,
      });
    }
    return recoveryCodes > 0 ? null : newRecoveryCodes(tx, personId);
  });
}

/** @returns new recovery codes, which replace the old ones. @throws ServiceError 409 without a second factor */
export function replaceRecoveryCodes(
  db: Database,
  personId: string,
  { sendsMail }: Mailing,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    if (!(await hasSecondFactor(tx, personId))) {
      throw conflict('Set up an authenticator app or a passkey first.');
    }
    if (sendsMail) await sendAlert(tx, personId, { about: 'second-factor', change: 'new-codes' });
    return newRecoveryCodes(tx, personId);
  });
}

/**
 * Removes the authenticator app. Without a passkey, this turns the second factor off.
 * @throws ServiceError 404 if the person has none
 */
export function removeApp(db: Database, personId: string, mailing: Mailing): Promise<void> {
  return db.transaction(async (tx) => {
    const removed = await tx.query(
      `delete from authenticator_apps where person_id = $1 and confirmed_at is not null
       returning person_id`,
      [personId],
    );
    if (removed.length === 0) throw notFound('This app was already removed. Reload the page.');
    await afterRemoving(tx, personId, 'app', mailing);
  });
}

/** Removes a passkey, like `removeApp`. @throws ServiceError 404 if the person doesn't have it */
export function dropPasskey(
  db: Database,
  personId: string,
  id: string,
  mailing: Mailing,
): Promise<void> {
  return db.transaction(async (tx) => {
    await removePasskey(tx, personId, id);
    await afterRemoving(tx, personId, 'passkey', mailing);
  });
}

/** Deletes the recovery codes if no other factor is left. */
async function afterRemoving(
  tx: Queryable,
  personId: string,
  removed: Factor,
  { sendsMail }: Mailing,
): Promise<void> {
  const isOn = await hasSecondFactor(tx, personId);
  if (!isOn) await tx.query('delete from recovery_codes where person_id = $1', [personId]);
  if (sendsMail) {
    await sendAlert(tx, personId, {
      about: 'second-factor',
      change: isOn ? `${removed}-removed` : 'off',
    });
  }
}

/**
 * Turns off the second factor of a person who lost it and the recovery codes.
 * @throws ServiceError 404 if no account has the email address
 */
export function resetSecondFactor(
  db: Database,
  email: string,
  { sendsMail }: Mailing,
): Promise<{ id: string; name: string; email: string }> {
  return db.transaction(async (tx) => {
    const [person] = await tx.query<{ id: string; name: string; email: string }>(
      'select id, name, email from people where lower(email) = lower($1)',
      [email.trim()],
    );
    if (!person) {
      throw notFound(`No account has the email address ${email.trim()}. Check the spelling.`);
    }
    if (!(await hasSecondFactor(tx, person.id))) return person;
    for (const table of ['authenticator_apps', 'passkeys', 'recovery_codes']) {
      await tx.query(`delete from ${table} where person_id = $1`, [person.id]);
    }
    if (sendsMail) await sendAlert(tx, person.id, { about: 'second-factor', change: 'off' });
    return person;
  });
}

/**
 * Sets whether members of the organization need a second factor. Members without one must set it up before they can do
 * anything else.
 * @param personId the person who requires it; null for an operator
 * @throws ServiceError 409 if the person who requires it has none
 */
export async function requireSecondFactor(
  tenant: TenantDatabase,
  required: boolean,
  by: Actor = OPERATOR,
): Promise<void> {
  const isPerson = by.kind === 'person';
  if (required && isPerson && !(await hasSecondFactor(tenant.common, by.id))) {
    throw conflict('Set up your own second factor before you require one of all members.');
  }
  await tenant.transaction(async (tx) => {
    await tx.query('update organizations set requires_second_factor = $2 where id = $1', [
      required,
    ]);
    const rule = required ? 'required' : 'optional';
    recordChange(
      tx,
      by,
      'second_factor_rule_changed',
      `Made a second factor ${rule} for all members.`,
      { after: { required } },
    );
  });
}

export async function requiresSecondFactor(tenant: Tenant): Promise<boolean> {
  const [row] = await tenant.query<{ required: boolean }>(
    'select requires_second_factor as required from organizations where id = $1',
  );
  return row!.required;
}
