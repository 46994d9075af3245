/**
 * Writes that are sent twice, because an answer was lost on its way, are done once: a call with an
 * idempotency key is kept with its answer for a day, and the same call again is given that answer.
 */
import { createHash } from 'node:crypto';
import type { Tenant } from '../account/tenant.ts';
import { conflict } from '../errors.ts';

export interface IdempotentCall {
  /** Name of the tool: each has keys of its own */
  tool: string;
  /** Left out: the work is done at every call */
  key: string | undefined;
  /** What was asked for: the same key for anything else is a mistake */
  input: Record<string, unknown>;
}

/**
 * Does the work at the first call, in the transaction at hand, and hands out its answer, which must
 * survive JSON. Where two calls with a key race, the second waits for the first one's transaction;
 * if that fails, nothing is kept and the second does the work.
 * @throws ServiceError 409 for a key that was used for another input
 */
export async function idempotent<Answer extends object>(
  tx: Tenant,
  { tool, key, input }: IdempotentCall,
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; repeated: boolean }> {
  if (key === undefined) return { answer: await work(), repeated: false };

  await forgetOld(tx);
  const inputHash = hashOf(input);
  const [first] = await tx.query(
    `insert into idempotent_calls (organization_id, tool, key, input_hash, answer)
     values ($1, $2, $3, $4, '{}') on conflict do nothing returning key`,
    [tool, key, inputHash],
  );
  if (!first) return { answer: await keptAnswer(tx, tool, key, inputHash), repeated: true };

  const answer = await work();
  await tx.query(
    `update idempotent_calls set answer = $4 where organization_id = $1 and tool = $2 and key = $3`,
    [tool, key, answer],
  );
  return { answer, repeated: false };
}

/** What another call forgets at this moment is left to it: nobody waits. */
async function forgetOld(tx: Tenant): Promise<void> {
  await tx.query(
    `delete from idempotent_calls where ctid in (
       select ctid from idempotent_calls
       where organization_id = $1 and called_at < now() - interval '1 day' for update skip locked
     )`,
  );
}

async function keptAnswer<Answer>(
  tx: Tenant,
  tool: string,
  key: string,
  inputHash: Buffer,
): Promise<Answer> {
  const [kept] = await tx.query<{ inputHash: Buffer; answer: Answer }>(
    `select input_hash as "inputHash", answer from idempotent_calls
     where organization_id = $1 and tool = $2 and key = $3`,
    [tool, key],
  );
  if (kept!.inputHash.equals(inputHash)) return kept!.answer;
  throw conflict(
    `The idempotencyKey "${key}" was used for another call of ${tool}. Choose a new one.`,
  );
}

/** Of the input whatever the order of its fields, without what does not change what is done. */
function hashOf({ confirm, idempotencyKey, ...input }: Record<string, unknown>): Buffer {
  const sorted = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
}
