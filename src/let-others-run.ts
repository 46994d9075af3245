/** Divides long work of the main thread into slices of less than 20 ms. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Returns when everything that has arrived in the meantime, such as other requests, was handled. */
export async function letOthersRun(): Promise<void> {
  // The first turn comes right after the current event, before Node looks for others.
  await nextTurn();
  await nextTurn();
}
