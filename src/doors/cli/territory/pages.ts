/** Joins the pages of a list. */
import type { Answer, Input, Steps } from './command.ts';
import { declaredOf } from './declared.ts';
import { EXIT, Failure } from './failure.ts';
import { isRecord } from './json.ts';

/** Joins all pages into one without a next cursor. Takes other fields from the first page. @throws Failure */
export async function allPages({ call }: Steps, id: string, input: Input): Promise<Answer> {
  // A few large pages cost less than many small ones.
  const whole = { ...input, limit: input['limit'] ?? declaredOf(id).fields['limit']?.max };
  const answer = await call(id, whole);
  const first = pageOf(answer);
  const list = [...first.list];
  const cursors = new Set<string>();
  for (let cursor = first.nextCursor; cursor !== null;) {
    // Guards against an endless loop if a server repeats cursors.
    if (cursors.has(cursor)) throw new Failure(EXIT.other, 'The service repeats a page cursor.');
    cursors.add(cursor);
    const page = pageOf(await call(id, { ...whole, cursor }));
    list.push(...page.list);
    cursor = page.nextCursor;
  }
  if (cursors.size === 0) return answer;
  const joined = { ...first.fields, [first.name]: list, nextCursor: null };
  return { ...answer, bytes: Buffer.from(JSON.stringify(joined)) };
}

function pageOf({ bytes }: Answer) {
  const fields = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const { nextCursor } = fields;
  const lists = Object.entries(fields).filter(([, list]) => Array.isArray(list));
  const [name, list] = lists.find(([, rows]) => (rows as unknown[]).every(isRecord)) ?? [];
  if (name !== undefined && (nextCursor === null || typeof nextCursor === 'string')) {
    return { fields, name, list: list as unknown[], nextCursor };
  }
  throw new Failure(EXIT.other, 'The response has no page. Leave out --all to print it.');
}
