/** Tells when a client has gone, so that nobody works for it any longer. */
import type { ServerResponse } from 'node:http';

/** Whether the connection ended before the answer was sent. */
export function hasDisconnected({ closed, writableFinished }: ServerResponse): boolean {
  return closed && !writableFinished;
}

/** Fires when the client hangs up before it has its answer. */
export function disconnectSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (hasDisconnected(res)) controller.abort();
  };
  if (res.closed) abort();
  else res.once('close', abort);
  return controller.signal;
}
