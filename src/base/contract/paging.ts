/**
 * Pages of long lists. Each page ends with a cursor: the sort key of its last row. Unlike offsets, cursors
 * neither repeat nor skip rows when others are added or removed between two pages.
 */
import { z } from 'zod';
import { badRequest } from '../../errors.ts';

export interface PageRequest {
  /** `nextCursor` of the previous page. Default: the first page */
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface Page<Row> {
  rows: Row[];
  /** Null on the last page */
  nextCursor: string | null;
}

const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** The fields of a page request, for schemas: `z.object({ …, ...pageFields() })`. */
export const pageFields = () => ({
  cursor: z.string().max(400).optional().meta({ description: 'nextCursor of the previous page' }),
  limit: z
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .optional()
    .meta({ description: `Default ${DEFAULT_LIMIT}` }),
});

export const NextCursor = z.string().nullable();

/**
 * The characters of our sort keys. They are checked because cursors may be forged and are used in a query,
 * and PostgreSQL rejects text with a NUL character.
 */
const PLAIN_JSON = /^[\x20-\x5b\x5d-\x7e]*$/;

/**
 * Returns the sort key of the previous page's last row; null for the first page.
 * @throws ServiceError 400 for a cursor from another list
 */
export function startAfter<Key extends z.ZodTuple>(
  page: PageRequest,
  key: Key,
): z.output<Key> | null {
  if (page.cursor === undefined) return null;
  const text = Buffer.from(page.cursor, 'base64url').toString();
  try {
    if (!PLAIN_JSON.test(text)) throw new Error('not a sort key');
    return key.parse(JSON.parse(text));
  } catch (cause) {
    const message =
      'The cursor is invalid for this list. Pass the nextCursor of the previous page.';
    throw badRequest(message, { cause });
  }
}

/** Returns the number of rows to read: one more than the page has, to find out whether there are more. */
export const rowsToRead = (page: PageRequest) => (page.limit ?? DEFAULT_LIMIT) + 1;

/** Builds a page from the rows that were read. @param keyOf returns the key that `startAfter` parses */
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
 * Limit for models, which read each row twice: as JSON and as text. It keeps an answer below 20,000 tokens.
 */
const MAX_CHARACTERS = 50_000;

/**
 * Like `pageOf`, for rows of any length. The page ends early if its rows are too long in total, but it has
 * at least one row.
 */
export function readablePageOf<Row>(
  ...[rows, page, keyOf]: Parameters<typeof pageOf<Row>>
): Page<Row> {
  let characters = 0;
  const fitting = rows.findIndex((row) => {
    characters += JSON.stringify(row).length;
    return characters > MAX_CHARACTERS;
  });
  const limit = rowsToRead(page) - 1;
  return pageOf(
    rows,
    { limit: fitting < 0 ? limit : Math.min(limit, Math.max(1, fitting)) },
    keyOf,
  );
}

/**
 * A timestamp as a sort key. PostgreSQL has microseconds and JavaScript has only milliseconds, so a
 * truncated key would repeat rows.
 */
export const Moment = z.iso.datetime({ precision: 6 }).regex(/^20/);
export const momentText = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
