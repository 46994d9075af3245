/** Connectors that act for a person, and their end. */
import type { Connection } from '../../../oauth/connections.ts';
import { day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { buttonForm, wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { accountPage, type Resident } from '../frame.ts';
import { records, type Column } from '../records.ts';

const PATH = '/account/connections';

export interface ConnectionsContent {
  resident: Resident;
  done: string | null;
  form: FormState;
  connections: readonly Connection[];
}

export function connectionsPage(content: ConnectionsContent, links: Links): string {
  const { resident, done, form, connections } = content;
  const main = html`<p>
      Apps and AI agents that you have let act for you, with your own permissions. What you end here
      gets in no more, from its next call on.
    </p>
    ${wholeProblem(form)}
    ${
      connections.length > 0
        ? records('Connections', columns(links), connections)
        : html`<p class="quiet">Nothing is connected yet.</p>`
    }
    <p><a href="${links.page('/account/connect')}">How to connect a client</a></p>`;
  return accountPage({ path: PATH, done, resident, main }, links);
}

const columns = (links: Links): Column<Connection>[] => [
  { heading: 'App', cell: ({ clientName }) => clientName },
  { heading: 'Leads back to', cell: ({ redirectTo }) => redirectTo },
  { heading: 'Works for', cell: ({ organization }) => organization },
  { heading: 'May', cell: ({ mayWrite }) => (mayWrite ? 'Read and write' : 'Read') },
  { heading: 'Connected', cell: ({ createdAt }) => day(createdAt) },
  {
    heading: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? day(lastUsedAt) : 'Never'),
  },
  {
    heading: 'End',
    hidden: true,
    cell: ({ id, clientName, createdAt }) =>
      buttonForm(
        links.page(PATH),
        { connection: id },
        { label: 'End', about: `the connection of ${clientName} from ${day(createdAt)}` },
      ),
  },
];
