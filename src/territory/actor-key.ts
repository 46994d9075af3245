/**
 * Identifies who acted: the id of a key or person, or `operator`, because operators have no id. A
 * person's connectors share the person's key.
 */
import type { Actor } from '../account/caller.ts';

export const actorKey = ({ id, kind }: Pick<Actor, 'id' | 'kind'>): string => id ?? kind;

/** SQL for the `actorKey` of a column that contains an actor. */
export const actorKeyOf = (column: string) => `coalesce(${column}->>'id', ${column}->>'kind')`;

/** SQL for the actor in a column, without the connector that acted for them. */
export const actorItself = (column: string) => `(${column} - 'via')`;
