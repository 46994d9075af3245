/**
 * Sends requests to URLs that strangers or customers chose: client metadata documents, webhooks, and issuers of company
 * sign-in. To prevent server-side request forgery, it uses only HTTPS, connects only to public addresses, whatever the
 * host name resolves to at that moment, and follows no redirects. The caller limits time and size.
 */
import { lookup } from 'node:dns';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isInList, networkList } from '../text/networks.ts';

/** Special-purpose addresses (RFC 6890 and IANA's registries), multicast, and tunnels to IPv4. */
const NOT_PUBLIC = networkList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
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
  '::/96',
  '64:ff9b::/32',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

export const isPublic = (address: string) => isIP(address) !== 0 && !isInList(NOT_PUBLIC, address);

/** A body is a text or form fields. */
export type ClientFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Overrides for tests */
export interface Trust {
  /** The allowed addresses. Default: public ones */
  isAllowed?: (address: string) => boolean;
  /** The trusted certificate authority. Default: Node's */
  ca?: string;
  /** The hosts that may be asked without TLS. Default: none */
  isPlain?: (host: string) => boolean;
}

export function publicFetch({
  isAllowed = isPublic,
  ca,
  isPlain = () => false,
}: Trust = {}): ClientFetch {
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
        lookup: publicLookup(isAllowed),
        agent: false,
        ...(signal && { signal }),
        ...(ca !== undefined && { ca }),
      };
      const outgoing = (plain ? requestPlain : request)(url, options, (incoming) => {
        try {
          resolve(responseOf(incoming));
        } catch (error) {
          // `Response` throws for an invalid status. If uncaught, this would end the process.
          incoming.destroy();
          reject(error as Error);
        }
      });
      outgoing.on('error', reject);
      outgoing.end(body ? String(body as string | URLSearchParams) : undefined);
    });
}

/**
 * Checks where a host name leads now. A request checks it again.
 * @throws Error that says why it isn't at a public address
 */
export async function requirePublicHost(
  { hostname }: URL,
  { isAllowed = isPublic }: Trust = {},
): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) {
    if (!isAllowed(host)) throw new Error(`${host} is not a public address`);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    publicLookup(isAllowed)(host, {}, (error) => (error ? reject(error) : resolve()));
  });
}

function responseOf(incoming: IncomingMessage): Response {
  const body = Readable.toWeb(incoming) as ReadableStream;
  const status = incoming.statusCode!;
  // `Response` throws if these statuses have a body, even an empty one.
  const isEmpty = status === 204 || status === 205 || status === 304;
  const fields = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(isEmpty ? null : body, { status, headers: fields });
}

/** Requires all addresses of a name to be allowed, because Node chooses which of them to connect to. */
function publicLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const refused = addresses.find(({ address }) => !isAllowed(address));
      if (refused || addresses.length === 0) {
        return callback(new Error(`${hostname} is not at a public address`), []);
      }
      if (options.all) return callback(null, addresses);
      return callback(null, addresses[0]!.address, addresses[0]!.family);
    });
}
