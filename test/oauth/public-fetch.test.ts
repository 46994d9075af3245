import { describe, expect, it } from 'vitest';
import { isPublic, publicFetch } from '../../src/oauth/public-fetch.ts';
import { metadataHost } from '../support/metadata-host.ts';

describe('public addresses', () => {
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
    '2002:7f00:1::',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    'localhost',
    '',
  ])('%s is none', (address) => expect(isPublic(address)).toBe(false));

  it.each(['1.1.1.1', '172.32.0.1', '::ffff:1.1.1.1', '2606:4700::1111'])('%s is one', (address) =>
    expect(isPublic(address)).toBe(true),
  );
});

describe('what a client says of itself', async () => {
  const host = await metadataHost();

  it('is refused, and harms nobody, where the host answers a status that there is not', async () => {
    const odd = await metadataHost((_req, res) => res.socket!.end('HTTP/1.1 999 Odd\r\n\r\n'));
    await expect(odd.fetch(`${odd.origin}/client.json`, {})).rejects.toThrow('status');
  });

  it('is read by TLS from a host that is trusted', async () => {
    const answer = await host.fetch(`${host.origin}/client.json`, {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(await answer.json()).toMatchObject({ client_id: `${host.origin}/client.json` });
  });

  it.each([
    ['a name that leads to this machine', (port: string) => `https://localhost:${port}/`],
    ['an address of this machine', (port: string) => `https://127.0.0.1:${port}/`],
    ['the same in other notation', (port: string) => `https://0x7f.1:${port}/`],
    ['its IPv6 address', (port: string) => `https://[::1]:${port}/`],
    ['the same in other notation', (port: string) => `https://[::ffff:127.0.0.1]:${port}/`],
    ['plain HTTP', () => 'http://example.com/'],
  ])('is not asked for at %s', async (_kind, address) => {
    const asked = host.asked.length;
    const { port } = new URL(host.origin);
    await expect(publicFetch()(address(port), {})).rejects.toThrow(/public address|only https/);
    expect(host.asked).toHaveLength(asked);
  });

  it('is not believed without a good certificate', async () => {
    const careless = publicFetch({ isAllowed: () => true });
    await expect(careless(`${host.origin}/`, {})).rejects.toThrow(/certificate/);
  });

  it('is not followed to where it leads', async () => {
    const leading = await metadataHost((_req, res) => {
      res.writeHead(302, { Location: 'https://169.254.169.254/' }).end();
    });
    expect((await leading.fetch(`${leading.origin}/`, {})).status).toBe(302);
  });

  it('is waited for no longer than asked', async () => {
    const silent = await metadataHost(() => {});
    const signal = AbortSignal.timeout(50);
    await expect(silent.fetch(`${silent.origin}/`, { signal })).rejects.toThrow(/abort/i);
  });
});
