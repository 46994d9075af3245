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
const MAX_LIMIT = 200;

/** The fields of a page request, for schemas: `z.object({ …, ...pageFields() })`. */
export const pageFields = () => ({
  cursor: z.string().max(400).optional().meta({ description: 'nextCursor of the page before' }),
  limit: z
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .optional()
    .meta({ description: `Default ${DEFAULT_LIMIT}` }),
});

export const NextCursor = z.string().nullable();

/**
 * No key of ours holds any other character. A cursor may be forged: what passes goes into a query,
 * and PostgreSQL fails on a text with a NUL.
 */
const PLAIN_JSON = /^[\x20-\x5b\x5d-\x7e]*$/;

/**
 * Where to go on: the sort key of the last row of the page before; null for the first page.
 * @throws ServiceError 400 for a cursor that is none of this list's
 */
export function startAfter<Key extends z.ZodTuple>(
  page: PageRequest,
  key: Key,
): z.output<Key> | null {
  if (page.cursor === undefined) return null;
  const text = Buffer.from(page.cursor, 'base64url').toString();
  try {
    if (!PLAIN_JSON.test(text)) throw new Error('no sort key is written so');
    return key.parse(JSON.parse(text));
  } catch (cause) {
    const message = 'The cursor is not one of this list: pass the nextCursor of the page before.';
    throw badRequest(message, { cause });
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

/** Models read answers whole, the rows once as JSON and once in words: 20,000 tokens are the most. */
const MOST_CHARACTERS = 50_000;

/**
 * The same for rows of any length, with lists or remarks in them: a page ends before its limit where
 * its rows are too long together, but never before its first row.
 */
export function readablePageOf<Row>(
  ...[rows, page, keyOf]: Parameters<typeof pageOf<Row>>
): Page<Row> {
  let characters = 0;
  const fitting = rows.findIndex((row) => {
    characters += JSON.stringify(row).length;
    return characters > MOST_CHARACTERS;
  });
  const limit = rowsToRead(page) - 1;
  return pageOf(
    rows,
    { limit: fitting < 0 ? limit : Math.min(limit, Math.max(1, fitting)) },
    keyOf,
  );
}

/**
 * A moment as a sort key. JavaScript's dates end at milliseconds, PostgreSQL's at microseconds: a
 * key cut short would repeat rows.
 */
export const Moment = z.iso.datetime({ precision: 6 }).regex(/^20/);
export const momentText = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
