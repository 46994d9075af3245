/** Signing in and out. */
import { createHash } from 'node:crypto';
import { endSession } from '../../account/sessions.ts';
import { personByPassword } from '../../account/sign-in.ts';
import type { Operation } from '../../contract/operation.ts';
import { badRequest } from '../../errors.ts';
import { tooManyRequests } from '../../http/limits/limits.ts';
import { pathAfterSignIn, startSessionAt } from '../entrance/start-session.ts';
import { form } from '../framework/form.ts';
import { page, type Page } from '../framework/page.ts';
import type { SiteParts } from '../framework/visit.ts';
import { signInPage } from './view.ts';

export function signInRoutes(parts: SiteParts): Operation[] {
  const { db, limiter, cookie } = parts;
  const signIn: Page<'anyone'> = {
    audience: 'anyone',
    path: '/login',
    show: ({ query, links }, state) => signInPage({ query, form: state }, links),
  };
  const submitSignIn = form(
    signIn,
    {
      limit: 'sign-in',
      async submit(visit, fields) {
        const email = fields.get('email') ?? '';
        // Addresses without an account count too, so the limit doesn't reveal which ones have one.
        const account = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
        const usage = await limiter.spend('sign-in', account);
        if (usage.exceeded) throw tooManyRequests(usage);
        const personId = await personByPassword(db, email, fields.get('password') ?? '');
        if (personId === null) {
          throw badRequest('The email address or password is wrong. Try again.');
        }
        return startSessionAt(parts, visit, personId, { to: pathAfterSignIn(fields.get('next')) });
      },
    },
    parts,
  );
  const signOut = form(
    signIn,
    {
      path: '/logout',
      async submit({ session }) {
        if (session) await endSession(db, session.person.id, session.id);
        return { to: '/login', notice: 'signed-out', cookie: cookie.clear() };
      },
    },
    parts,
  );
  return [page(signIn, parts), submitSignIn, signOut];
}
