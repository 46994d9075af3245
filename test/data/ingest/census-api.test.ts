/** Reads from a local server that replaces the Census API and imitates its failures. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ImportError } from '../../../src/errors.ts';
import { downloadAcs } from '../../../src/data/ingest/census-api.ts';
import { silent } from '../../../src/data/ingest/progress.ts';
import { Findings } from '../../../src/data/ingest/report.ts';

type Respond = (request: URL, response: ServerResponse) => void;

const GEO = 'zip code tabulation area';
let respond: Respond;
let requests: URL[] = [];
const server = createServer((req: IncomingMessage, res) => {
  const url = new URL(req.url!, 'http://census');
  requests.push(url);
  respond(url, res);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data`;

/** A normal response: every value is a string, and the ZCTA comes last. */
const good: Respond = (url, res) => {
  const variables = url.searchParams.get('get')!.split(',');
  const values = variables.map((v) => (v === 'NAME' ? 'ZCTA5 75201' : '7'));
  res.end(
    JSON.stringify([
      [...variables, GEO],
      [...values, '75201'],
    ]),
  );
};

const download = (key?: string) => {
  const findings = new Findings();
  const api = { url: base, key, retryAfterMs: 1, timeoutMs: 500 };
  return downloadAcs(api, 2023, findings, silent).then((files) => ({ files, findings }));
};

const failure = async (key?: string) => {
  const error: unknown = await download(key).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ImportError);
  return (error as Error).message;
};

beforeEach(() => {
  respond = good;
  requests = [];
});

describe('the download from the Census API', () => {
  it('requests every table once, for all ZCTAs, with the required margins', async () => {
    const { files, findings } = await download('my key');
    expect(files.map((f) => f.tables).flat()).toEqual([
      'B01003',
      'B01002',
      'B19013',
      'B25003',
      'B25077',
      'B25024',
      'B25034',
      'B25035',
    ]);
    expect(files.every((f) => f.year === 2023 && f.rows.has('75201'))).toBe(true);
    expect(findings.rowsRead).toBe(8);
    const income = requests.find((r) => r.searchParams.get('get')!.includes('B19013'))!;
    expect(income.pathname).toBe('/data/2023/acs/acs5');
    expect(Object.fromEntries(income.searchParams)).toEqual({
      get: 'NAME,B19013_001E,B19013_001M',
      for: 'zip code tabulation area:*',
      key: 'my key',
    });
  });

  it('skips and notes a table that is not available for the vintage', async () => {
    respond = (url, res) => {
      if (!url.searchParams.get('get')!.includes('B25035')) return good(url, res);
      res.statusCode = 400;
      res.end("error: error: unknown variable 'B25035_001E'");
    };
    const { files, findings } = await download();
    expect(files).toHaveLength(7);
    expect(findings.notes).toEqual(['B25035: not available for 2023']);
  });

  it.each<[string, Respond]>([
    ['busy', (_, res) => res.writeHead(503).end('busy')],
    ['over its limit', (_, res) => res.writeHead(429).end()],
    ['sending incomplete responses', (_, res) => res.end('[["NAME","B01003_001E","zip code tab')],
    ['closing connections', (_, res) => res.destroy()],
    ['silent', () => {}],
  ])('tries again when the API is temporarily %s', async (_name, trouble) => {
    let failures = 2;
    respond = (url, res) => (failures-- > 0 ? trouble(url, res) : good(url, res));
    const { files } = await download();
    expect(files).toHaveLength(8);
    expect(requests).toHaveLength(10);
  });

  it('gives up after repeated failures and names the last one', async () => {
    respond = (_, res) => res.writeHead(500).end('<html>stack trace</html>');
    expect(await failure()).toBe(
      'B01003 of 2023: the Census API returned status 500. Nothing was changed. Try again later.',
    );
    expect(requests).toHaveLength(4);
  });

  it('does not retry a permanent failure', async () => {
    respond = (_, res) => res.writeHead(403).end();
    expect(await failure()).toMatch(/status 403/);
    expect(requests).toHaveLength(1);
  });

  it('reports a year without ACS', async () => {
    respond = (_, res) => res.writeHead(404).end();
    expect(await failure()).toMatch(/no ACS 5-Year tables for 2023/);
  });

  it('asks for a key, or a valid one, when the API returns its page about keys', async () => {
    respond = (_, res) => res.end('<html><head><title>Invalid Key</title></head></html>');
    expect(await failure('wrong')).toMatch(/rejected the key in CENSUS_API_KEY/);
    respond = (_, res) => res.writeHead(302, { Location: '/data/missing_key.html' }).end();
    expect(await failure()).toMatch(/requires a key. Set CENSUS_API_KEY/);
  });

  it('never includes the key in an error', async () => {
    respond = (_, res) => res.writeHead(500).end();
    expect(await failure('secret-key')).not.toContain('secret-key');
  });
});
