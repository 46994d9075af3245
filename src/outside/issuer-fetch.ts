/**
 * Fetches from issuers of company sign-in, within limits of time and size. Owners enter the issuer, so the rules of
 * `public-fetch.ts` apply.
 */
import type { BlockList } from 'node:net';
import { isInList } from '../text/networks.ts';
import { isPublic, publicFetch, type ClientFetch } from './public-fetch.ts';

/** Discovery documents and key sets take about 10 kB. */
const MAX_BYTES = 512 * 1024;
const TIMEOUT_MS = 10_000;

/** Whether a host is this machine. Its requests never cross a network, so they need no TLS. */
export const isLoopback = (host: string) =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);

/**
 * @param networks private networks that the operator allows. If they contain 127.0.0.1, issuers on this machine need
 *   no TLS.
 */
export function issuerFetch(networks: BlockList): ClientFetch {
  const isAllowed = (address: string) => isPublic(address) || isInList(networks, address);
  const isPlain = (host: string) => isLoopback(host) && isInList(networks, '127.0.0.1');
  const fetch = publicFetch({ isAllowed, isPlain });
  return async (url, init) => {
    const signal = AbortSignal.any([
      AbortSignal.timeout(TIMEOUT_MS),
      ...(init.signal ? [init.signal] : []),
    ]);
    const response = await fetch(url, { ...init, signal });
    const { status, headers } = response;
    const isEmpty = response.body === null;
    return new Response(isEmpty ? null : await readAtMost(response), { status, headers });
  };
}

async function readAtMost({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body!) {
    bytes += chunk.length;
    // Ending the loop cancels the body.
    if (bytes > MAX_BYTES) throw new Error(`the response exceeds ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
