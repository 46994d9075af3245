/** Turns queued messages about accounts into letters, and creates their links, when they are sent. */
import type { Database } from '../../../base/db/database.ts';
import { ServiceError } from '../../../errors.ts';
import type { Writers } from '../../mail/sender.ts';
import type { Alert } from '../alerts.ts';
import { invitationPath, mailInvitation } from '../invitations.ts';
import { personOnlyByCompany } from '../only-by-company.ts';
import { MAILED_LINK_HOURS, makePasswordLink, passwordLinkPath } from '../password-links.ts';
import { mailSignUp, signUpPath } from '../pending-sign-ups.ts';
import { tenantOf } from '../tenant.ts';
import { alertLetter } from './alerts.ts';
import {
  alreadyHasAccountLetter,
  companyAccountLetter,
  confirmSignUpLetter,
  invitationLetter,
  passwordLetter,
} from './links.ts';

/** @param page returns the URL of a page from its path */
export const accountWriters = (db: Database, page: (path: string) => string): Writers => ({
  async 'sign-up'(_recipient, { id }) {
    const signUp = await mailSignUp(db, id as string);
    if (!signUp) return null;
    const { email, token } = signUp;
    const letter =
      token === null
        ? alreadyHasAccountLetter(page('/login'), page('/password/forgot'))
        : confirmSignUpLetter(page(signUpPath(token)));
    return { letter, recipient: email };
  },

  async password(recipient) {
    const atCompany = await personOnlyByCompany(db, recipient);
    if (atCompany) {
      const { name, email } = atCompany;
      return { letter: companyAccountLetter(name, page('/login')), recipient: email };
    }
    const made = await makePasswordLink(db, recipient, MAILED_LINK_HOURS).catch(nullIfUnknown);
    if (!made) return null;
    const { person, token } = made;
    const letter = passwordLetter(person.name, page(passwordLinkPath(token)));
    // The letter goes to the account's address, which may be spelled differently from the entered one.
    return { letter, recipient: person.email };
  },

  async invitation(_recipient, { id, organizationId }) {
    const tenant = tenantOf(db, organizationId as string);
    const mailed = await mailInvitation(tenant, id as string);
    if (!mailed) return null;
    const letter = invitationLetter(mailed, page(invitationPath(mailed.token)));
    return { letter, recipient: mailed.email };
  },

  async alert(_recipient, { personId, at, alert }) {
    const [person] = await db.query<{ name: string; email: string }>(
      'select name, email from people where id = $1',
      [personId],
    );
    if (!person) return null;
    const context = { name: person.name, at: new Date(at as string), page };
    return { letter: alertLetter(alert as Alert, context), recipient: person.email };
  },
});

function nullIfUnknown(error: unknown): null {
  if (error instanceof ServiceError && error.status === 404) return null;
  throw error;
}
