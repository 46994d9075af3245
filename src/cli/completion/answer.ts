/** Prints suggestions in the format of the scripts in `scripts.ts`. */
import { write, type OutStream } from '../layout.ts';
import { FILES } from './scripts.ts';
import type { Suggestion } from './suggest.ts';

export async function printSuggestions(
  suggestions: readonly Suggestion[] | null,
  out: OutStream,
): Promise<void> {
  const lines = suggestions?.map(({ value, note }) => (note ? `${value}\t${note}` : value));
  const text = (lines ?? [FILES]).map((line) => `${line.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
  if (text) await write(out, text);
}
