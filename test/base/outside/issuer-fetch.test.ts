/** Requests to issuers, whose addresses owners enter. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { issuerFetch } from '../../../src/base/outside/issuer-fetch.ts';
import { networkList } from '../../../src/base/text/networks.ts';

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const local = issuerFetch(networkList(['127.0.0.1']));

describe('issuerFetch', () => {
  it('sends forms and returns the answer with its status', async () => {
    const url = await listen((req, res) => {
      let body = '';
      req.on('data', (chunk) => (body += chunk));
      req.on('end', () => res.writeHead(418).end(`${req.method} ${body}`));
    });
    const body = new URLSearchParams({ grant_type: 'x', code: 'a b' });
    const answer = await local(url, { method: 'POST', body });
    expect([answer.status, await answer.text()]).toEqual([418, 'POST grant_type=x&code=a+b']);
  });

  it('refuses private addresses, and http even at public ones', async () => {
    const strict = issuerFetch(networkList([]));
    const url = await listen((_req, res) => res.end('secret'));
    await expect(strict(url, {})).rejects.toThrow('is not an https URL');
    await expect(strict('https://10.0.0.1', {})).rejects.toThrow('is not a public address');
    await expect(strict('https://[::1]', {})).rejects.toThrow('is not a public address');
    await expect(local('http://example.com', {})).rejects.toThrow('is not an https URL');
    await expect(local('https://10.0.0.1', {})).rejects.toThrow('is not a public address');
  });

  it('follows no redirects', async () => {
    const url = await listen((_req, res) =>
      res.writeHead(302, { Location: 'http://10.0.0.1' }).end(),
    );
    expect((await local(url, {})).status).toBe(302);
  });

  it('refuses answers without end', async () => {
    const url = await listen((_req, res) => {
      const send = () => res.write('x'.repeat(100_000), () => setImmediate(send));
      send();
    });
    await expect(local(url, {})).rejects.toThrow('the response exceeds');
  });

  it('stops with the signal, even within the body', async () => {
    const url = await listen((_req, res) => void res.write('{'));
    await expect(local(url, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
  });
});
