/** The name of a person, key, or operator, as people read it. */
import { actorName, type Actor } from '../../../people/account/caller.ts';

export function actorText(actor: Actor): string {
  const name = actorName(actor);
  return { person: name, key: `API key “${name}”`, operator: `${name} (operator)` }[actor.kind];
}
