/**
 * Makes repeated writes safe. A call with an idempotency key is stored with its answer for a day, and a repeated call
 * returns that answer.
 */
import { createHash } from 'node:crypto';
import type { Tenant, TenantDatabase, TenantTransaction } from '../account/tenant.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { conflict } from '../../errors.ts';

/** SQL for the time before which rows count as deleted */
const FORGOTTEN_BEFORE = `now() - interval '1 day'`;

export const OLD_CALLS = expiring({
  table: 'idempotent_calls',
  column: 'called_at',
  before: FORGOTTEN_BEFORE,
});

/**
 * SQL for the hash of the input `$4`, with the brands of a caller with only some: an answer tells what its first caller
 * may know.
 */
const SCOPED_HASH = `case when visible_brands() is null then $4::bytea
  else sha256($4::bytea || convert_to(array(select unnest(visible_brands()) order by 1)::text, 'UTF8')) end`;

interface IdempotentCall {
  /** Each tool has its own keys. */
  tool: string;
  /** Without a key, every call does the work. */
  key: string | undefined;
  /** A key can't be reused for another input. */
  input: Record<string, unknown>;
}

/**
 * Does the work once per key and returns its answer, which must be JSON. If two calls run at the same time, the second
 * waits for the transaction of the first. If that rolls back, the second does the work.
 * @throws ServiceError 409 if the key was used with another input, or by a caller with other brands
 */
export async function answerOnce<Answer extends object>(
  tx: TenantTransaction,
  { tool, key, input }: IdempotentCall,
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; repeated: boolean }> {
  if (key === undefined) return { answer: await work(), repeated: false };

  const inputHash = hashOf(input);
  const [first] = await tx.query(
    `insert into idempotent_calls as call (organization_id, tool, key, input_hash, answer)
     values ($1, $2, $3, ${SCOPED_HASH}, '{}')
     on conflict (organization_id, tool, key) do update
       set input_hash = excluded.input_hash, answer = '{}', called_at = now()
       where call.called_at < ${FORGOTTEN_BEFORE}
     returning key`,
    [tool, key, inputHash],
  );
  if (!first) return { answer: await storedAnswer(tx, tool, key, inputHash), repeated: true };

  const answer = await work();
  tx.defer(
    `update idempotent_calls set answer = $4 where organization_id = $1 and tool = $2 and key = $3`,
    [tool, key, answer],
  );
  return { answer, repeated: false };
}

/** Does a tool's write in a transaction, once per key. Marks the text of a repeated answer. */
export async function writeOnce<Answer extends { text: string }>(
  tool: string,
  input: Record<string, unknown> & { idempotencyKey?: string | undefined },
  tenant: TenantDatabase,
  work: (tx: TenantTransaction) => Promise<Answer>,
): Promise<Answer> {
  const call = { tool, key: input.idempotencyKey, input };
  const { answer, repeated } = await tenant.transaction((tx) =>
    answerOnce(tx, call, () => work(tx)),
  );
  const note = repeated ? 'Repeated call: already done earlier.\n' : '';
  return { ...answer, text: note + answer.text };
}

async function storedAnswer<Answer>(
  tx: Tenant,
  tool: string,
  key: string,
  inputHash: Buffer,
): Promise<Answer> {
  const [stored] = await tx.query<{ answer: Answer }>(
    `select answer from idempotent_calls
     where organization_id = $1 and tool = $2 and key = $3 and input_hash = ${SCOPED_HASH}`,
    [tool, key, inputHash],
  );
  if (stored) return stored.answer;
  throw conflict(
    `The idempotencyKey "${key}" was already used with another input of ${tool}, or by someone with other brands. Use a new key.`,
  );
}

/** Hashes the fields of the input that affect the work, regardless of their order. */
function hashOf({ confirm, idempotencyKey, ...input }: Record<string, unknown>): Buffer {
  const sorted = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
}
