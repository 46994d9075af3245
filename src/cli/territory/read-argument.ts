/** Reads arguments from a file or a pipe, since they may be too long for a command line. */
import { readFile } from 'node:fs/promises';
import { decodeText } from '../../text/decode-text.ts';
import { EXIT, Failure, onInput } from './failure.ts';

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
  return decode(Buffer.concat(chunks));
}

const READ_PROBLEMS: Record<string, string> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

async function readText(file: string): Promise<string> {
  try {
    return decode(await readFile(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = READ_PROBLEMS[code ?? ''] ?? message;
    throw new Failure(EXIT.usage, `Could not read ${file}: ${why}.`, { cause: error });
  }
}

/** Reads the encodings of spreadsheets, as imports in the browser do. */
const decode = (bytes: Buffer) => onInput(() => decodeText(bytes));
