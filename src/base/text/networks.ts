/** Client networks, and lists of networks. */
import { BlockList, isIP } from 'node:net';

/**
 * Returns the network that counts as one client: the address for IPv4, and the /64 network for IPv6,
 * because a subscriber has at least a /64 (RFC 6177) and could use a new address for each request.
 *
 * @param address may be IPv4 mapped into IPv6 (RFC 4291, 2.5.5.2)
 * @returns undefined if it isn't an address
 */
export function clientNetwork(address: string): string | undefined {
  const version = isIP(address);
  if (version === 4) return address;
  if (version !== 6) return undefined;
  const groups = ipv6Groups(address);
  return mappedIpv4(groups) ?? `${groups.slice(0, 4).map(hex).join(':')}::/64`;
}

/**
 * Returns the network around a client's: /24 for IPv4, and /48 for IPv6, the largest that subscribers get (RFC 6177).
 * @param network from `clientNetwork`
 */
export const networkAround = (network: string): string =>
  network.includes(':')
    ? `${network.split(':').slice(0, 3).join(':')}::/48`
    : `${network.split('.').slice(0, 3).join('.')}.0/24`;

/** @throws RangeError that names the first entry that is neither an address nor a CIDR range */
export function networkList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    if (version === 0 || Number(prefix ?? 0) > bits) {
      throw new RangeError(`${entry} is neither an address nor a range such as 10.0.0.0/8`);
    }
    list.addSubnet(address, Number(prefix ?? bits), version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** IPv4 addresses mapped into IPv6 match IPv4 entries. */
export function isInList(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function ipv6Groups(address: string): number[] {
  // The URL parser normalizes all notations to hexadecimal groups.
  const [withoutZone = ''] = address.split('%');
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

function mappedIpv4(groups: number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return undefined;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

const hex = (group: number) => group.toString(16);
