/** Limits the time until the body of a request has arrived. */
import type { IncomingMessage } from 'node:http';

interface Limit {
  ms: number;
  late: () => void;
  timer: NodeJS.Timeout;
}

const limits = new WeakMap<IncomingMessage, Limit>();

/** @param late called if the body hasn't arrived by then */
export function limitArrival(req: IncomingMessage, ms: number, late: () => void): void {
  if (!hasBody(req)) return;
  limits.set(req, { ms, late, timer: timerOf(req, ms, late) });
  req.once('close', () => clearTimeout(limits.get(req)!.timer));
}

const timerOf = (req: IncomingMessage, ms: number, late: () => void) =>
  setTimeout(() => {
    if (!req.complete) late();
  }, ms).unref();

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Lets a large file take longer, up to the server's own limit for all requests. */
export const allowLongArrival = (req: IncomingMessage): void =>
  clearTimeout(limits.get(req)?.timer);

/** Limits the rest of a body that nobody reads anymore. */
export function limitRest(req: IncomingMessage): void {
  const limit = limits.get(req);
  if (limit && !req.complete) limit.timer = timerOf(req, limit.ms, limit.late);
}
