/** The texts of alerts. */
import type { Letter } from '../../mail/letter.ts';
import { pluralize } from '../../../base/text/words.ts';
import { browserName } from '../browser-name.ts';
import type { Alert, CompanyChange, FactorChange } from '../alerts.ts';

interface AlertContext {
  name: string;
  /** Time of the event */
  at: Date;
  /** Returns the URL of a page from its path. */
  page: (path: string) => string;
}

/** Formats times such as `November 22, 2026 at 8:05 AM`. */
const time = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

export function alertLetter(alert: Alert, { name, at, page }: AlertContext): Letter {
  const { subject, fact, advice, path, label } = wordsOf(alert);
  return {
    subject,
    paragraphs: [`Hello ${name},`, `${fact} This happened on ${time.format(at)} UTC.`, advice],
    link: { label, url: page(path) },
    notes: ['We sent you this email to keep your account secure.'],
  };
}

interface Words {
  subject: string;
  fact: string;
  /** Advice for a reader who didn't make the change */
  advice: string;
  /** Path of the page for the advice */
  path: string;
  label: string;
}

const NOT_YOU = 'If this was you, you don’t need to do anything. If not,';

const NEW_PASSWORD = {
  advice: `${NOT_YOU} choose a new password now.`,
  path: '/password/forgot',
  label: 'Choose a new password',
};

/** For added factors, which stay when the password changes. */
const REMOVE_FACTOR = {
  advice: `${NOT_YOU} remove it and choose a new password now.`,
  path: '/account/second-factor',
  label: 'Check your second factor',
};

const FACTOR_CHANGES: Record<FactorChange, Words> = {
  on: {
    subject: 'Second factor turned on',
    fact: 'A second factor was turned on for your account.',
    ...REMOVE_FACTOR,
    advice:
      `${REMOVE_FACTOR.advice} If you can’t sign in, ask the operator of the service to reset ` +
      'your second factor.',
  },
  off: {
    subject: 'Second factor turned off',
    fact: 'The second factor was turned off for your account.',
    ...NEW_PASSWORD,
  },
  'app-added': {
    subject: 'Authenticator app added',
    fact: 'An authenticator app was added to your account.',
    ...REMOVE_FACTOR,
  },
  'app-removed': {
    subject: 'Authenticator app removed',
    fact: 'The authenticator app was removed from your account.',
    ...NEW_PASSWORD,
  },
  'passkey-added': {
    subject: 'Passkey added',
    fact: 'A passkey was added to your account. It can be used to sign in without your password.',
    ...REMOVE_FACTOR,
  },
  'passkey-removed': {
    subject: 'Passkey removed',
    fact: 'A passkey was removed from your account.',
    ...NEW_PASSWORD,
  },
  'new-codes': {
    subject: 'New recovery codes',
    fact: 'New recovery codes were created for your account. The old ones no longer work.',
    ...NEW_PASSWORD,
  },
};

const COMPANY_CHANGES: Record<CompanyChange, string> = {
  set: 'changed the provider, the email domains, or the role of new people of the company sign-in of',
  required: 'made company sign-in required for',
  optional: 'made company sign-in optional for',
  removed: 'removed the company sign-in of',
  'domain-lost':
    'now has the record of another organization, so the domain no longer leads to the company sign-in of',
};

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
        label: 'View your sessions',
      };
    case 'key':
      return {
        subject: `New API key for ${alert.organization}`,
        fact:
          `${alert.createdBy ?? 'An operator of the service'} created the API key “${alert.key}” ` +
          `(…${alert.hint}) for ${alert.organization}.`,
        advice: 'If your organization doesn’t need this key, revoke it.',
        path: '/account/keys',
        label: 'View API keys',
      };
    case 'company':
      return {
        subject: `Company sign-in of ${alert.organization} changed`,
        fact: `${alert.by} ${COMPANY_CHANGES[alert.change]} ${alert.organization}.`,
        advice: 'If your organization doesn’t expect this, check the settings now.',
        path: '/account/company-sign-in',
        label: 'View company sign-in',
      };
    case 'password':
      return {
        subject: 'Your password was changed',
        fact: 'The password for your account was changed.',
        advice: `${NOT_YOU} choose a new one now.`,
        path: '/password/forgot',
        label: 'Choose a new password',
      };
    case 'second-factor':
      return FACTOR_CHANGES[alert.change];
    case 'recovery-code':
      return {
        subject: 'A recovery code was used',
        fact:
          'Someone signed in to your account with a recovery code in place of the second factor. ' +
          `You have ${pluralize(alert.left, 'recovery code')} left.`,
        ...NEW_PASSWORD,
      };
  }
}
