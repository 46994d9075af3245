/**
 * Errors sent between threads or processes. Structured clone loses an error's class and its own
 * properties, so both are sent separately.
 */
import { ServiceError } from '../../errors.ts';
import * as sceneErrors from '../errors.ts';

const refusals = { ...sceneErrors, ServiceError };

export interface SerializedError {
  name: string;
  message: string;
  stack: string | undefined;
  /** Own properties of a refusal; empty for other errors, whose properties may not be clonable */
  properties: object;
}

export function serializeError(thrown: unknown): SerializedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack } = error;
  return { name, message, stack, properties: isRefusal(error) ? { ...error } : {} };
}

/** Restores the class of a refusal. Other errors become a plain `Error` with the original name. */
export function deserializeError({ name, message, stack, properties }: SerializedError): Error {
  const error = Object.assign(new Error(message), { name, stack }, properties);
  const refusal = Object.entries(refusals).find(([kind]) => kind === name)?.[1];
  return refusal ? Object.setPrototypeOf(error, refusal.prototype) : error;
}

/** Whether the job was refused: every worker would refuse it, and the worker remains usable. */
export function isRefusal(error: unknown): boolean {
  return Object.values(refusals).some((kind) => error instanceof kind);
}
