/** Public descriptions of the MCP server. */
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { bareParts, serveBare } from '../../support/bare-app.ts';
import { head, sendRaw } from '../../support/raw-http.ts';

const site = 'https://territory.example.com';
const port = await serveBare(bareParts({ apiRoot: () => `${site}/api` }));
const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);

describe('/mcp/info', () => {
  it('has the endpoint, the authentication, and every tool with its units', async () => {
    const response = await ask('/api/mcp/info');
    expect(response.headers.get('RateLimit-Policy')).toBe('"mcp-info";q=60;w=60');
    expect(await response.json()).toMatchObject({
      transport: 'streamable-http',
      endpoint: `${site}/api/mcp`,
      authentication: expect.stringContaining('svc_live_'),
      tools: TOOLS.map(({ name, summary, units, write }) =>
        write ? { name, summary, units, write: true } : { name, summary, units },
      ),
    });
  });

  it('marks only the four tools that make changes as writes', async () => {
    const { tools } = (await (await ask('/api/mcp/info')).json()) as { tools: object[] };
    expect(tools.filter((tool) => 'write' in tool)).toHaveLength(4);
  });

  it('can be read by any page, cached, and revalidated', async () => {
    const response = await ask('/api/mcp/info');
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600');
    const { headers } = await sendRaw(port, head('GET', '/api/mcp/info'));
    const known = `If-None-Match: ${headers['etag']}`;
    expect((await sendRaw(port, head('GET', '/api/mcp/info', known))).status).toBe(304);
  });

  it('is also served at /.well-known/mcp.json', async () => {
    const elsewhere = await ask('/.well-known/mcp.json');
    expect(elsewhere.headers.get('RateLimit-Policy')).toBe('"well-known";q=120;w=60');
    expect(await elsewhere.json()).toEqual(await (await ask('/api/mcp/info')).json());
  });
});

describe('the server card', () => {
  it('is listed in the AI catalog', async () => {
    const catalog = (await (await ask('/.well-known/ai-catalog.json')).json()) as {
      entries: Record<string, string>[];
    };
    expect(catalog).toEqual({
      specVersion: '1.0',
      entries: [
        {
          identifier: 'urn:air:territory.example.com:mcp:territory-intelligence',
          type: 'application/mcp-server-card+json',
          url: `${site}/api/mcp/server-card`,
        },
      ],
    });
    const card = await ask(new URL(catalog.entries[0]!['url']!).pathname);
    expect(card.headers.get('Content-Type')).toBe('application/mcp-server-card+json');
    expect(card.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(card.headers.get('Cache-Control')).toBe('public, max-age=3600');
    expect(await card.json()).toMatchObject({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'com.example.territory/territory-intelligence',
      remotes: [
        {
          type: 'streamable-http',
          url: `${site}/api/mcp`,
          supportedProtocolVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']),
        },
      ],
    });
  });
});

it('llms.txt and llms-full.txt describe the tools', async () => {
  const full = await (await ask('/llms-full.txt')).text();
  for (const { name } of TOOLS) expect(full).toContain(`- \`${name}\`: `);
  expect(await (await ask('/llms.txt')).text()).toContain(`(${site}/api/mcp/info)`);
});
