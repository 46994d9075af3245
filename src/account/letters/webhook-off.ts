/** The text of the email when the service turns a webhook off. */
import type { Letter } from '../../mail/letter.ts';

export interface WebhookOff {
  /** The owner's name */
  name: string;
  organization: string;
  webhookId: string;
  host: string;
  because: 'failing' | 'gone';
}

/** @param url of the webhook's page */
export const webhookOffLetter = (
  { name, organization, host, because }: WebhookOff,
  url: string,
): Letter => ({
  subject: `The webhook at ${host} is off`,
  paragraphs: [
    `Hello ${name},`,
    because === 'gone'
      ? `${host} answered that it no longer takes events of ${organization} (410), so we stopped sending them.`
      : `${host} didn’t accept an event of ${organization} for three days, so we stopped sending events there.`,
    'Further events are kept for 90 days. When the receiver works again, turn the webhook on: it then gets what it missed, in order. What was given up can be sent again.',
  ],
  link: { label: 'View the webhook', url },
  notes: ['You get this email because you are an owner of the organization.'],
});
