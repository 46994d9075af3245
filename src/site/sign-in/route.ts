/** Signs people in and out. */
import { endSession } from '../../account/sessions.ts';
import { personByPassword } from '../../account/sign-in.ts';
import { badRequest } from '../../errors.ts';
import { countAttempt } from '../entrance/count-attempt.ts';
import { pathAfterSignIn, startSessionAt } from '../entrance/start-session.ts';
import type { Page } from '../framework/page.ts';
import { signInPage } from './view.ts';

export const signInRoute: Page<'anyone'> = {
  audience: 'anyone',
  path: '/login',
  show: ({ query, links, sendsMail }, form) => signInPage({ query, form, sendsMail }, links),
  forms: [
    {
      async submit(visit, fields) {
        const email = fields.get('email') ?? '';
        await countAttempt(visit, email);
        const personId = await personByPassword(visit.db, email, fields.get('password') ?? '');
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
