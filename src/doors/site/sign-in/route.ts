/** Signs people in and out. The email address comes first, because it decides where a person signs in. */
import { CALLBACK_ROUTE, START_ROUTE } from '../../../people/account/company-sign-in/addresses.ts';
import { companyOfEmail } from '../../../people/account/company-sign-in/domains.ts';
import { checkedEmail } from '../../../people/account/names.ts';
import { endSession } from '../../../people/account/sessions.ts';
import { personByPassword } from '../../../people/account/sign-in.ts';
import type { Operation } from '../../../base/contract/operation.ts';
import { badRequest } from '../../../errors.ts';
import { tooManyRequests } from '../../http/limits/limits.ts';
import { countAttempt } from '../entrance/count-attempt.ts';
import { pathAfterSignIn, startSessionAt } from '../entrance/start-session.ts';
import { FormState } from '../form-state.ts';
import { checkedFields } from '../framework/form-problems.ts';
import type { FormOutcome, Page } from '../framework/page.ts';
import type { Visit } from '../framework/visit.ts';
import { leaveForProvider } from './company/begin.ts';
import { signInPage } from './view.ts';

const PATH = '/login';

const PATHS = new Set([PATH, START_ROUTE, CALLBACK_ROUTE]);

/** The form of the sign-in page may lead to a provider, so wherever it is shown, it may be sent to other sites. */
export const isSignIn = ({ path }: Operation) => PATHS.has(path);

export const signInRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: PATH,
  show: ({ query, links, sendsMail }, form) => signInPage({ query, form, sendsMail }, links),
  forms: [
    {
      async submit(visit, fields) {
        const password = fields.get('password');
        if (password === null) return secondStep(visit, fields);
        const email = fields.get('email') ?? '';
        await countAttempt(visit, email);
        const personId = await personByPassword(visit.db, email, password);
        if (personId === null) {
          throw badRequest('The email address or password is wrong. Try again.');
        }
        return startSessionAt(visit, personId, { to: pathAfterSignIn(fields.get('next')) });
      },
    },
    {
      path: '/logout',
      async submit({ db, cookie, session }) {
        if (session) await endSession(db, session.person.id, session.id);
        return { to: '/login', notice: 'signed-out', cookies: [cookie.clear()] };
      },
    },
  ],
};

/**
 * Leads to the provider of the address's domain, or asks for the password. Only the domain decides, so this doesn't
 * reveal whether the address has an account.
 */
async function secondStep(visit: Visit, fields: URLSearchParams): Promise<FormOutcome<'anyone'>> {
  const { db, links, sendsMail } = visit;
  const { email } = checkedFields({ email: () => checkedEmail(fields.get('email') ?? '') });
  const company = await companyOfEmail(db, email);
  if (company) {
    // It asks the provider, like the other way to start a company sign-in.
    const usage = await visit.limiter.count('authorize', visit.place.client);
    if (usage.exceeded) throw tooManyRequests(usage);
    const { organizationId } = company;
    const next = fields.get('next') ?? '';
    return leaveForProvider(visit, { organizationId, next, loginHint: email });
  }
  const form = new FormState('/login', fields, { fields: {} });
  return {
    page: signInPage({ query: new URLSearchParams(), form, sendsMail, asks: 'password' }, links),
  };
}
