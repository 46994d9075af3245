/**
 * Sends requests to URLs that strangers or customers chose: client metadata documents, webhooks, and issuers of company
 * sign-in. To prevent server-side request forgery, it uses only HTTPS, connects only to public addresses, whatever the
 * host name resolves to at that moment, and follows no redirects. `exchange.ts` limits time and size.
 */
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { isInList, networkList } from '../text/networks.ts';
import { within } from './deadline.ts';

/** Addresses of single hosts. Of IPv6, all others are reserved, or translate to IPv4 (IANA, IPv6 address space). */
const UNICAST = networkList(['0.0.0.0/0', '2000::/3']);

/** Special-purpose addresses (RFC 6890 and IANA's registries), multicast, and tunnels to IPv4 */
const NOT_PUBLIC = networkList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // The host of a virtual machine in Azure, which configures it
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

export const isPublic = (address: string) =>
  isInList(UNICAST, address) && !isInList(NOT_PUBLIC, address);

/** A body is a text or form fields. */
export type ClientFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Overrides for tests, and for issuers in private networks */
interface Trust {
  /** The allowed addresses. Default: public ones */
  isAllowed?: (address: string) => boolean;
  /** The trusted certificate authority. Default: Node's */
  ca?: string;
  /** The hosts that may be asked without TLS. Default: none */
  isPlain?: (host: string) => boolean;
  /** Whether host names are those of the machine, such as in its hosts file. Default: only those of DNS */
  isLocalName?: boolean;
  /** The DNS servers. Default: those of the machine */
  dnsServers?: readonly string[];
}

export function publicFetch(trust: Trust = {}): ClientFetch {
  const { isAllowed = isPublic, ca, isPlain = () => false } = trust;
  return (address, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const url = new URL(address);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      const plain = url.protocol === 'http:' && isPlain(host);
      if (url.protocol !== 'https:' && !plain) throw new Error(`${address} is not an https URL`);
      // `lookup` isn't called for IP addresses.
      if (isIP(host) && !isAllowed(host)) throw new Error(`${host} is not a public address`);
      const options: RequestOptions = {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        lookup: publicLookup(trust),
        agent: false,
        ...(signal && { signal }),
        ...(ca !== undefined && { ca }),
      };
      const outgoing = (plain ? requestPlain : request)(url, options, (incoming) => {
        try {
          resolve(responseOf(incoming));
        } catch (error) {
          // If uncaught, this would end the process.
          incoming.destroy();
          reject(error as Error);
        }
      });
      outgoing.on('error', reject);
      // Without this, Node closes the socket, and reports neither an answer nor an error.
      outgoing.on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        reject(notFinal(statusCode));
      });
      outgoing.on('close', () => reject(closedEarly()));
      outgoing.end(body ? String(body as string | URLSearchParams) : undefined);
    });
}

const notFinal = (status = 0) => new Error(`the answer was ${status}, which isn’t a final status`);

const closedEarly = () =>
  Object.assign(new Error('the connection was closed without an answer'), { code: 'ECONNRESET' });

/** Time to look up a host name outside of a request */
const LOOKUP_MS = 10_000;

/**
 * Checks where a host name leads now. A request checks it again.
 * @throws Error that says why it isn't at a public address
 */
export async function requirePublicHost({ hostname }: URL, trust: Trust = {}): Promise<void> {
  const { isAllowed = isPublic } = trust;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (!isIP(host)) await within(LOOKUP_MS, () => publicAddresses(host, trust));
  else if (!isAllowed(host)) throw new Error(`${host} is not a public address`);
}

function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode!;
  // `Response` throws for these, too, in words about itself.
  if (status < 200 || status > 599) throw notFinal(status);
  const body = Readable.toWeb(incoming) as ReadableStream;
  // `Response` throws if these statuses have a body, even an empty one.
  const isEmpty = status === 204 || status === 205 || status === 304;
  const fields = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(isEmpty ? null : body, { status, headers: fields });
}

function publicLookup(trust: Trust): LookupFunction {
  const find = callbackify(publicAddresses);
  return (hostname, { all }, callback) =>
    find(hostname, trust, (error, addresses) => {
      if (error) callback(error, []);
      else if (all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
}

/** Requires all addresses of a name to be allowed, because Node chooses which of them to connect to. */
async function publicAddresses(hostname: string, trust: Trust): Promise<LookupAddress[]> {
  const { isAllowed = isPublic, isLocalName = false, dnsServers } = trust;
  const addresses = isLocalName
    ? await lookup(hostname, { all: true })
    : await addressesInDns(hostname, dnsServers);
  if (addresses.length > 0 && addresses.every(({ address }) => isAllowed(address)))
    return addresses;
  throw new Error(`${hostname} is not at a public address`);
}

/** Names of this machine (RFC 6761, 6.3), which are in no DNS */
const IS_LOCALHOST = /^(.*\.)?localhost\.?$/i;
const LOCALHOST = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const DNS = { timeout: 2_000, tries: 2 };

/**
 * Asks DNS itself. The operating system's `lookup` holds one of the two threads that the process has for host names,
 * those of its database included, until a name server answers. The owner of a name decides when it does.
 */
async function addressesInDns(
  hostname: string,
  servers?: readonly string[],
): Promise<LookupAddress[]> {
  if (IS_LOCALHOST.test(hostname)) return LOCALHOST;
  const resolver = new Resolver(DNS);
  if (servers) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
  const [failure] = [four, six].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (found.length === 0 && failure) throw lookupFailure(hostname, failure as Error);
  return found;
}

const addressesOf = (found: PromiseSettledResult<string[]>, family: number): LookupAddress[] =>
  found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];

/** As `lookup` would report it */
function lookupFailure(hostname: string, cause: NodeJS.ErrnoException): Error {
  const isUnknown = cause.code === 'ENOTFOUND' || cause.code === 'ENODATA';
  const code = isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`${hostname} can’t be looked up`, { cause }), { code });
}
