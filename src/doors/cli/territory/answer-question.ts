/** Answers a shell that completes a command line. */
import type { Command } from 'commander';
import { knownValues, printSuggestions, suggest, type Suggestion } from '../completion/suggest.ts';
import { callApi } from './call.ts';
import { COMMANDS, withPresentName } from './commands.ts';
import { declaredValues } from './input.ts';
import { isRecord, parseJson } from './json.ts';
import type { ProcessIo } from './command.ts';
import { serviceOf, withCredential } from './service.ts';

/** Short limits, because a person waits at the prompt */
const POLICY = { retry: false, maxWaitSeconds: 1, timeoutSeconds: 2 };

/** @param words words after `territory`. The last one is incomplete. */
export async function answerQuestion(
  program: Command,
  words: readonly string[],
  io: Pick<ProcessIo, 'env' | 'out'>,
): Promise<void> {
  const valuesOf = async (name: string) => {
    // Without a service or a sign-in, it suggests nothing.
    if (name === 'brand') return brandsOf(io.env).catch(() => []);
    if (name === 'tool') return toolsOf(io.env).catch(() => []);
    const known = await knownValues(name);
    if (known === undefined || known.length > 0) return known;
    return declaredValues(Object.values(COMMANDS).flat(), name).map((value) => ({ value }));
  };
  // The last word may not be a whole name.
  const present = words.length > 1 && words[0] !== 'plans' ? withPresentName(words).words : words;
  await printSuggestions(await suggest(program, present, valuesOf), io.out);
}

/** Returns the brands, without using units. */
async function brandsOf(env: ProcessIo['env']): Promise<Suggestion[]> {
  const service = await withCredential(serviceOf(env), env);
  const answer = await get(service, '/agent/capabilities');
  const scope = isRecord(answer) && isRecord(answer.brandScope) ? answer.brandScope.brands : [];
  return recordsIn(scope).map(({ slug, name }) => ({ value: String(slug), note: String(name) }));
}

async function toolsOf(env: ProcessIo['env']): Promise<Suggestion[]> {
  const answer = await get(serviceOf(env), '/mcp/info');
  return recordsIn(isRecord(answer) ? answer.tools : []).map(({ name, summary }) => ({
    value: String(name),
    note: String(summary),
  }));
}

const get = async (service: Parameters<typeof callApi>[0], path: string) =>
  parseJson((await callApi(service, { path, type: 'application/json' }, POLICY, () => {})).bytes);

const recordsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);
