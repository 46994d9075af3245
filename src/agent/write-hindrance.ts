/** Why a caller cannot write, told before it tries. */
import { requireWrite } from '../account/access.ts';
import type { Caller } from '../account/caller.ts';

/** @returns a sentence; undefined if it may write */
export function writeHindrance(caller: Caller): string | undefined {
  try {
    requireWrite(caller);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
