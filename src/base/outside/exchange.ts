/**
 * Every request that leaves the service: one deadline for the host name, the connection, the answer, and its body, and
 * one limit of size. Only downloads of operators, which take minutes, have a reader of their own.
 */
import { within } from './deadline.ts';
import type { ClientFetch } from './public-fetch.ts';

export interface ExchangeLimits {
  /** Milliseconds for everything */
  ms: number;
  /** Size of the body */
  bytes: number;
  /** `cut` keeps the beginning of a body that is longer, or that stops. Default: both are failures */
  rest?: 'cut';
}

/** An answer that was read */
export interface Exchanged extends Pick<Response, 'ok' | 'status' | 'statusText' | 'headers'> {
  bytes: Buffer;
  /** With `cut`: the failure that ended the body early */
  stopped?: unknown;
}

/**
 * Sends a request and reads its answer.
 * @param init its signal can end the request earlier
 * @throws DOMException as `within`; Error of `fetch`, or for an answer that is too long
 */
export async function exchange(
  url: string | URL,
  init: RequestInit,
  limits: ExchangeLimits,
  fetch: ClientFetch = globalThis.fetch,
): Promise<Exchanged> {
  const chunks: Uint8Array[] = [];
  let response: Response | undefined;
  let stopped: unknown;
  try {
    await within(
      limits.ms,
      async (signal) => {
        response = await fetch(String(url), { ...init, signal });
        await readInto(chunks, response, limits);
      },
      init.signal,
    );
  } catch (error) {
    if (!response || limits.rest !== 'cut') throw error;
    stopped = error;
  }
  const { ok, status, statusText, headers } = response!;
  return { ok, status, statusText, headers, bytes: Buffer.concat(chunks), stopped };
}

/** A `fetch` with limits, for libraries that send requests of their own. It has read an answer before it returns it. */
export const limitedFetch =
  (fetch: ClientFetch, limits: ExchangeLimits): ClientFetch =>
  async (url, init) => {
    const { status, headers, bytes } = await exchange(url, init, limits, fetch);
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers });
  };

async function readInto(
  chunks: Uint8Array[],
  { body }: Response,
  { bytes: limit, rest }: ExchangeLimits,
): Promise<void> {
  let left = limit;
  for await (const chunk of body ?? []) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    // Ending the loop cancels the body.
    if (left < 0 && rest !== 'cut') throw new Error(`the response exceeds ${limit} bytes`);
    if (left <= 0 && rest === 'cut') return;
  }
}
