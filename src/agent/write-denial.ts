import { requireWrite } from '../account/access.ts';
import type { Caller } from '../account/caller.ts';

/** Returns why the caller can't write, as a sentence, or undefined if it can. */
export function whyWritesAreDenied(caller: Caller): string | undefined {
  try {
    requireWrite(caller);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
