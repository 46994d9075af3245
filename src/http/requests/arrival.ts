/** Limits the time until the body of a request has arrived. */
import type { IncomingMessage } from 'node:http';

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** @param late called if the body hasn't arrived by then */
export function limitArrival(req: IncomingMessage, ms: number, late: () => void): void {
  if (!hasBody(req)) return;
  const deadline = setTimeout(() => {
    if (!req.complete) late();
  }, ms).unref();
  deadlines.set(req, deadline);
  req.once('close', () => clearTimeout(deadline));
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Lets a large file take longer, up to the server's own limit for all requests. */
export const allowLongArrival = (req: IncomingMessage): void => clearTimeout(deadlines.get(req));
