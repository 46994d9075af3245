/**
 * Identifies an actor by the id of a key or person. Operators have no id, so their key is `operator`. A person's
 * connectors share the person's key.
 */
import type { Actor } from '../../people/account/caller.ts';

export const actorKey = ({ id, kind }: Pick<Actor, 'id' | 'kind'>): string => id ?? kind;

/** SQL for the `actorKey` of a column that contains an actor. */
export const actorKeyOf = (column: string) => `coalesce(${column}->>'id', ${column}->>'kind')`;

/** SQL for the actor in a column, without the connector that acted for the person. */
export const actorItself = (column: string) => `(${column} - 'via')`;
