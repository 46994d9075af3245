/**
 * Repeats cached answers without Koa, for operations that are declared `repeatable`. Koa's handling would
 * take twice as long as sending the answer. Repeated requests are counted, logged, and measured like all
 * others.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Answer, Operation } from '../../contract/operation.ts';
import type { Encoding } from '../../contract/prepared.ts';
import type { PolicyName } from '../../contract/limits.ts';
import type { Limiter, Standing } from '../../metering/limiter.ts';
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

interface Repeatable extends Omit<Sent, 'fields'> {
  route: Route;
  path: string;
  policy: PolicyName;
  /** Fields before and after those of the client's limits */
  before: Fields;
  after: Fields;
}

export interface RepeatParts {
  begin: BeginRequest;
  limiter: Limiter;
  clientOf: ClientOf;
}

const MAX_ANSWERS = 2_000;
/** Longer addresses and headers are rare and would fill the memory. */
const MAX_KEY_LENGTH = 500;

/** Fields that change with each request */
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
    if (key === undefined || route === undefined || !isRepeatable(route.answering)) return;
    const { path } = ctx;
    const limits = fields.indexOf('RateLimit');
    this.#answers.set(key, {
      ...{ again, encoding, route, path },
      policy: policyOfOperation(route.operation),
      before: lasting(fields.slice(0, limits)),
      after: lasting(fields.slice(limits)),
    });
  }

  /** Repeats an answer if possible, and passes all other requests to `listener`. */
  wrap(listener: RequestListener): RequestListener {
    const { limiter, clientOf } = this.#parts;
    return (req, res) => {
      const startedAt = performance.now();
      const key = keyOf(req);
      const known = key === undefined ? undefined : this.#answers.get(key);
      const bytes = known?.again()?.ready(known.encoding);
      if (!known || !bytes) return listener(req, res);
      const answer = (standing: Standing) => {
        // The listener counts the request once more. That changes nothing, because the limit is already
        // exceeded.
        if (standing.exceeded) listener(req, res);
        else this.#send(known, bytes, standing, req, res, startedAt);
      };
      // If counting fails, the listener answers, since it can present errors.
      limiter
        .count(known.policy, clientOf(req))
        .then(answer, () => listener(req, res))
        .catch((error: Error) => res.destroy(error));
    };
  }

  #send(
    { route, path, before, after }: Repeatable,
    bytes: Buffer,
    standing: Standing,
    req: IncomingMessage,
    res: ServerResponse,
    startedAt: number,
  ): void {
    const state = { route };
    this.#parts.begin({ req, res, method: 'GET', path, state }, startedAt);
    const fields = [...headerFields({ state }), ...before, ...limitFields([standing]), ...after];
    res.writeHead(200, fields).end(bytes);
  }
}

const lasting = (fields: Fields) => fields.filter((_, i) => !PER_REQUEST.has(fields[i - (i % 2)]!));

const isRepeatable = (op: Operation | undefined) =>
  op !== undefined && op.repeatable === true && !NEEDS_CALLER.has(op.auth) && !op.deprecated;

const NEEDS_CALLER = new Set<Operation['auth']>(['bearer-or-connector', 'bearer-or-session']);

/**
 * Returns the address and the headers that select an answer, or undefined if the listener must handle the
 * request.
 */
function keyOf({ method, url = '', headers, httpVersion }: IncomingMessage): string | undefined {
  if (method !== 'GET' || httpVersion !== '1.1' || headers.host === undefined) return undefined;
  if (headers['if-none-match'] !== undefined || headers.expect !== undefined) return undefined;
  if (headers['transfer-encoding'] !== undefined) return undefined;
  // Counts against the limits of the key.
  if (headers.authorization !== undefined) return undefined;
  const key = `${url}\n${headers['accept-encoding']}\n${headers.accept}`;
  return key.length > MAX_KEY_LENGTH ? undefined : key;
}
