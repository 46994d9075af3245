/**
 * W3C trace context (https://www.w3.org/TR/trace-context/). A request with a `traceparent` header keeps its
 * trace: log lines contain it, and outgoing messages, such as SQL, pass it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface Trace {
  /** 32 hexadecimal digits, the same in all systems that handle a request */
  traceId: string;
  /** 16 hexadecimal digits: this service's part of the trace */
  spanId: string;
  /** The span that sent the request */
  parentId: string;
  flags: string;
}

/** Later versions may append fields. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Starts this service's span of a trace; undefined for a missing or malformed header. */
export function traceOf(traceparent: unknown): Trace | undefined {
  const parts = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (!parts) return undefined;
  const [, traceId, parentId, flags] = parts as unknown as [string, string, string, string];
  return { traceId, parentId, flags, spanId: randomBytes(8).toString('hex') };
}

/** The value of `traceparent` for outgoing calls. */
const traceparentOf = ({ traceId, spanId, flags }: Trace) => `00-${traceId}-${spanId}-${flags}`;

const current = new AsyncLocalStorage<Trace>();

/** Runs the work of a request in its trace. */
export const withinTrace = <T>(trace: Trace, work: () => T): T => current.run(trace, work);

/**
 * Appends the trace to a statement as a comment (the sqlcommenter format), so that the request of a
 * statement in the database's slow log can be found. Its parts are hexadecimal digits, so it can't end the
 * comment.
 */
export function appendTrace(sql: string): string {
  const trace = current.getStore();
  return trace ? `${sql} /*traceparent='${traceparentOf(trace)}'*/` : sql;
}
