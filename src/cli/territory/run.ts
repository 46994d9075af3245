/** Runs a command: calls the API and puts the answer where it belongs. */
import { writeFile } from 'node:fs/promises';
import type { OptionValues } from 'commander';
import { count } from '../figures.ts';
import { paperOf, write, type OutStream } from '../paper.ts';
import { callApi, type ApiCall } from './call.ts';
import type { Command } from './command.ts';
import type { CommonOptions } from './common-options.ts';
import { EXIT, Failure } from './failure.ts';
import { parseJson } from './json.ts';
import { serviceOf } from './service.ts';

/** What surrounds the command; tests bring their own. */
export interface World {
  env: Record<string, string | undefined>;
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
  const call = command.call(operands, options);
  checkDestination(call, options, world.out);
  const bytes = await callApi(
    serviceOf(world.env),
    call,
    { retry: options.retry, maxWaitSeconds: options.maxWait, timeoutSeconds: options.timeout },
    (sentence) => world.err.write(`territory: ${sentence}\n`),
  );
  const { output } = options;
  if (output !== undefined) await save(bytes, call, output, options, world.out);
  else if (options.json || !call.text) await write(world.out, bytes);
  else await write(world.out, `${call.text(parseJson(bytes), paperOf(world.out))}\n`);
}

/** Before anything is asked for: a picture on a terminal would be noise, and so would it as JSON. */
function checkDestination(
  { type }: ApiCall,
  { output, json }: CommonOptions,
  out: OutStream,
): void {
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
  bytes: Buffer,
  { type }: ApiCall,
  file: string,
  { json }: CommonOptions,
  out: OutStream,
): Promise<void> {
  await writeFile(file, bytes).catch((error: NodeJS.ErrnoException) => {
    const why = WRITE_PROBLEMS[error.code ?? ''] ?? error.message;
    throw new Failure(EXIT.other, `${file} cannot be written: ${why}.`, { cause: error });
  });
  const written = { file, type, bytes: bytes.length };
  await write(
    out,
    json ? `${JSON.stringify(written)}\n` : `${file}: ${count(bytes.length)} bytes of ${type}\n`,
  );
}
