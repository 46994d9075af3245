/** Who did or asked for something, in words. */
import type { Actor } from '../../account/caller.ts';

export const actorText = ({ kind, name }: Actor): string =>
  ({ person: name, key: `API key “${name}”`, operator: `${name} (operator)` })[kind];
