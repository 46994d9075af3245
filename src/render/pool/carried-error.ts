/**
 * Errors across the border of a thread or process. Structured clone keeps the message of an error
 * but neither its class nor the properties of its own; both are kept here.
 */
import * as refusals from '../errors.ts';

export interface CarriedError {
  name: string;
  message: string;
  stack: string | undefined;
  /** Own properties of a refusal. Those of other errors may be anything, clonable or not. */
  properties: object;
}

export function carried(thrown: unknown): CarriedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack } = error;
  return { name, message, stack, properties: isRefusal(error) ? { ...error } : {} };
}

/** An error of the class it had, if that is one of this room's, else a plain one of that name. */
export function uncarried({ name, message, stack, properties }: CarriedError): Error {
  const error = Object.assign(new Error(message), { name, stack }, properties);
  const refusal = Object.entries(refusals).find(([kind]) => kind === name)?.[1];
  return refusal ? Object.setPrototypeOf(error, refusal.prototype) : error;
}

/** Whether the work itself was refused: any worker would say so again, and is none the worse. */
export function isRefusal(error: unknown): boolean {
  return Object.values(refusals).some((kind) => error instanceof kind);
}
