import { endSession, endSessions, listSessions } from '../../../account/sessions.ts';
import type { Page } from '../../framework/page.ts';
import { END_OTHERS_PATH, SESSIONS_PATH, sessionsPage } from './view.ts';

export const sessionsRoute: Page<'account'> = {
  audience: 'account',
  path: SESSIONS_PATH,
  async show({ db, session: { id, person }, links }, form) {
    const sessions = await listSessions(db, person.id);
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
      async submit({ db, session }) {
        await endSessions(db, session.person.id, session.id);
        return { to: SESSIONS_PATH, notice: 'sessions-ended' };
      },
    },
  ],
};
