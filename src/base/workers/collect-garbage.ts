/** Collects garbage while a process is idle. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees garbage. V8 does that only while a process allocates, so an idle one keeps what its start or its last answers
 * left. Takes about as many milliseconds as the heap has megabytes.
 */
export function collectGarbage(): void {
  gc ??= exposedGc();
  gc();
}

let gc: (() => void) | undefined;

function exposedGc(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
