import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { exampleOf } from '../../../src/base/contract/resources.ts';
import { PublicBestZips } from '../../../src/base/contract/vertical-resources.ts';
import { fakeService, scripted, territory, type Scripted } from './territory.ts';

const WORDS = 'best dallas-tx roofing';
const good: Scripted = { body: exampleOf(PublicBestZips) as object };
const failure = (status: number, error: string, headers = {}): Scripted => ({
  status,
  headers,
  body: { error, code: 'x' },
});
const rateLimited = (retryAfter: string) =>
  failure(429, 'At most 100 requests a minute are served here.', { 'Retry-After': retryAfter });

describe.concurrent('a failed call', () => {
  it.each([
    [400, 4],
    [401, 5],
    [402, 5],
    [403, 5],
    [404, 3],
    [406, 1],
    [429, 6],
    [500, 7],
    [503, 7],
  ])(
    'with status %i prints the service’s message and ends with exit code %i',
    async (status, code) => {
      const service = await fakeService(scripted(failure(status, 'This is why – ü.')));
      expect(await territory(service, WORDS)).toMatchObject({
        code,
        stdout: '',
        stderr: 'territory: This is why – ü.\n',
      });
      expect(service.requests).toHaveLength(1);
    },
  );

  it('reports a response of another server', async () => {
    const html = { 'Content-Type': 'text/html' };
    const gateway = { status: 502, headers: html, body: '<h1>Bad Gateway</h1>' };
    expect(await territory(await fakeService(scripted(gateway)), WORDS)).toMatchObject({
      code: 7,
      stderr: 'territory: The server returned 502 Bad Gateway without an error message.\n',
    });
    const portal = { headers: html, body: '<h1>Welcome</h1>' };
    expect(await territory(await fakeService(scripted(portal)), WORDS)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/returned text\/html instead of application\/json/),
    });
    for (const body of ['null', '{"zips": [', '']) {
      expect(await territory(await fakeService(scripted({ body })), WORDS)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^territory: Could not read the response: it is not a JSON object\./,
        ),
      });
    }
    const other = { body: { hello: 'world' } };
    expect(await territory(await fakeService(scripted(other)), WORDS)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /: metroSlug is missing; verticalSlug is missing; zips is missing\. Check that TERRITORY_URL/,
      ),
    });
  });
});

describe.concurrent('a call that the service asks to repeat later', () => {
  it.each([
    ['after 429', rateLimited('1')],
    ['after 503', failure(503, 'The database is away.', { 'Retry-After': '1' })],
    ['at a time that has come', rateLimited(new Date(0).toUTCString())],
  ])('is repeated %s, with a message about the wait', async (_when, answer) => {
    const service = await fakeService(scripted(answer, answer, good));
    const { code, stdout, stderr } = await territory(service, WORDS);
    expect(code).toBe(0);
    expect(stdout).toContain('Frisco');
    expect(stderr).toMatch(
      /^territory: .+\nterritory: Waiting 1 s before retry 1 of 5\.\nterritory: .+\nterritory: Waiting 1 s before retry 2 of 5\./,
    );
    expect(service.requests).toHaveLength(3);
  });

  it.each([
    ['with --no-retry', `${WORDS} --no-retry`, rateLimited('1'), 6],
    ['when the wait exceeds --max-wait', `${WORDS} --max-wait 30`, rateLimited('31'), 6],
    ['without a Retry-After header', WORDS, failure(503, 'Away.'), 7],
    ['when Retry-After is invalid', WORDS, rateLimited('soon'), 6],
    ['after another failure', WORDS, failure(404, 'None.', { 'Retry-After': '1' }), 3],
  ])('is not repeated %s', async (_when, words, answer, code) => {
    const service = await fakeService(scripted(answer, good));
    const result = await territory(service, words);
    expect(result.code).toBe(code);
    expect(result.stderr).not.toContain('Waiting');
    expect(service.requests).toHaveLength(1);
  });

  it('counts all waits toward --max-wait', async () => {
    const service = await fakeService(scripted(rateLimited('1')));
    expect(await territory(service, `${WORDS} --max-wait 2`)).toMatchObject({ code: 6 });
    expect(service.requests).toHaveLength(3);
  });

  it('fails after five retries', async () => {
    const service = await fakeService(scripted(rateLimited('1')));
    expect(await territory(service, WORDS)).toMatchObject({ code: 6 });
    expect(service.requests).toHaveLength(6);
  });
});

