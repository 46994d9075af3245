/**
 * Repeats cached answers without Koa, for operations that are declared `repeatable`. Handling such a request
 * again would take twice as long as sending the answer. Repeated requests are counted, logged, and
 * measured like any other.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Answer, Operation } from '../../contract/operation.ts';
import type { Encoding } from '../../contract/prepared.ts';
import type { Limiter } from '../../metering/limiter.ts';
import { limitFields, policyOfOperation } from '../limits/limits.ts';
import type { ClientOf } from '../requests/client-address.ts';
import { routeFound, type Route } from '../requests/find-operation.ts';
import type { BeginRequest } from '../requests/request-log.ts';
import { headerFields, type Fields } from './header-fields.ts';

/** A complete answer with status 200 */
export interface Sent {
  again: NonNullable<Answer['again']>;
  encoding: Encoding;
  /** All header fields */
  fields: Fields;
}

interface Repeatable extends Sent {
  route: Route;
  path: string;
}

export interface RepeatParts {
  begin: BeginRequest;
  limiter: Limiter;
  clientOf: ClientOf;
}

const MAX_ANSWERS = 2_000;
/** Longer addresses and headers are rare, and would fill the memory. */
const MAX_KEY_LENGTH = 500;

/** Fields that differ from request to request */
const PER_REQUEST = new Set([
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]);

export class Repeater {
  readonly #answers = new LRUCache<string, Repeatable>({ max: MAX_ANSWERS });
  readonly #parts: RepeatParts;

  constructor(parts: RepeatParts) {
    this.#parts = parts;
  }

  /** Remembers an answer that was sent to a plain GET of a repeatable operation. */
  remember(ctx: Context, { again, encoding, fields }: Sent): void {
    const route = routeFound(ctx);
    const key = keyOf(ctx.req);
    if (key === undefined || !isRepeatable(route?.answering)) return;
    const lasting = fields.filter((_, i) => !PER_REQUEST.has(fields[i - (i % 2)]!));
    this.#answers.set(key, { again, encoding, fields: lasting, route: route!, path: ctx.path });
  }

  /** Repeats what it can, and leaves all other requests to `listener`. */
  before(listener: RequestListener): RequestListener {
    return (req, res) => {
      const key = keyOf(req);
      const known = key === undefined ? undefined : this.#answers.get(key);
      if (!known) listener(req, res);
      else {
        // After a failure, the listener answers: it has the words for errors.
        const repeated = this.#repeat(known, req, res).catch(() => false);
        void repeated.then((sent) => sent || listener(req, res));
      }
    };
  }

  /** @returns whether it has answered */
  async #repeat(known: Repeatable, req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const { begin, limiter, clientOf } = this.#parts;
    const { route, encoding, path, fields } = known;
    const prepared = known.again();
    if (!prepared) return false;
    const startedAt = performance.now();
    const bytes = await prepared.encoded(encoding);
    const standing = await limiter.spend(policyOfOperation(route.operation), clientOf(req));
    // The listener counts the request once more, which changes nothing: none is left.
    if (standing.exceeded) return false;
    const state = { route };
    begin({ req, res, method: 'GET', path, state }, startedAt);
    res.writeHead(200, [...headerFields({ state }), ...limitFields([standing]), ...fields]);
    res.end(bytes);
    return true;
  }
}

const isRepeatable = (op: Operation | undefined) =>
  op !== undefined && op.repeatable === true && op.auth === 'none' && !op.deprecated;

/** Returns the address and the headers that select an answer; undefined if the listener must handle the request. */
function keyOf({ method, url = '', headers, httpVersion }: IncomingMessage): string | undefined {
  if (method !== 'GET' || httpVersion !== '1.1' || headers.host === undefined) return undefined;
  if (headers['if-none-match'] !== undefined || headers.expect !== undefined) return undefined;
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const key = `${url}\n${headers['accept-encoding']}\n${headers.accept}`;
  return key.length > MAX_KEY_LENGTH ? undefined : key;
}
