/** Where people come in: sign-in, sign-up and invitations. */
import { createHash } from 'node:crypto';
import { acceptInvitation, openInvitation } from '../../account/invitations.ts';
import { checkedEmail, checkedName } from '../../account/names.ts';
import { openPasswordLink, passwordByLink } from '../../account/password-links.ts';
import { checkedPassword } from '../../account/passwords.ts';
import { endSession, startSession } from '../../account/sessions.ts';
import { personByPassword } from '../../account/sign-in.ts';
import { signUp } from '../../account/sign-up.ts';
import type { Operation } from '../../contract/operation.ts';
import { badRequest, type ServiceError } from '../../errors.ts';
import { invitePage, passwordLinkPage, signInPage, signUpPage } from './view.ts';
import type { Notice } from '../account/notices.ts';
import { tooManyRequests } from '../../http/limits/limits.ts';
import { beside, checkedFields } from '../framework/form-problems.ts';
import { openPage, type Outcome, type PersonPage } from '../framework/page.ts';
import type { PeopleParts, Visit } from '../framework/visit.ts';

export const entrances = (parts: PeopleParts): Operation[] =>
  [signIn, signUpEntrance, invitation, passwordLink].flatMap((page) =>
    openPage(page(parts), parts),
  );

const HOME = '/account';

function signIn(parts: PeopleParts): PersonPage<Visit> {
  const { db, limiter } = parts;
  return {
    path: '/login',
    show: ({ query, links }, form) => signInPage({ query, form }, links),
    forms: [
      {
        path: '/login',
        limit: 'sign-in',
        submit: async (visit, fields) => {
          const email = fields.get('email') ?? '';
          // Of all addresses alike, also those without an account: nobody is told which have one.
          const account = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
          const standing = await limiter.spend('sign-in', account);
          if (standing.exceeded) throw tooManyRequests(standing);
          const personId = await personByPassword(db, email, fields.get('password') ?? '');
          if (personId === null) {
            throw badRequest('The e-mail address or the password is wrong. Please try again.');
          }
          return enter(parts, visit, personId, nextPath(fields.get('next')));
        },
      },
      {
        path: '/logout',
        submit: async ({ session }) => {
          if (session) await endSession(db, session.person.id, session.id);
          return { to: '/login', notice: 'signed-out', cookie: parts.cookie.clear() };
        },
      },
    ],
  };
}

function signUpEntrance(parts: PeopleParts): PersonPage<Visit> {
  return {
    path: '/signup',
    show: ({ query, links }, form) => signUpPage({ query, form }, links),
    forms: [
      {
        path: '/signup',
        limit: 'sign-in',
        submit: async (visit, fields) => {
          const given = checkedFields({
            ...personChecks(fields),
            organization: () => checkedName('An organisation', fields.get('organization') ?? ''),
          });
          const { personId } = await beside('email', isTaken, signUp(parts.db, given));
          const to = nextPath(fields.get('next'));
          return enter(parts, visit, personId, to, to === HOME ? 'signed-up' : undefined);
        },
      },
    ],
  };
}

function invitation(parts: PeopleParts): PersonPage<Visit> {
  const { db } = parts;
  const path = '/invite/{token}';
  return {
    path,
    show: async ({ params, session, links }, form) => {
      const token = params.token!;
      return invitePage({ token, session, form }, await openInvitation(db, token), links);
    },
    forms: [
      {
        path,
        limit: 'sign-in',
        submit: async (visit, fields) => {
          const { session, params } = visit;
          if (session) {
            const { id: personId, email, name } = session.person;
            const who = { personId, email, name };
            const { organizationId } = await acceptInvitation(db, params.token!, who);
            return enter(parts, visit, personId, HOME, 'joined', organizationId);
          }
          const who = checkedFields(personChecks(fields));
          const accepted = acceptInvitation(db, params.token!, who);
          const { personId, organizationId } = await beside('email', isTaken, accepted);
          return enter(parts, visit, personId, HOME, 'joined', organizationId);
        },
      },
    ],
  };
}

function passwordLink(parts: PeopleParts): PersonPage<Visit> {
  const { db } = parts;
  const path = '/password/{token}';
  return {
    path,
    show: async ({ params, links }, form) => {
      const token = params.token!;
      return passwordLinkPage({ token, person: await openPasswordLink(db, token), form }, links);
    },
    forms: [
      {
        path,
        limit: 'sign-in',
        submit: async (visit, fields) => {
          const token = visit.params.token!;
          const { email } = await openPasswordLink(db, token);
          const { password } = checkedFields({
            password: () => checkedPassword(fields.get('password') ?? '', email),
          });
          const personId = await passwordByLink(db, token, password);
          return enter(parts, visit, personId, HOME, 'password-chosen');
        },
      },
    ],
  };
}

const isTaken = ({ status }: ServiceError) => status === 409;

const personChecks = (fields: URLSearchParams) => {
  const text = (name: string) => fields.get(name) ?? '';
  return {
    name: () => checkedName('A person', text('name')),
    email: () => checkedEmail(text('email')),
    password: () => checkedPassword(text('password'), text('email')),
  };
};

/** A new session always: one that was there before, whoever began it, is over. */
async function enter(
  { db, cookie }: PeopleParts,
  { session, place }: Visit,
  personId: string,
  to: string,
  notice?: Notice,
  organizationId?: string,
): Promise<Outcome> {
  if (session) await endSession(db, session.person.id, session.id).catch(() => {});
  const secret = await startSession(db, personId, place, organizationId);
  return { to, cookie: cookie.set(secret), ...(notice && { notice }) };
}

/** Where somebody wanted to go who had to sign in first: a path of this site, or none of theirs. */
function nextPath(next: string | null): string {
  const here = 'http://here.invalid';
  if (!next?.startsWith('/') || !URL.canParse(next, here)) return HOME;
  const { origin, pathname, search } = new URL(next, here);
  return origin === here && !pathname.startsWith('//') ? pathname + search : HOME;
}
