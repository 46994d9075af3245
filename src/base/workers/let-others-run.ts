/** Splits long work on the main thread into slices of less than 20 ms. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Resolves when all events that have arrived in the meantime, such as other requests, have been handled.
 */
export async function letOthersRun(): Promise<void> {
  // The first turn follows the current event immediately, before Node checks for others.
  await nextTurn();
  await nextTurn();
}
