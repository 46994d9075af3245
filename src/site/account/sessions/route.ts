/** Sessions, as their owner sees and ends them, and the password that begins them. */
import { checkedPassword } from '../../../account/passwords.ts';
import { endSession, endSessions, listSessions } from '../../../account/sessions.ts';
import { changePassword, WrongPassword } from '../../../account/sign-in.ts';
import { passwordPage } from '../password/view.ts';
import { END_OTHERS_PATH, sessionsPage } from './view.ts';
import type { PersonPage } from '../../framework/page.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';
import { beside, checkedFields } from '../../framework/form-problems.ts';
import { residentOf } from '../viewer.ts';

export const sessions = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: '/account/sessions',
  show: async (visit, form) => {
    const { id, person } = visit.session;
    const [common, all] = await Promise.all([residentOf(db, visit), listSessions(db, person.id)]);
    return sessionsPage({ ...common, form, sessions: all, current: id }, visit.links);
  },
  forms: [
    {
      path: '/account/sessions',
      submit: async ({ session }, fields) => {
        await endSession(db, session.person.id, fields.get('session') ?? '');
        return { to: '/account/sessions', notice: 'session-ended' };
      },
    },
    {
      path: END_OTHERS_PATH,
      submit: async ({ session }) => {
        await endSessions(db, session.person.id, session.id);
        return { to: '/account/sessions', notice: 'sessions-ended' };
      },
    },
  ],
});

export const password = ({ db, cookie }: PeopleParts): PersonPage<MemberVisit> => ({
  path: '/account/password',
  show: async (visit, form) => {
    const { email } = visit.session.person;
    return passwordPage({ ...(await residentOf(db, visit)), email, form }, visit.links);
  },
  forms: [
    {
      path: '/account/password',
      limit: 'sign-in',
      submit: async ({ session, place }, fields) => {
        const { next } = checkedFields({
          next: () => checkedPassword(fields.get('next') ?? '', session.person.email),
        });
        const current = fields.get('current') ?? '';
        const change = changePassword(db, session, { current, next }, place);
        const secret = await beside('current', (e) => e instanceof WrongPassword, change);
        return { to: '/account/password', notice: 'password-changed', cookie: cookie.set(secret) };
      },
    },
  ],
});
