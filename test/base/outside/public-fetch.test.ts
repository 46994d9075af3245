import { describe, expect, it } from 'vitest';
import { isPublic, publicFetch } from '../../../src/base/outside/public-fetch.ts';
import { metadataHost } from '../../support/servers/metadata-host.ts';

describe('isPublic', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    // IPv4-translated (RFC 2765), IPv4-compatible, and reserved addresses
    '::ffff:0:127.0.0.1',
    '::ffff:0:a9fe:a9fe',
    '::127.0.0.1',
    '100:0:0:1::1',
    '4000::1',
    // The host of a virtual machine in Azure
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '2002:7f00:1::',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    'localhost',
    '',
  ])('rejects "%s"', (address) => expect(isPublic(address)).toBe(false));

  it.each(['1.1.1.1', '172.32.0.1', '168.63.129.17', '::ffff:1.1.1.1', '2606:4700::1111'])(
    'accepts %s',
    (address) => expect(isPublic(address)).toBe(true),
  );
});

describe('publicFetch', async () => {
  const host = await metadataHost();

  it('rejects an invalid status instead of crashing the process', async () => {
    const odd = await metadataHost((_req, res) => res.socket!.end('HTTP/1.1 999 Odd\r\n\r\n'));
    await expect(odd.fetch(`${odd.origin}/client.json`, {})).rejects.toThrow('status');
  });

  it('reads a document over TLS from a trusted host', async () => {
    const answer = await host.fetch(`${host.origin}/client.json`, {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({ client_id: `${host.origin}/client.json` });
  });

  it.each([
    ['a host name of this machine', (port: string) => `https://localhost:${port}/`],
    ['an IPv4 address of this machine', (port: string) => `https://127.0.0.1:${port}/`],
    ['an IPv4 address in hexadecimal', (port: string) => `https://0x7f.1:${port}/`],
    ['an IPv6 address of this machine', (port: string) => `https://[::1]:${port}/`],
    ['an IPv4 address in IPv6 notation', (port: string) => `https://[::ffff:127.0.0.1]:${port}/`],
    ['a plain HTTP URL', () => 'http://example.com/'],
  ])('sends no request to %s', async (_kind, address) => {
    const requested = host.requested.length;
    const { port } = new URL(host.origin);
    await expect(publicFetch()(address(port), {})).rejects.toThrow(
      /public address|not an https URL/,
    );
    expect(host.requested).toHaveLength(requested);
  });

  it('rejects a certificate that is not trusted', async () => {
    const careless = publicFetch({ isAllowed: () => true });
    await expect(careless(`${host.origin}/`, {})).rejects.toThrow(/certificate/);
  });

  it('does not follow redirects', async () => {
    const leading = await metadataHost((_req, res) => {
      res.writeHead(302, { Location: 'https://169.254.169.254/' }).end();
    });
    expect((await leading.fetch(`${leading.origin}/`, {})).status).toBe(302);
  });

  it('stops waiting when the signal aborts', async () => {
    const silent = await metadataHost(() => {});
    const signal = AbortSignal.timeout(50);
    await expect(silent.fetch(`${silent.origin}/`, { signal })).rejects.toThrow(/abort/i);
  });
});
