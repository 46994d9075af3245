/**
 * Ends a wait for another server. A signal alone isn't enough: a request whose socket was taken from it reports nothing
 * anymore, and Node 20 loses a signal of `AbortSignal.any` with `AbortSignal.timeout` to garbage collection.
 */

/**
 * Waits for `work` until the deadline, whether or not it heeds its signal. The signal also aborts once the wait has ended
 * in another way, so that no socket stays open.
 * @param outer ends the wait earlier
 * @throws DOMException `TimeoutError` after the deadline; the reason of `outer`; what `work` throws
 */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal | null,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(deadlineError(ms)), ms);
    stop = () => reject(outer!.reason as Error);
  });
  outer?.addEventListener('abort', stop);
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
    controller.abort();
  }
}

const deadlineError = (ms: number) =>
  new DOMException(`No end within ${ms / 1000} s`, 'TimeoutError');

/** Whether a deadline has ended the wait */
export const isDeadlineOver = (error: unknown) =>
  error instanceof DOMException && error.name === 'TimeoutError';
