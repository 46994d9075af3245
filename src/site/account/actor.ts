/** Who did or asked for something, in words. */
import { actorName, type Actor } from '../../account/caller.ts';

export function actorText(actor: Actor): string {
  const name = actorName(actor);
  return { person: name, key: `API key “${name}”`, operator: `${name} (operator)` }[actor.kind];
}
