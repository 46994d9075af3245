/** Lists that come page by page: one of them, or all put together. */
import { Option, type OptionValues } from 'commander';
import { z } from 'zod';
import type { Paper } from '../paper.ts';
import type { Answer, Ask, Reading, Task } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { number } from './options.ts';
import { callTool, toolCall, type ToolInput } from './tool-call.ts';

export const pageOptions = (): Option[] => [
  new Option('--limit <rows>', 'rows of a page (default: 50)').argParser(number),
  new Option('--cursor <cursor>', 'go on where the page before ended'),
  new Option('--all', 'all pages in one; each page costs a call').conflicts('cursor'),
];

/** Of the largest page there is */
const MAX_ROWS = 200;

/**
 * @param options with those of `pageOptions`
 * @param rows where in the answer they are
 */
export function pagedCall(
  name: string,
  input: ToolInput,
  { all, limit, cursor }: OptionValues,
  rows: string,
  text: Reading,
): Task {
  // A few large pages cost less than many small ones.
  const first = { ...input, limit: limit ?? (all ? MAX_ROWS : undefined), cursor };
  const task = toolCall(name, first, text);
  return all ? { ...task, perform: (ask) => allPages(ask, name, first, rows) } : task;
}

/** As one page without a next; what else an answer tells is that of the first. */
async function allPages(ask: Ask, name: string, input: ToolInput, rows: string): Promise<Answer> {
  const answer = await callTool(ask, name, input);
  const first = pageOf(answer, rows);
  const list = [...first.list];
  const cursors = new Set<string>();
  for (let cursor = first.nextCursor; cursor !== null;) {
    // Whatever it is that answers, this comes to an end.
    if (cursors.has(cursor)) throw new Failure(EXIT.other, 'The pages go round in circles.');
    cursors.add(cursor);
    const page = pageOf(await callTool(ask, name, { ...input, cursor }), rows);
    list.push(...page.list);
    cursor = page.nextCursor;
  }
  if (cursors.size === 0) return answer;
  const whole = { ...first.fields, [rows]: list, nextCursor: null };
  return { ...answer, bytes: Buffer.from(JSON.stringify(whole)) };
}

function pageOf({ bytes }: Answer, rows: string) {
  const Page = z.object({ [rows]: z.array(z.unknown()), nextCursor: z.string().nullable() });
  const fields = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const page = Page.safeParse(fields);
  if (!page.success) {
    throw new Failure(EXIT.other, `The answer is no page of ${rows}; without --all it is shown.`);
  }
  return {
    fields,
    list: page.data[rows] as unknown[],
    nextCursor: page.data.nextCursor as string | null,
  };
}

/** Beneath a list; nothing where it is whole. */
export const moreText = (nextCursor: string | null, paper: Paper) =>
  nextCursor === null
    ? ''
    : paper.paint('dim', `  There are more: --all, or\n  --cursor ${nextCursor}`);
