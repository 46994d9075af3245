/** What is too long for a command line comes from a file or a pipe. */
import { readFile } from 'node:fs/promises';
import { EXIT, Failure } from './failure.ts';

/** `@file` stands for what is in the file, `-` for standard input; other words for themselves. */
export type Given = (word: string) => Promise<string>;

export const givenFrom =
  (input: AsyncIterable<string | Buffer>): Given =>
  async (word) => {
    if (word === '-') return allOf(input);
    return word.startsWith('@') ? fileText(word.slice(1)) : word;
  };

async function allOf(input: AsyncIterable<string | Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

const READ_PROBLEMS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it is protected',
};

const fileText = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = READ_PROBLEMS[error.code ?? ''] ?? error.message;
    throw new Failure(EXIT.usage, `${file} cannot be read: ${why}.`, { cause: error });
  });
