/** How clients are connected: those in which a person signs in, those that hold a key, the command line. */
import { copyableBlock } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { accountPage, type Resident } from '../frame.ts';

/** What clients are to call it */
const NAME = 'territory';
const KEY = 'svc_live_…';
const WITH_KEY = { Authorization: `Bearer ${KEY}` };

export function connectPage(
  { resident, done }: { resident: Resident; done: string | null },
  links: Links,
): string {
  const mcp = links.absoluteApi('/mcp');
  const keys = html`<a href="${links.page('/account/keys')}">an API key</a>`;
  const main = html`<p>
      AI agents work with ${resident.organization.name} over the Model Context Protocol. All that
      they need to be told is its address.
    </p>
    ${copyableBlock('mcp-url', 'MCP server', mcp)}
    <section>
      <h2>By signing in</h2>
      <p>
        Apps that people use lead you here to sign in, say what they want to do, and then act for
        you with your own permissions. What is connected is listed under
        <a href="${links.page('/account/connections')}">Connections</a>.
      </p>
      <h3>Claude</h3>
      <p>Settings → Connectors → Add custom connector: paste the address, then choose Connect.</p>
      <h3>ChatGPT</h3>
      <p>
        Settings → Apps &amp; Connectors → Advanced settings → Developer mode. Then Create: paste
        the address and choose OAuth.
      </p>
      <h3>Claude Code</h3>
      ${copyableBlock('claude-code', 'Command', `claude mcp add --transport http ${NAME} ${mcp}`)}
      <p class="quiet">Then <code>/mcp</code> in Claude Code, and Authenticate.</p>
      <h3>VS Code</h3>
      ${copyableBlock('vs-code', '.vscode/mcp.json', configuration('servers', mcp))}
      <h3>Cursor and others</h3>
      ${copyableBlock('mcp-json', 'mcp.json', configuration('mcpServers', mcp))}
    </section>
    <section>
      <h2>With a key</h2>
      <p>
        Programs that nobody sits at send ${keys}. A key can be kept to certain brands, and to
        reading.
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
      <h2>On the command line</h2>
      <p>The command <code>territory</code> calls the same interface, with ${keys}.</p>
      ${copyableBlock('cli', 'First commands', commandLines(links.absoluteApi('')))}
    </section>`;
  return accountPage({ path: '/account/connect', done, resident, main }, links);
}

/** @param under what the client looks for: most `mcpServers`, VS Code `servers` */
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
