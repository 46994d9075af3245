/** The texts of emails with a link that the recipient or another person requested. */
import { scopeText } from '../brand-scopes.ts';
import type { Letter } from '../../mail/letter.ts';
import { SERVICE_NAME } from '../../../base/text/service-name.ts';
import { withArticle } from '../../../base/text/words.ts';
import { INVITATION_DAYS, type MailedInvitation } from '../invitations.ts';
import { MAILED_LINK_HOURS } from '../password-links.ts';
import { SIGN_UP_HOURS } from '../pending-sign-ups.ts';

/** Repeats no text from the form, because a stranger may have entered it to send spam. */
export const confirmSignUpLetter = (url: string): Letter => ({
  subject: 'Confirm your email address',
  paragraphs: [
    'Hello,',
    `Confirm your email address to finish signing up for ${SERVICE_NAME}. You’ll be asked for the ` +
      'password you chose.',
  ],
  link: { label: 'Confirm email address', url },
  notes: [
    `The link works once, within ${SIGN_UP_HOURS} hours.`,
    'If you didn’t sign up, ignore this email. No account is created until the address is confirmed.',
  ],
});

export const alreadyHasAccountLetter = (signInUrl: string, forgotUrl: string): Letter => ({
  subject: 'You already have an account',
  paragraphs: [
    'Hello,',
    `Someone tried to sign up for ${SERVICE_NAME} with this email address, which already has an account. ` +
      'Nothing has changed. If it was you, sign in with your password.',
    `If you forgot your password, choose a new one at ${forgotUrl}`,
  ],
  link: { label: 'Sign in', url: signInUrl },
  notes: ['If it wasn’t you, ignore this email.'],
});

export const passwordLetter = (name: string, url: string): Letter => ({
  subject: 'Choose a new password',
  paragraphs: [
    `Hello ${name},`,
    `We received a request for a new password for your ${SERVICE_NAME} account.`,
  ],
  link: { label: 'Choose a new password', url },
  notes: [
    `The link works once, within ${pluralHours(MAILED_LINK_HOURS)}. A new password signs you out everywhere.`,
    'If you didn’t request it, ignore this email. Your password stays the same.',
  ],
});

/** For people who ask for a new password, but may only sign in at their company */
export const companyAccountLetter = (name: string, url: string): Letter => ({
  subject: 'Sign in with your company account',
  paragraphs: [
    `Hello ${name},`,
    `We received a request for a new password for your ${SERVICE_NAME} account. Your company requires that ` +
      'you sign in with your company account, so there is no password to change.',
  ],
  link: { label: 'Sign in', url },
  notes: ['If you didn’t request it, ignore this email.'],
});

const pluralHours = (hours: number) => (hours === 1 ? 'an hour' : `${hours} hours`);

export const invitationLetter = (
  { organization, role, brands, invitedBy }: MailedInvitation,
  url: string,
): Letter => ({
  subject: `Join ${organization.name}`,
  paragraphs: [
    'Hello,',
    `${invitedBy} invited you to join ${organization.name} at ${SERVICE_NAME} as ${withArticle(role)}` +
      `${brands ? `, for ${scopeText(brands)}` : ''}.`,
  ],
  link: { label: 'Accept the invitation', url },
  notes: [
    `The link works once, within ${INVITATION_DAYS} days.`,
    `If you don’t know ${invitedBy}, ignore this email.`,
  ],
});
