/**
 * Sends errors between threads or processes. Structured clone loses an error's class and its own
 * properties, so both are sent separately.
 */

/** Errors that a worker reports without losing its state, by name */
export type Refusals = Readonly<Record<string, abstract new (...values: never[]) => Error>>;

export interface SerializedError {
  name: string;
  message: string;
  stack: string | undefined;
  /** Own properties of a refusal; empty for other errors, whose properties may not be clonable */
  properties: object;
}

export function serializeError(thrown: unknown, refusals?: Refusals): SerializedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack } = error;
  return { name, message, stack, properties: isRefusal(error, refusals) ? { ...error } : {} };
}

/** Restores the class of a refusal. Other errors become a plain `Error` with the original name. */
export function deserializeError(
  { name, message, stack, properties }: SerializedError,
  refusals?: Refusals,
): Error {
  const error = Object.assign(new Error(message), { name, stack }, properties);
  const refusal = refusals && Object.hasOwn(refusals, name) ? refusals[name] : undefined;
  return refusal ? Object.setPrototypeOf(error, refusal.prototype) : error;
}

/** Whether the job was refused: every worker would refuse it, and the worker remains usable. */
export function isRefusal(error: unknown, refusals?: Refusals): boolean {
  return Object.values(refusals ?? {}).some((kind) => error instanceof kind);
}
