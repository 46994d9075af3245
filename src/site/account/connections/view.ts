/** Connectors that act for the viewer. */
import type { Connection } from '../../../oauth/connections.ts';
import { day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { buttonForm, wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { accountPage, type AccountFrame } from '../frame.ts';
import { records, type Column } from '../records.ts';

export const CONNECTIONS_PATH = '/account/connections';

export interface ConnectionsContent extends AccountFrame {
  form: FormState;
  connections: readonly Connection[];
}

export function connectionsPage(content: ConnectionsContent, links: Links): string {
  const { viewer, done, form, connections } = content;
  const main = html`<p>
      These apps and AI agents act for you with your permissions. An app that you disconnect loses
      access immediately.
    </p>
    ${wholeProblem(form)}
    ${
      connections.length > 0
        ? records('Connections', columns(links), connections)
        : html`<p class="quiet">No apps are connected yet.</p>`
    }
    <p><a href="${links.page('/account/connect')}">How to connect a client</a></p>`;
  return accountPage({ path: CONNECTIONS_PATH, done, viewer, main }, links);
}

const columns = (links: Links): Column<Connection>[] => [
  { heading: 'App', cell: ({ clientName }) => clientName },
  { heading: 'Redirects to', cell: ({ redirectTo }) => redirectTo },
  { heading: 'Organization', cell: ({ organization }) => organization },
  { heading: 'Access', cell: ({ mayWrite }) => (mayWrite ? 'Read and write' : 'Read only') },
  { heading: 'Connected', cell: ({ createdAt }) => day(createdAt) },
  {
    heading: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? day(lastUsedAt) : 'Never'),
  },
  {
    heading: 'Disconnect',
    hidden: true,
    cell: ({ id, clientName, createdAt }) =>
      buttonForm(
        links.page(CONNECTIONS_PATH),
        { connection: id },
        { label: 'Disconnect', about: `${clientName}, connected on ${day(createdAt)}` },
      ),
  },
];
