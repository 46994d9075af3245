/** Detects client disconnects, so that work for the client can stop. */
import type { ServerResponse } from 'node:http';

/** Whether the connection closed before the answer was sent completely. */
export function hasDisconnected({ closed, writableFinished }: ServerResponse): boolean {
  return closed && !writableFinished;
}

/** Aborts when the client disconnects before the end of the answer. */
export function disconnectSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (hasDisconnected(res)) controller.abort();
  };
  if (res.closed) abort();
  else res.once('close', abort);
  return controller.signal;
}
