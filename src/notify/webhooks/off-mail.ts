/** The email to owners when the service turns a webhook off. */
import type { TenantTransaction } from '../../account/tenant.ts';
import { queueMail } from '../../mail/outbox.ts';

/** After a week, the page of webhooks says enough. */
const HOURS = 7 * 24;
/** An owner with many webhooks at one host that fails gets an email for each. */
const PER_HOUR = 20;

/** Queues an email for each owner in the transaction that turns the webhook off, so each owner gets exactly one. */
export async function queueOffMails(
  tx: TenantTransaction,
  webhookId: string,
  url: string,
  because: 'failing' | 'gone',
): Promise<void> {
  const owners = await tx.query<{ email: string; name: string; organization: string }>(
    `select p.email, p.name, o.name as organization
     from memberships m join people p on p.id = m.person_id join organizations o on o.id = m.organization_id
     where m.organization_id = $1 and m.role = 'owner' order by p.email`,
  );
  for (const { email, name, organization } of owners) {
    await queueMail(tx.common, {
      kind: 'webhook-off',
      recipient: email,
      data: { name, organization, webhookId, host: new URL(url).host, because },
      hours: HOURS,
      perHour: PER_HOUR,
    });
  }
}
