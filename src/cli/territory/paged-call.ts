/** Calls for paged lists: one page, or all pages joined. */
import { Option, type OptionValues } from 'commander';
import type { Layout } from '../layout.ts';
import type { Answer, CallService, Formatter, Task } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { parseNumber } from './options.ts';
import { callTool, toolCall, type ToolInput } from './tool-call.ts';

export const pageOptions = (): Option[] => [
  new Option('--limit <rows>', 'rows per page (default: 50)').argParser(parseNumber),
  new Option('--cursor <cursor>', 'continue after the previous page'),
  new Option('--all', 'get all pages; each page is charged as a call').conflicts('cursor'),
];

/** The service's largest page */
const MAX_ROWS = 200;

/**
 * @param options options that include `pageOptions`
 * @param rows field of the response that contains the rows
 */
export function pagedCall(
  name: string,
  input: ToolInput,
  { all, limit, cursor }: OptionValues,
  rows: string,
  format: Formatter,
): Task {
  // A few large pages cost less than many small ones.
  const firstPage = { ...input, limit: limit ?? (all ? MAX_ROWS : undefined), cursor };
  const task = toolCall(name, firstPage, format);
  return all
    ? { ...task, perform: (callService) => allPages(callService, name, firstPage, rows) }
    : task;
}

/** Joins all pages into one without a next cursor. Takes other fields from the first page. */
async function allPages(
  callService: CallService,
  name: string,
  input: ToolInput,
  rows: string,
): Promise<Answer> {
  const answer = await callTool(callService, name, input);
  const first = pageOf(answer, rows);
  const list = [...first.list];
  const cursors = new Set<string>();
  for (let cursor = first.nextCursor; cursor !== null;) {
    // Guards against an endless loop if a server repeats cursors.
    if (cursors.has(cursor)) throw new Failure(EXIT.other, 'The service repeats a page cursor.');
    cursors.add(cursor);
    const page = pageOf(await callTool(callService, name, { ...input, cursor }), rows);
    list.push(...page.list);
    cursor = page.nextCursor;
  }
  if (cursors.size === 0) return answer;
  const whole = { ...first.fields, [rows]: list, nextCursor: null };
  return { ...answer, bytes: Buffer.from(JSON.stringify(whole)) };
}

function pageOf({ bytes }: Answer, rows: string) {
  const fields = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const { [rows]: list, nextCursor } = fields;
  if (Array.isArray(list) && (nextCursor === null || typeof nextCursor === 'string')) {
    return { fields, list: list as unknown[], nextCursor };
  }
  throw new Failure(
    EXIT.other,
    `The response has no page of ${rows}. Leave out --all to print it.`,
  );
}

/** Returns a hint for a list with more pages. */
export const formatNextPage = (nextCursor: string | null, layout: Layout) =>
  nextCursor === null
    ? ''
    : layout.paint('dim', `  More rows: --all, or\n  --cursor ${nextCursor}`);
