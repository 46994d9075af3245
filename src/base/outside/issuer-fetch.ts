/** Fetches from issuers of company sign-in. Owners enter the issuer, so the rules of `public-fetch.ts` apply. */
import type { BlockList } from 'node:net';
import { isInList } from '../text/networks.ts';
import { limitedFetch, type ExchangeLimits } from './exchange.ts';
import { isPublic, publicFetch, type ClientFetch } from './public-fetch.ts';

/** Discovery documents and key sets take about 10 kB. */
const LIMITS: ExchangeLimits = { ms: 10_000, bytes: 512 * 1024 };

/** Whether a host is this machine. Its requests never cross a network, so they need no TLS. */
export const isLoopback = (host: string) =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);

/**
 * @param networks private networks that the operator allows. If they contain 127.0.0.1, issuers on this machine need
 *   no TLS.
 */
export function issuerFetch(networks: BlockList, limits = LIMITS): ClientFetch {
  const isAllowed = (address: string) => isPublic(address) || isInList(networks, address);
  const isPlain = (host: string) => isLoopback(host) && isInList(networks, '127.0.0.1');
  // Hosts of private networks may be known to the machine alone.
  const isLocalName = networks.rules.length > 0;
  return limitedFetch(publicFetch({ isAllowed, isPlain, isLocalName }), limits);
}
