/** Who is asking, as far as it can be believed. */
import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { clientNetwork, isInList } from '../../network.ts';

/** The client's network of a request, by which limits count. */
export type ClientOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

const REMEMBERED = 1_000;
/** Long chains of proxies are none that anybody runs, and would fill the memory. */
const REMEMBERED_LENGTH = 200;

/**
 * `X-Forwarded-For` is walked from its right end, where the nearest proxy wrote, for as long as the
 * one who told us is a proxy of ours. What stands further left anybody may have made up.
 */
export function clientAddress(trustedProxies: BlockList): ClientOf {
  // Looking up a network takes longer than finding a cached answer.
  const known = new LRUCache<string, string>({ max: REMEMBERED });
  return ({ socket, headers }) => {
    const sender = socket.remoteAddress ?? '';
    const forwarded = String(headers['x-forwarded-for'] ?? '');
    const key = `${sender} ${forwarded}`;
    let client = known.get(key);
    if (client === undefined) {
      client = clientNetwork(believed(sender, forwarded, trustedProxies)) ?? 'unknown';
      if (key.length <= REMEMBERED_LENGTH) known.set(key, client);
    }
    return client;
  };
}

function believed(sender: string, forwarded: string, trustedProxies: BlockList): string {
  let address = sender;
  for (const told of forwarded.split(',').toReversed()) {
    if (!isInList(trustedProxies, address)) break;
    const next = withoutPort(told.trim());
    // A proxy that tells no address is itself all that is known.
    if (clientNetwork(next) === undefined) break;
    address = next;
  }
  return address;
}

/** Some proxies tell the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(told: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(told)?.[1] ?? /^([\d.]+):\d+$/.exec(told)?.[1] ?? told;
}

/** What was found out about a request, once limits have counted it. */
export const clientAt = ({ state }: Pick<Context, 'state'>) => state.client as string;
