/**
 * What tells apart who acts: the id of a key or person; operators, who have none, are one. All that
 * acts for a person, their connectors too, has the person's.
 */
import type { Actor } from '../account/caller.ts';

export const actorKey = ({ id, kind }: Pick<Actor, 'id' | 'kind'>): string => id ?? kind;

/** The same in SQL, of a column that holds an actor. */
export const actorKeyOf = (column: string) => `coalesce(${column}->>'id', ${column}->>'kind')`;

/** Whom the key means, of the same column: without the connector that acted for them. */
export const actorItself = (column: string) => `(${column} - 'via')`;
