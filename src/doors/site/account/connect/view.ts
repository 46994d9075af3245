/** Explains how to connect apps, programs with an API key, and the command line. */
import { copyableBlock } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import type { AccountContent } from '../frame.ts';

/** Name of the server in clients' settings */
const NAME = 'territory';
const KEY = 'svc_live_…';
const WITH_KEY = { Authorization: `Bearer ${KEY}` };

export function connectPage(organization: string, links: Links): AccountContent {
  const mcp = links.absoluteApi('/mcp');
  const keys = html`<a href="${links.page('/account/keys')}">an API key</a>`;
  const main = html`<p>
      AI agents work with the territories of ${organization} over the Model Context Protocol (MCP).
      They only need this address.
    </p>
    ${copyableBlock('mcp-url', 'MCP server', mcp)}
    <section>
      <h2>Apps you sign in to</h2>
      <p>
        An app sends you here to sign in and asks for access. It then acts for you with your
        permissions. Connected apps are listed under
        <a href="${links.page('/account/connections')}">Connections</a>.
      </p>
      <h3>Claude</h3>
      <p>
        Go to Settings → Connectors → Add custom connector, paste the address, and choose Connect.
      </p>
      <h3>ChatGPT</h3>
      <p>
        Go to Settings → Apps &amp; Connectors → Advanced settings and turn on Developer mode. Then
        choose Create, paste the address, and choose OAuth.
      </p>
      <h3>Claude Code</h3>
      ${copyableBlock('claude-code', 'Command', `claude mcp add --transport http ${NAME} ${mcp}`)}
      <p class="quiet">Then enter <code>/mcp</code> in Claude Code and choose Authenticate.</p>
      <h3>VS Code</h3>
      ${copyableBlock('vs-code', '.vscode/mcp.json', configuration('servers', mcp))}
      <h3>Cursor and others</h3>
      ${copyableBlock('mcp-json', 'mcp.json', configuration('mcpServers', mcp))}
    </section>
    <section>
      <h2>Programs with an API key</h2>
      <p>
        Programs that run unattended send ${keys}. You can limit a key to certain brands and to read
        access.
      </p>
      <h3>VS Code, with a key</h3>
      ${copyableBlock(
        'vs-code-key',
        '.vscode/mcp.json with a key',
        configuration('servers', mcp, WITH_KEY),
      )}
      <h3>Cursor and others, with a key</h3>
      ${copyableBlock(
        'mcp-json-key',
        'mcp.json with a key',
        configuration('mcpServers', mcp, WITH_KEY),
      )}
    </section>
    <section>
      <h2>Command line</h2>
      <p>The <code>territory</code> command calls the same API with ${keys}.</p>
      ${copyableBlock('cli', 'First commands', commandLines(links.absoluteApi('')))}
    </section>`;
  return { path: '/account/connect', main };
}

/** @param under key of the servers: VS Code reads `servers`; most other clients read `mcpServers` */
const configuration = (
  under: 'servers' | 'mcpServers',
  url: string,
  headers?: Record<string, string>,
) =>
  JSON.stringify(
    { [under]: { [NAME]: { type: 'http', url, ...(headers && { headers }) } } },
    null,
    2,
  );

const commandLines = (api: string) =>
  [
    `export TERRITORY_URL=${api}`,
    `export TERRITORY_API_KEY=${KEY}`,
    'territory capabilities',
    'territory brands',
    'territory score dallas-tx roofing --limit 10',
  ].join('\n');
