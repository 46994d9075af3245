/** Connectors that act on behalf of the viewer. */
import type { Connection } from '../../../../people/account/connections/connections.ts';
import { day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { buttonForm, wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import type { AccountContent } from '../frame.ts';
import { dayTag } from '../../parts.ts';
import { records, type Column } from '../../records.ts';

export const CONNECTIONS_PATH = '/account/connections';

export function connectionsPage(
  connections: readonly Connection[],
  form: FormState,
  links: Links,
): AccountContent {
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
  return { path: CONNECTIONS_PATH, main };
}

const columns = (links: Links): Column<Connection>[] => [
  { heading: 'App', cell: ({ clientName }) => clientName },
  { heading: 'Redirects to', cell: ({ redirectTo }) => redirectTo },
  { heading: 'Organization', cell: ({ organization }) => organization },
  { heading: 'Access', cell: ({ mayWrite }) => (mayWrite ? 'Read and write' : 'Read only') },
  { heading: 'Connected', cell: ({ createdAt }) => dayTag(createdAt) },
  { heading: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? dayTag(lastUsedAt) : 'Never') },
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
