/** Limits the time until the body of a request has arrived. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** @param late called if the body hasn't arrived by then */
export function limitArrival(
  req: IncomingMessage,
  res: ServerResponse,
  ms: number,
  late: () => void,
): void {
  if (!hasBody(req)) return;
  const start = () => {
    const end = () => {
      if (!req.complete) late();
    };
    timers.set(req, setTimeout(end, ms).unref());
  };
  start();
  // A file that may take longer is of no use after its answer.
  res.once('finish', () => {
    if (!timers.has(req) && !req.complete) start();
  });
  req.once('close', () => clearTimeout(timers.get(req)));
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Lets a large file take longer until it's answered, up to the server's own limit for all requests. */
export function allowLongArrival(req: IncomingMessage): void {
  clearTimeout(timers.get(req));
  timers.delete(req);
}
