/** The words of alerts. */
import type { Letter } from '../../mail/letter.ts';
import { browserName } from '../browser-name.ts';
import type { Alert } from '../alerts.ts';

export interface AlertContext {
  name: string;
  /** When it happened */
  at: Date;
  /** Returns the URL of a page from its path. */
  page: (path: string) => string;
}

/** `November 22, 2026 at 8:05 AM UTC` */
const time = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

export function alertLetter(alert: Alert, { name, at, page }: AlertContext): Letter {
  const { subject, fact, advice, path, label } = wordsOf(alert);
  return {
    subject,
    paragraphs: [`Hello ${name},`, `${fact} This was on ${time.format(at)} UTC.`, advice],
    link: { label, url: page(path) },
    notes: ['You get this email because the security of your account may depend on it.'],
  };
}

interface Words {
  subject: string;
  fact: string;
  /** Advice for a reader who didn't do it */
  advice: string;
  /** The page on which to do it */
  path: string;
  label: string;
}

const NOT_YOU = 'If this was you, there is nothing to do. If not,';

function wordsOf(alert: Alert): Words {
  switch (alert.about) {
    case 'sign-in':
      return {
        subject: 'New sign-in to your account',
        fact:
          `Someone signed in to your account with ${browserName(alert.userAgent)}, from the network ` +
          `address ${alert.client}. You hadn’t used this browser before.`,
        advice: `${NOT_YOU} end that session and change your password.`,
        path: '/account/sessions',
        label: 'See your sessions',
      };
    case 'key':
      return {
        subject: `New API key of ${alert.organization}`,
        fact:
          `${alert.createdBy ?? 'An operator of the service'} created the API key “${alert.key}” ` +
          `(…${alert.hint}) of ${alert.organization}.`,
        advice: 'If your organization doesn’t need this key, revoke it.',
        path: '/account/keys',
        label: 'See the API keys',
      };
    case 'password':
      return {
        subject: 'Your password was changed',
        fact: 'The password of your account was changed.',
        advice: `${NOT_YOU} choose a new one now.`,
        path: '/password/forgot',
        label: 'Choose a new password',
      };
    case 'second-factor':
      return {
        subject: `Second factor turned ${alert.change}`,
        fact: `The second factor of your account was turned ${alert.change}.`,
        advice: `${NOT_YOU} choose a new password now.`,
        path: '/password/forgot',
        label: 'Choose a new password',
      };
    case 'recovery-code':
      return {
        subject: 'A recovery code was used',
        fact:
          'Someone signed in to your account with a recovery code instead of the second factor. ' +
          `You have ${alert.left} left.`,
        advice: `${NOT_YOU} choose a new password now.`,
        path: '/password/forgot',
        label: 'Choose a new password',
      };
  }
}
