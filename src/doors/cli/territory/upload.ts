/** What commands that upload a file share. */
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { csvLines } from '../../../base/text/csv.ts';
import type { FileBody } from './call.ts';
import { unreadable } from './input.ts';

/** Opens a file, or standard input for `-`. @throws Failure */
export async function fileBody(file: string): Promise<FileBody> {
  if (file === '-') return { open: () => process.stdin, bytes: undefined };
  const { size } = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  return { open: () => createReadStream(file), bytes: size };
}

export const ATTENTION = new Option(
  '--attention <file>',
  'write the rows that need attention to a CSV file',
);

export async function writeAttention(
  file: string,
  headings: readonly string[],
  rows: readonly (string | number | null)[][],
): Promise<void> {
  await writeFile(file, `\u{FEFF}${csvLines([[...headings], ...rows])}`);
}

/** Findings that a terminal shows */
export const SHOWN = 10;

interface Findings {
  findings: readonly { line: number; given: string; reason: string }[];
  moreFindings: boolean;
}

/** The first findings, each on its line */
export const findingLines = ({ findings }: Findings): string =>
  findings
    .slice(0, SHOWN)
    .map(({ line, given, reason }) => `Line ${line}, ${given}: ${reason}`)
    .join('\n');

/** Reads columns as the service does, separated by commas. */
export function columns(text: string, before?: string): string {
  if (!text.includes(',')) return before === undefined ? text : `${before},${text}`;
  throw new InvalidArgumentError(`Name the column "${text}" by its number: it has a comma.`);
}
