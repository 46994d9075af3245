import { endSession, endSessions, listSessions } from '../../../account/sessions.ts';
import type { Operation } from '../../../contract/operation.ts';
import { form } from '../../framework/form.ts';
import { page, type Page } from '../../framework/page.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { loadFrame } from '../load-frame.ts';
import { END_OTHERS_PATH, SESSIONS_PATH, sessionsPage } from './view.ts';

export function sessionsRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const sessions: Page<'member'> = {
    audience: 'member',
    path: SESSIONS_PATH,
    async show(visit, state) {
      const { id, person } = visit.session;
      const [frame, all] = await Promise.all([loadFrame(db, visit), listSessions(db, person.id)]);
      return sessionsPage({ ...frame, form: state, sessions: all, currentId: id }, visit.links);
    },
  };
  const end = form(
    sessions,
    {
      async submit({ session }, fields) {
        await endSession(db, session.person.id, fields.get('session') ?? '');
        return { to: SESSIONS_PATH, notice: 'session-ended' };
      },
    },
    parts,
  );
  const endOthers = form(
    sessions,
    {
      path: END_OTHERS_PATH,
      async submit({ session }) {
        await endSessions(db, session.person.id, session.id);
        return { to: SESSIONS_PATH, notice: 'sessions-ended' };
      },
    },
    parts,
  );
  return [page(sessions, parts), end, endOthers];
}
