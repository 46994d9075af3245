/** The connectors that a person has let in. */
import { endConnection, listConnections } from '../../../oauth/connections.ts';
import { connectionsPage } from './view.ts';
import type { PersonPage } from '../../framework/page.ts';
import { residentOf } from '../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';

const PATH = '/account/connections';

export const connections = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: PATH,
  show: async (visit, form) => {
    const [common, all] = await Promise.all([
      residentOf(db, visit),
      listConnections(db, visit.session.person.id),
    ]);
    return connectionsPage({ ...common, form, connections: all }, visit.links);
  },
  forms: [
    {
      path: PATH,
      submit: async ({ session }, fields) => {
        await endConnection(db, session.person.id, fields.get('connection') ?? '');
        return { to: PATH, notice: 'connection-ended' };
      },
    },
  ],
});
