/** The email to owners when the service turns a webhook off: queued at once, written when it's sent. */
import type { TenantTransaction } from '../../../people/account/tenant.ts';
import type { Letter } from '../../../people/mail/letter.ts';
import { queueMail } from '../../../people/mail/outbox.ts';
import type { Writers } from '../../../people/mail/sender.ts';

const OFF_MAIL = 'webhook-off';

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
    const off: WebhookOff = { name, organization, webhookId, host: new URL(url).host, because };
    await queueMail(tx.common, {
      kind: OFF_MAIL,
      recipient: email,
      data: { ...off },
      hours: HOURS,
      perHour: PER_HOUR,
    });
  }
}

interface WebhookOff {
  /** The owner's name */
  name: string;
  organization: string;
  webhookId: string;
  host: string;
  because: 'failing' | 'gone';
}

/** @param page returns the URL of a page from its path */
export const offMailWriters = (page: (path: string) => string): Writers => ({
  async [OFF_MAIL](recipient, data) {
    const off = data as unknown as WebhookOff;
    return { recipient, letter: offLetter(off, page(`/account/webhooks/${off.webhookId}`)) };
  },
});

/** @param url of the webhook's page */
const offLetter = ({ name, organization, host, because }: WebhookOff, url: string): Letter => ({
  subject: `The webhook at ${host} is off`,
  paragraphs: [
    `Hello ${name},`,
    because === 'gone'
      ? `${host} answered that it no longer takes events of ${organization} (410), so we stopped sending them.`
      : `${host} didn’t accept an event of ${organization} for three days, so we stopped sending events there.`,
    'Further events are kept for 90 days. When the receiver works again, turn the webhook on: it then gets the events that it missed, in order.',
  ],
  link: { label: 'View the webhook', url },
  notes: [`You get this email because you are an owner of ${organization}.`],
});
