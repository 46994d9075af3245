import { endSession, endSessions, listSessions } from '../../../../people/account/sessions.ts';
import type { Page } from '../../framework/page.ts';
import { END_OTHERS_PATH, SESSIONS_PATH, sessionsPage } from './view.ts';

export const sessionsRoute: Page<'account'> = {
  audience: 'account',
  path: SESSIONS_PATH,
  async show({ db, session: { id, person, company }, links }, form) {
    const sessions = await listSessions(db, person.id, company?.organizationId);
    return sessionsPage({ form, sessions, currentId: id }, links);
  },
  forms: [
    {
      async submit({ db, session }, fields) {
        await endSession(db, session.person.id, fields.get('session') ?? '');
        return { to: SESSIONS_PATH, notice: 'session-ended' };
      },
    },
    {
      path: END_OTHERS_PATH,
      async submit({ db, session: { id, person, company } }) {
        await endSessions(db, person.id, id, company?.organizationId);
        return { to: SESSIONS_PATH, notice: 'sessions-ended' };
      },
    },
  ],
};
