import type { Operation } from '../../../contract/operation.ts';
import { endConnection, listConnections } from '../../../oauth/connections.ts';
import { form } from '../../framework/form.ts';
import { page, type Page } from '../../framework/page.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { loadFrame } from '../load-frame.ts';
import { CONNECTIONS_PATH, connectionsPage } from './view.ts';

export function connectionsRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const connections: Page<'member'> = {
    audience: 'member',
    path: CONNECTIONS_PATH,
    async show(visit, state) {
      const [frame, all] = await Promise.all([
        loadFrame(db, visit),
        listConnections(db, visit.session.person.id),
      ]);
      return connectionsPage({ ...frame, form: state, connections: all }, visit.links);
    },
  };
  const end = form(
    connections,
    {
      async submit({ session }, fields) {
        await endConnection(db, session.person.id, fields.get('connection') ?? '');
        return { to: CONNECTIONS_PATH, notice: 'connection-ended' };
      },
    },
    parts,
  );
  return [page(connections, parts), end];
}
