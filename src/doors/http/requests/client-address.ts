/** Finds the client of a request behind trusted proxies. */
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import { cacheOf } from '../../../base/cache/cache.ts';
import { clientNetwork, isInList } from '../../../base/text/networks.ts';

/** Returns the client network of a request, which limits are counted by. */
export type ClientOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

/** Longer headers are likely forged, and caching them would fill the memory. */
const MAX_KEY_LENGTH = 200;

/**
 * Reads `X-Forwarded-For` from right to left, starting with the entry of the nearest proxy, as long as each
 * reporting address is a trusted proxy. Entries further left may be forged.
 */
export function clientAddress(trustedProxies: BlockList): ClientOf {
  // Computing a network takes half as long as sending a cached answer.
  const known = cacheOf<string>(() => 0);
  return ({ socket, headers }) => {
    const sender = socket.remoteAddress ?? '';
    const forwarded = String(headers['x-forwarded-for'] ?? '');
    const key = `${sender} ${forwarded}`;
    let client = known.get(key);
    if (client === undefined) {
      client = clientNetwork(trustedAddress(sender, forwarded, trustedProxies)) ?? 'unknown';
      if (key.length <= MAX_KEY_LENGTH) known.set(key, client);
    }
    return client;
  };
}

function trustedAddress(sender: string, forwarded: string, trustedProxies: BlockList): string {
  let address = sender;
  for (const entry of forwarded.split(',').toReversed()) {
    if (!isInList(trustedProxies, address)) break;
    const next = withoutPort(entry.trim());
    // If an entry isn't an address, the proxy that added it is the last known address.
    if (clientNetwork(next) === undefined) break;
    address = next;
  }
  return address;
}

/** Some proxies include the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

/** The client network. Available after limits have counted the request. */
export const clientAt = ({ state }: Pick<Context, 'state'>) => state.client as string;