describe.concurrent('territory without a service', () => {
  it('names the address and the setting for it', async () => {
    const { port } = await closedPort();
    const url = `http://127.0.0.1:${port}`;
    expect(await territory({ url }, WORDS)).toEqual({
      code: 7,
      bytes: Buffer.alloc(0),
      stdout: '',
      stderr: `territory: Could not reach ${url}. Start the service, or set TERRITORY_URL to its address.\n`,
    });
  });

  it('waits no longer than --timeout', async () => {
    const service = await fakeService(() => {});
    expect(await territory(service, `${WORDS} --timeout 0.2`)).toMatchObject({
      code: 7,
      stderr: `territory: ${service.url} did not respond within 0.2 s. Raise the limit with --timeout.\n`,
    });
  });

  it('prints nothing of an incomplete response', async () => {
    const service = await fakeService((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
      response.write('{"zipCode":', () => response.destroy());
    });
    expect(await territory(service, WORDS)).toMatchObject({
      code: 7,
      stdout: '',
      stderr: expect.stringMatching(/^territory: The connection to http:.* failed: .+\.\n$/),
    });
  });
});

describe.concurrent('the settings of territory', () => {
  it('set an address with a path, and a key', async () => {
    const service = await fakeService(scripted(good));
    const env = { TERRITORY_URL: `${service.url}/api/`, TERRITORY_API_KEY: 'svc_live_abc' };
    expect(await territory(service, WORDS, { env })).toMatchObject({ code: 0 });
    const [request] = service.requests;
    expect(request!.url).toBe('/api/public/metro/dallas-tx/vertical/roofing/best-zips');
    expect(request!.headers.authorization).toBe('Bearer svc_live_abc');
  });

  it('need no key, and ignore an empty one', async () => {
    const service = await fakeService(scripted(good));
    await territory(service, WORDS, { env: { TERRITORY_API_KEY: '' } });
    expect(service.requests[0]!.headers.authorization).toBeUndefined();
  });

  it.each(['localhost:3000', 'ftp://host', 'http://host?x=1', 'http://'])(
    'reject the address %s with exit code 2',
    async (url) => {
      expect(await territory({ url }, WORDS)).toMatchObject({
        code: 2,
        stderr: `territory: TERRITORY_URL is "${url}". Set it to a URL such as http://localhost:3000.\n`,
      });
    },
  );

  it('reject a malformed key without printing it', async () => {
    const service = await fakeService(scripted(good));
    const env = { TERRITORY_API_KEY: 'svc_live_abc\nX-Evil: 1' };
    const { code, stderr } = await territory(service, WORDS, { env });
    expect(code).toBe(2);
    expect(stderr).not.toContain('svc_live');
    expect(service.requests).toEqual([]);
  });
});

describe.concurrent('a deprecated operation', () => {
  const headers = {
    Deprecation: '@1787356800',
    Sunset: 'Sun, 22 Aug 2027 00:00:00 GMT',
    Link: '</x>; rel="describedby", <http://h/mcp/info>; rel="successor-version", <http://h/mcp.json>; rel=successor-version',
  };

  it('prints its end and its successors on standard error', async () => {
    const service = await fakeService(scripted({ ...good, headers }));
    const { code, stdout, stderr } = await territory(service, `${WORDS} --json`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(good.body);
    expect((JSON.parse(stderr) as { warning: string }).warning).toBe(
      '/public/metro/dallas-tx/vertical/roofing/best-zips was deprecated on ' +
        '2026-08-22 and will be removed on 2027-08-22. Use instead: http://h/mcp/info, http://h/mcp.json.',
    );
  });

  it('prints the notice once, even after a retry', async () => {
    const later = { ...rateLimited('1'), headers: { ...headers, 'Retry-After': '1' } };
    const service = await fakeService(scripted(later, { ...good, headers }));
    const { code, stderr } = await territory(service, WORDS);
    expect(code).toBe(0);
    expect(stderr.match(/was deprecated/g)).toHaveLength(1);
  });

  it('omits what the headers lack', async () => {
    const service = await fakeService(
      scripted({ ...good, headers: { Deprecation: '@1787356800', Sunset: 'some day' } }),
    );
    const { stderr } = await territory(service, WORDS);
    expect(stderr).toMatch(/ was deprecated on 2026-08-22\.\n$/);
  });
});

/** A port that nothing listens on. */
async function closedPort(): Promise<AddressInfo> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return address;
}
