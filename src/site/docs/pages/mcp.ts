/** How AI agents begin: signed in by a person, or with a key. */
import { TOOLS } from '../../../agent/tools.ts';
import { CONNECTION_DAYS, IDLE_DAYS, ROUTES } from '../../../oauth/provider.ts';
import { example, json, list, output, shell, steps, table, text, type DocPage } from '../blocks.ts';
import type { DocsSource } from '../documentation.ts';
import { exportKey, KEY_PLACEHOLDER, SAMPLE_NOTE } from './common.ts';

export const mcpPage = ({ roots: { api, site } }: DocsSource): DocPage => ({
  path: '/docs/mcp',
  name: 'Quick start: MCP',
  title: 'Quick start: MCP',
  description: `${TOOLS.length} tools for AI agents that score markets, find ZIPs to expand into, draw and share territories.`,
  sections: [
    {
      blocks: [
        text(
          `The server is at \`${api}/mcp\`: the [Model Context Protocol](https://modelcontextprotocol.io) over Streamable HTTP, stateless, of the revision 2026-07-28 and of those before it. There are two ways in. An app that a person uses signs in as that person; a program of yours sends a key. ${SAMPLE_NOTE}`,
        ),
      ],
    },
    {
      title: 'Sign in from an app',
      blocks: [
        steps(
          `In your AI app, add a custom connector (or remote MCP server) with the address \`${api}/mcp\`. Leave client id and secret empty.`,
          'The app opens this site in your browser. Sign in, and look at the page that asks for your consent: it names the app and where it will send you back to.',
          'Agree. The app now acts **with your own permissions**: somebody who may not write here cannot write through a connector either, and reviews stay with people.',
        ),
        text(
          'Steps for single apps, with texts to copy, are in your account under [Connect](/account/connect). What you have connected is listed under [Connections](/account/connections), where you can end each at once.',
        ),
      ],
    },
    {
      title: 'For authors of clients',
      blocks: [
        text(
          'Sign-in is the standard authorization of MCP, which is OAuth 2.1. A client library finds everything from the 401 of the endpoint, whose `WWW-Authenticate` names the resource metadata.',
        ),
        table(
          'Where the parts of the sign-in are',
          ['Part', 'Where', 'What to know'],
          [
            ['Resource metadata', '`/.well-known/oauth-protected-resource`', 'RFC 9728'],
            ['Server metadata', '`/.well-known/oauth-authorization-server`', 'RFC 8414'],
            [
              'Registration',
              '`/register`',
              'Client-ID metadata documents, or dynamic registration (RFC 7591)',
            ],
            ['Authorization', '`/authorize`', 'PKCE with `S256` is required; answers carry `iss`'],
            ['Token', '`/token`', 'Access tokens last one hour, refresh tokens rotate'],
            [
              'Revocation',
              `\`${ROUTES.revocation}\``,
              'RFC 7009; a refresh token that is sent there ends the connection',
            ],
          ],
        ),
        text(
          `Send \`resource=${api}/mcp\` to both \`/authorize\` and \`/token\`: a token is good for that audience and for no other.`,
        ),
        text(
          `A connection ends by itself after ${IDLE_DAYS} days without use, and ${CONNECTION_DAYS} days after it was made, however much it is used. Then the person signs in anew.`,
        ),
      ],
    },
    {
      title: 'Configure a client with a key',
      blocks: [
        text(
          'Mint a key under [API keys](/account/keys). It carries the brands that it reaches and whether it may write. Most clients read this; VS Code has `servers` in place of `mcpServers`:',
        ),
        example({
          id: 'mcp-config',
          language: 'json',
          code: JSON.stringify(
            {
              mcpServers: {
                territory: {
                  type: 'http',
                  url: `${api}/mcp`,
                  headers: { Authorization: `Bearer ${KEY_PLACEHOLDER}` },
                },
              },
            },
            null,
            2,
          ),
        }),
      ],
    },
    {
      title: 'Call it with curl',
      blocks: [
        text('One JSON-RPC message a request; no session has to be opened first.'),
        exportKey('mcp-key'),
        shell(
          'mcp-call',
          `curl ${api}/mcp \\
  -H "Authorization: Bearer $TERRITORY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
      "name": "service_score_territory",
      "arguments": { "metro": "dallas-tx", "vertical": "roofing", "limit": 2 }
    }
  }'`,
          json(`{
  "jsonrpc": "2.0",
  "id": 1,
  "result": {
    "content": […],
    "structuredContent": {
      "market": "Dallas-Fort Worth-Arlington, TX",
      "zips": [
        {
          "zip": "76078",
          "city": "Rhome",
          "state": "TX",
          "score": 100,
          "rank": 1,
          "households": 10710,
          "ownerOccupiedPct": 84.6,
          "medianHouseholdIncome": 127073,
          "medianHomeValue": 363500
        },
        …
      ],
      "total": 270,
      …
    },
    "isError": false
  }
}`),
        ),
        text(
          '`content` has the same as text for a model to read, `structuredContent` as data. `tools/list` describes each tool with its input and output.',
        ),
      ],
    },
    {
      title: 'Call it from JavaScript',
      blocks: [
        text('With the official client, `npm install @modelcontextprotocol/client`:'),
        example({
          id: 'mcp-javascript',
          language: 'js',
          code: `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const client = new Client({ name: 'my-agent', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(new URL('${api}/mcp'), {
    requestInit: {
      headers: { Authorization: \`Bearer \${process.env.TERRITORY_API_KEY}\` },
    },
  }),
);

const { tools } = await client.listTools();
console.log(tools.length, 'tools');

const { isError, structuredContent } = await client.callTool({
  name: 'service_discover_zips',
  arguments: { vertical: 'roofing', brand: 'lone-star-roofing', radiusMiles: 10, limit: 3 },
});
if (isError) throw new Error(structuredContent.error);
for (const { zip, score } of structuredContent.zips) console.log(zip, score);

await client.close();`,
          answer: output(`${TOOLS.length} tools
85266 100
75028 98
85255 98`),
        }),
      ],
    },
    {
      title: 'Changes need a confirmation',
      blocks: [
        text(
          'A tool that changes something does nothing until it is called with `confirm: true`. Without, it answers what would change, for the person to see:',
        ),
        shell(
          'mcp-preview',
          `curl ${api}/mcp \\
  -H "Authorization: Bearer $TERRITORY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {
      "name": "service_apply_territory",
      "arguments": { "brand": "lone-star-roofing", "zips": ["76102", "76107"] }
    }
  }'`,
          json(`{
  "jsonrpc": "2.0",
  "id": 2,
  "result": {
    "content": […],
    "structuredContent": {
      "code": "confirmation_required",
      "error": "Nothing was changed: this tool changes things only with confirm: true.",
      "preview": {
        "brand": "lone-star-roofing",
        "queued": ["76102", "76107"],
        …
      }
    },
    "isError": true
  }
}`),
        ),
        list(
          'ZIPs that were applied for wait for a [person’s review](/docs/territories). No tool can decide it.',
          'Give each change an `idempotencyKey` of your own: sent twice, it is done once.',
          'Previews and calls that fail cost no [units](/docs/limits).',
        ),
      ],
    },
    {
      title: 'Tools',
      blocks: [
        text(`The same list for programs is at [/mcp/info](${api}/mcp/info).`),
        table(
          'Tools of the MCP server',
          ['Tool', 'What it does', 'Units'],
          TOOLS.map(({ name, summary, units, write }) => [
            `\`${name}\``,
            write ? `${summary}. **Changes something**` : summary,
            String(units),
          ]),
        ),
        text(
          `What is wrong with a call is told in its result, with \`isError\` and a \`code\` of the [errors](/docs/errors). The [server card](${api}/mcp/server-card) and [/.well-known/mcp.json](${site}/.well-known/mcp.json) are for registries.`,
        ),
      ],
    },
  ],
});
