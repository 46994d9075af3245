/**
 * Long lists in pages: each page ends with a cursor that says where the next one starts. A cursor is
 * the sort key of the last row, not a count of rows, so that rows that come or go between two pages
 * neither repeat others nor hide them.
 */
import { z } from 'zod';
import { badRequest } from './errors.ts';

export interface PageRequest {
  /** `nextCursor` of the page before; left out: the first page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface Page<Row> {
  rows: Row[];
  /** Null at the end */
  nextCursor: string | null;
}

const DEFAULT_LIMIT = 50;

/** The fields of a page request, for schemas: `z.object({ …, ...pageFields() })`. */
export const pageFields = (max = 200) => ({
  cursor: z.string().max(400).optional().meta({ description: 'nextCursor of the page before' }),
  limit: z
    .int()
    .min(1)
    .max(max)
    .optional()
    .meta({ description: `Default ${DEFAULT_LIMIT}` }),
});

export const NextCursor = z.string().nullable();

/**
 * Where to go on: the sort key of the last row of the page before; null for the first page.
 * @throws ServiceError 400 for a cursor that is none of this list's
 */
export function startAfter<Key extends z.ZodTuple>(
  page: PageRequest,
  key: Key,
): z.output<Key> | null {
  if (page.cursor === undefined) return null;
  try {
    return key.parse(JSON.parse(Buffer.from(page.cursor, 'base64url').toString()));
  } catch (cause) {
    throw badRequest(
      'The cursor is not one of this list: pass the nextCursor of the page before.',
      {
        cause,
      },
    );
  }
}

/** How many rows to ask the database for: one more than the page has, to know if there are more. */
export const rowsToRead = (page: PageRequest) => (page.limit ?? DEFAULT_LIMIT) + 1;

/** The page of the rows that were read; `keyOf` gives what `startAfter` will be handed. */
export function pageOf<Row>(
  rows: readonly Row[],
  page: PageRequest,
  keyOf: (row: Row) => readonly (string | number)[],
): Page<Row> {
  const limit = rowsToRead(page) - 1;
  const kept = rows.slice(0, limit);
  const nextCursor =
    rows.length > limit
      ? Buffer.from(JSON.stringify(keyOf(kept.at(-1)!))).toString('base64url')
      : null;
  return { rows: kept, nextCursor };
}

/**
 * A moment as a sort key. JavaScript's dates end at milliseconds, PostgreSQL's at microseconds: a
 * key cut short would repeat rows.
 */
export const Moment = z.iso.datetime().regex(/^20/);
export const momentText = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
