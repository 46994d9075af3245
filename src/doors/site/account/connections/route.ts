import {
  endConnection,
  listConnections,
} from '../../../../people/account/connections/connections.ts';
import type { Page } from '../../framework/page.ts';
import { CONNECTIONS_PATH, connectionsPage } from './view.ts';

export const connectionsRoute: Page<'account'> = {
  audience: 'account',
  path: CONNECTIONS_PATH,
  async show({ db, session, links }, form) {
    return connectionsPage(
      await listConnections(db, session.person.id, session.company?.organizationId),
      form,
      links,
    );
  },
  forms: [
    {
      async submit({ db, session }, fields) {
        await endConnection(db, session.person.id, fields.get('connection') ?? '');
        return { to: CONNECTIONS_PATH, notice: 'connection-ended' };
      },
    },
  ],
};
