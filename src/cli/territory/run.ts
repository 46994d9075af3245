/** Runs a command: calls the API and puts the answer where it belongs. */
import { writeFile } from 'node:fs/promises';
import type { OptionValues } from 'commander';
import { count } from '../figures.ts';
import { paperOf, write, type OutStream } from '../paper.ts';
import { wrapped } from '../table.ts';
import { callApi } from './call.ts';
import type { Answer, Ask, Command, Task } from './command.ts';
import type { CommonOptions } from './common-options.ts';
import { EXIT, Failure } from './failure.ts';
import { givenFrom } from './given.ts';
import { parseJson } from './json.ts';
import { requireKey, serviceOf } from './service.ts';

/** What surrounds the command; tests bring their own. */
export interface World {
  env: Record<string, string | undefined>;
  in: AsyncIterable<string | Buffer>;
  out: OutStream;
  err: OutStream;
}

/** @throws Failure */
export async function run(
  command: Command,
  operands: string[],
  options: CommonOptions & OptionValues,
  world: World,
): Promise<void> {
  const service = serviceOf(world.env);
  const task = await command.call(operands, options, givenFrom(world.in));
  if (task.needsKey) requireKey(service);
  checkDestination(task, options, world.out);
  const patience = {
    retry: options.retry,
    maxWaitSeconds: options.maxWait,
    timeoutSeconds: options.timeout,
  };
  const tell = (sentence: string) => world.err.write(`territory: ${sentence}\n`);
  const ask: Ask = (call) => callApi(service, call, patience, tell);
  const answer = await task.perform(ask);

  const { output } = options;
  if (output === undefined || answer.failure) await show(answer, task, options, world.out);
  else await save(answer, task, output, options, world.out);
  if (answer.failure) throw answer.failure;
}

/** As people read it, or as it is. */
async function show(answer: Answer, task: Task, { json }: CommonOptions, out: OutStream) {
  const isPicture = task.type.startsWith('image/');
  const text = json || isPicture ? undefined : textOf(answer, task, out);
  const { bytes, about = bytes } = answer;
  await write(out, text === undefined ? (json ? about : bytes) : `${text}\n`);
}

/** Undefined where its bytes are all there is. */
function textOf({ bytes, about, words }: Answer, { text }: Task, out: OutStream) {
  const paper = paperOf(out);
  if (text) return text(parseJson(about ?? bytes), paper);
  return words
    ?.split('\n')
    .flatMap((line) => wrapped(line, paper.width))
    .join('\n');
}

/** Before anything is asked for: a picture on a terminal would be noise, and so would it as JSON. */
function checkDestination({ type }: Task, { output, json }: CommonOptions, out: OutStream): void {
  if (output !== undefined || !type.startsWith('image/')) return;
  if (out.isTTY || json) {
    throw new Failure(
      EXIT.usage,
      'A picture is not for reading. Name a file for it, such as -o map.png, or pipe it elsewhere.',
    );
  }
}

const WRITE_PROBLEMS: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'it is protected',
  ENOSPC: 'the disk is full',
};

/** Only a whole answer is written, so that a call that fails leaves the file as it was. */
async function save(
  answer: Answer,
  task: Task,
  file: string,
  { json }: CommonOptions,
  out: OutStream,
): Promise<void> {
  const { bytes, type, about } = answer;
  await writeFile(file, bytes).catch((error: NodeJS.ErrnoException) => {
    const why = WRITE_PROBLEMS[error.code ?? ''] ?? error.message;
    throw new Failure(EXIT.other, `${file} cannot be written: ${why}.`, { cause: error });
  });
  if (json) {
    await write(out, about ?? `${JSON.stringify({ file, type, bytes: bytes.length })}\n`);
    return;
  }
  const more = about ? `${textOf(answer, task, out)}\n` : '';
  await write(out, `${file}: ${count(bytes.length)} bytes of ${type}\n${more}`);
}
