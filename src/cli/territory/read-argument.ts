/** Reads arguments from a file or a pipe, since they may be too long for a command line. */
import { readFile } from 'node:fs/promises';
import { EXIT, Failure } from './failure.ts';

/** Returns the content of a file for `@file`, standard input for `-`, and any other argument unchanged. */
export type ReadArgument = (argument: string) => Promise<string>;

export const argumentReader =
  (input: AsyncIterable<string | Buffer>): ReadArgument =>
  async (argument) => {
    if (argument === '-') return readAll(input);
    return argument.startsWith('@') ? readText(argument.slice(1)) : argument;
  };

async function readAll(input: AsyncIterable<string | Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

const READ_PROBLEMS: Record<string, string> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

const readText = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = READ_PROBLEMS[error.code ?? ''] ?? error.message;
    throw new Failure(EXIT.usage, `Could not read ${file}: ${why}.`, { cause: error });
  });
