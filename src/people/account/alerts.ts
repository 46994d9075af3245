/** Alerts: emails about changes to an account, in case someone else made them. */
import type { Queryable } from '../../base/db/database.ts';
import { queueMail } from '../mail/outbox.ts';
import type { KeyRecord } from './keys.ts';
import type { SignInPlace } from './sessions.ts';

/** Events that send an alert. `letters/alerts.ts` has the texts. */
export type Alert =
  | ({ about: 'sign-in' } & SignInPlace)
  | { about: 'key'; organization: string; key: string; hint: string; createdBy: string | null }
  | { about: 'password' }
  | { about: 'company'; organization: string; change: CompanyChange; by: string }
  | { about: 'second-factor'; change: FactorChange }
  | { about: 'recovery-code'; left: number };

export type FactorChange =
  | 'on'
  | 'off'
  | 'app-added'
  | 'app-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'new-codes';

/** Changes of who gets in with a company account */
export type CompanyChange = 'set' | 'required' | 'optional' | 'removed' | 'domain-lost';

/** Hours after which an alert isn't sent anymore */
const ALERT_HOURS = 48;
/** Strangers can't cause alerts, so a person who changes a lot at once gets all of them. */
const ALERTS_PER_HOUR = 20;

/**
 * Queues an email to a person. Call it only if the service sends email, and in the transaction of the change, so that
 * neither happens without the other.
 */
export async function sendAlert(db: Queryable, personId: string, alert: Alert): Promise<void> {
  const [person] = await db.query<{ email: string }>('select email from people where id = $1', [
    personId,
  ]);
  if (!person) return;
  const data = { personId, at: new Date().toISOString(), alert };
  await queueMail(db, {
    kind: 'alert',
    recipient: person.email,
    data,
    hours: ALERT_HOURS,
    perHour: ALERTS_PER_HOUR,
  });
}

/** Alerts the owners of the organization to a change of its company sign-in. @param by name of who made it */
export async function sendCompanyAlerts(
  db: Queryable,
  { id, name }: { id: string; name: string },
  change: CompanyChange,
  by: string,
): Promise<void> {
  const owners = await db.query<{ id: string }>(
    `select person_id as id from memberships where organization_id = $1 and role = 'owner'`,
    [id],
  );
  const alert: Alert = { about: 'company', organization: name, change, by };
  for (const owner of owners) await sendAlert(db, owner.id, alert);
}

/** Alerts the owners of the organization and the key's creator to a new API key. */
export async function sendKeyAlerts(
  db: Queryable,
  { id, name }: { id: string; name: string },
  key: Pick<KeyRecord, 'name' | 'hint' | 'createdBy'>,
  creatorId: string | null,
): Promise<void> {
  const people = await db.query<{ id: string }>(
    `select person_id as id from memberships
     where organization_id = $1 and (role = 'owner' or person_id = $2)`,
    [id, creatorId],
  );
  const { hint, createdBy } = key;
  const alert: Alert = { about: 'key', organization: name, key: key.name, hint, createdBy };
  for (const person of people) await sendAlert(db, person.id, alert);
}
