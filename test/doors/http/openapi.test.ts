import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { serveBare } from '../../support/bare-app.ts';
import { head, sendRaw } from '../../support/raw-http.ts';

const api = 'https://territory.test/api';
const port = await serveBare({ apiRoot: () => api });

const ask = (path: string, accept?: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}/api${path}`, {
    ...init,
    headers: { ...(accept && { Accept: accept }), ...(init.headers as object) },
  });
const typeOf = (response: Response) => response.headers.get('Content-Type')!.split(';')[0];

const document = (await (await ask('/openapi.json')).json()) as {
  servers: object[];
  paths: object;
};

/** The service serializes the document in slices. The result must equal one call of `stringify`. */
async function expectYaml(response: Response): Promise<void> {
  expect(await response.text()).toBe(stringify(document, { aliasDuplicateObjects: false }));
}

describe('/openapi.json', () => {
  it.each(['*/*', 'application/*', 'application/json', 'application/yaml;q=0.5, */*'])(
    'returns JSON for Accept: %s',
    async (accept) => {
      const response = await ask('/openapi.json', accept);
      expect(response.status).toBe(200);
      expect(typeOf(response)).toBe('application/json');
      expect(await response.json()).toEqual(document);
    },
  );

  it.each([
    'application/yaml',
    'text/yaml',
    'application/x-yaml',
    'application/vnd.oai.openapi',
    'application/yaml, application/json;q=0.9',
  ])('returns YAML in the preferred media type for Accept: %s', async (accept) => {
    const response = await ask('/openapi.json', accept);
    expect(response.status).toBe(200);
    expect(typeOf(response)).toBe(accept.split(',')[0]);
    await expectYaml(response);
  });

  it('returns 406 if the client accepts neither', async () => {
    const response = await ask('/openapi.json', 'text/html, application/json;q=0');
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({ code: 'not_acceptable' });
    expect(response.headers.get('RateLimit-Policy')).toBe('"openapi";q=120;w=60');
  });

  it('varies by the Accept header', async () => {
    for (const accept of ['application/json', 'text/yaml']) {
      const { headers } = await ask('/openapi.json', accept);
      expect(headers.get('Vary')).toBe('Accept-Encoding, Accept');
      expect(headers.get('Cache-Control')).toBe('public, max-age=86400');
    }
  });

  it('returns 304 only for the ETag of the same media type', async () => {
    const send = (accept: string, etag = '') =>
      sendRaw(
        port,
        head('GET', '/api/openapi.json', `Accept: ${accept}`, `If-None-Match: ${etag}`),
      );
    const { etag } = (await send('text/yaml')).headers;
    const again = await send('text/yaml', etag);
    expect(again.status).toBe(304);
    expect(again.headers['vary']).toBe('Accept-Encoding, Accept');
    expect((await send('application/json', etag)).status).toBe(200);
  });

  it('names the server and lists no pages of the site', () => {
    expect(document.servers).toEqual([{ url: api }]);
    expect(Object.keys(document.paths)).toContain('/openapi.json');
    expect(Object.keys(document.paths)).not.toContain('/llms.txt');
  });
});

it('/openapi.yaml returns the same document for any Accept header', async () => {
  const response = await ask('/openapi.yaml', 'text/html');
  expect(typeOf(response)).toBe('application/yaml');
  await expectYaml(response);
});

describe.each(['/agent/openapi.json', '/agent/mcp-manifest.json'])('%s', (path) => {
  it('requires a credential', async () => {
    for (const credential of ['', 'Bearer svc_live_forged']) {
      const response = await ask(path, undefined, { headers: { Authorization: credential } });
      expect(response.status).toBe(401);
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer /);
      expect(await response.json()).toMatchObject({ code: 'unauthorized' });
    }
  });
});

describe('/openapi-3.0/{tag}.json', () => {
  it('has the operations of a tag in a version that External Services read', async () => {
    const response = await ask('/openapi-3.0/Lookups.json');
    expect(response.status).toBe(200);
    const text = await response.text();
    const { openapi, paths, components } = JSON.parse(text);
    expect(openapi).toMatch(/^3\.0\./);
    expect(Object.keys(paths)).toContain('/agent/serving');
    const tags = Object.values(paths).flatMap((path: any) =>
      Object.values(path).flatMap((one: any) => one.tags),
    );
    expect(new Set(tags)).toEqual(new Set(['Lookups']));
    // Of 3.1 only
    expect(text).not.toMatch(/"type":\[|"type":"null"|"const":|"prefixItems":|"examples":\[/);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object.keys(components.schemas)).toContain(name);
    }
  });

  it('names the tags if there is no such one', async () => {
    const response = await ask('/openapi-3.0/Leads.json');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: expect.stringMatching(/^There is no tag "Leads"\. Use one of: .*Lookups/),
    });
  });
});
