import { describe, expect, it } from 'vitest';
import { clientAddress } from '../../../src/doors/http/requests/client-address.ts';
import { clientNetwork, networkList } from '../../../src/base/text/networks.ts';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('is, for %s, %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it.each(['', 'unknown', '192.0.2', '192.0.2.1/8', '_hidden', '1.2.3.4.5'])(
    'is undefined for "%s", which isn’t an address',
    (address) => {
      expect(clientNetwork(address)).toBeUndefined();
    },
  );
});

describe('a list of networks', () => {
  it.each(['nonsense', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/x', ''])(
    'refuses "%s"',
    (entry) => {
      expect(() => networkList(['127.0.0.1', entry])).toThrow(RangeError);
    },
  );
});

describe('the client of a request', () => {
  const clientOf = clientAddress(networkList(['10.0.0.0/8', 'fd00::/8', '192.0.2.7']));
  const client = (remoteAddress: string | undefined, forwarded?: string) =>
    clientOf({
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as never);

  it('is the sender unless that is a trusted proxy, whatever the header says', () => {
    expect(client('198.51.100.1', '203.0.113.9')).toBe('198.51.100.1');
    expect(client('::ffff:198.51.100.1', '203.0.113.9')).toBe('198.51.100.1');
  });

  it('is the address that a trusted proxy reports, even if the proxy’s address is mapped into IPv6', () => {
    expect(client('10.1.2.3', '203.0.113.9')).toBe('203.0.113.9');
    expect(client('::ffff:10.1.2.3', '203.0.113.9')).toBe('203.0.113.9');
    expect(client('fd00::5', '2001:db8::9')).toBe('2001:db8:0:0::/64');
  });

  it('is the last address in the chain that isn’t a trusted proxy, since earlier ones may be forged', () => {
    expect(client('10.1.2.3', '1.1.1.1, 203.0.113.9, 192.0.2.7')).toBe('203.0.113.9');
    expect(client('10.1.2.3', '10.9.9.9, 203.0.113.9')).toBe('203.0.113.9');
  });

  it('is the first address in the chain if all are trusted proxies', () => {
    expect(client('10.1.2.3', '10.0.0.1, 10.0.0.2')).toBe('10.0.0.1');
  });

  it('may be reported with its port', () => {
    expect(client('10.1.2.3', '203.0.113.9:4711')).toBe('203.0.113.9');
    expect(client('10.1.2.3', '[2001:db8::9]:4711')).toBe('2001:db8:0:0::/64');
  });

  it('is the proxy itself if the proxy reports no address', () => {
    expect(client('10.1.2.3')).toBe('10.1.2.3');
    expect(client('10.1.2.3', '203.0.113.9, unknown')).toBe('10.1.2.3');
    expect(client('10.1.2.3', '')).toBe('10.1.2.3');
  });

  it('is unknown after the connection has closed', () => {
    expect(client(undefined, '203.0.113.9')).toBe('unknown');
  });
});
