/** Tells when a client has gone, so that nobody works for it any longer. */
import type { ServerResponse } from 'node:http';

/** Whether the connection ended before the answer was sent. */
export function hasHungUp({ closed, writableFinished }: ServerResponse): boolean {
  return closed && !writableFinished;
}

/** Fires when the client hangs up before it has its answer. */
export function hangUpSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (hasHungUp(res)) controller.abort();
  };
  if (res.closed) abort();
  else res.once('close', abort);
  return controller.signal;
}
