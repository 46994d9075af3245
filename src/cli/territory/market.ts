/** Reads arguments that name a market: a metro or ZIP codes. */
import { pluralize } from '../../text/words.ts';
import { splitZips } from '../split-zips.ts';
import { EXIT, Failure, onInput } from './failure.ts';
import type { ReadArgument } from './read-argument.ts';

/**
 * Splits arguments at commas and spaces. `@file` and `-` may be any list or table of ZIP codes.
 * @throws Failure for a file with entries that aren't clearly ZIP codes
 */
export async function readZips(
  words: readonly string[],
  readArgument: ReadArgument,
): Promise<string[]> {
  const lists = await Promise.all(
    words.map(async (word) => {
      const text = await readArgument(word);
      return /^@|^-$/.test(word) && /\d/.test(text) ? zipsOfFile(word, text) : splitZips(text);
    }),
  );
  return lists.flat();
}

async function zipsOfFile(word: string, text: string): Promise<string[]> {
  const { readZipList } = await import('../../lists/zip-list.ts');
  const { readings } = onInput(() => readZipList(text));
  const unclear = readings.filter(({ outcome }) => outcome !== 'new');
  const [first] = unclear;
  if (!first) return [...new Set(readings.map(({ zip }) => zip!))];
  const file = word === '-' ? 'Standard input' : word.slice(1);
  throw new Failure(
    EXIT.usage,
    `${file}: ${pluralize(unclear.length, 'entry', 'entries')} ${unclear.length === 1 ? 'isn’t' : 'aren’t'} clearly a ZIP code. ` +
      `Line ${first.at}, “${first.given}”: ${first.reason} Write each ZIP code with five digits.`,
  );
}

export interface Market {
  metro?: string;
  zips?: string[];
}

/** Reads a market. @throws Failure unless the words are a metro or ZIP codes */
export async function readMarket(
  words: readonly string[],
  readArgument: ReadArgument,
): Promise<Market> {
  const parts = await readZips(words, readArgument);
  if (parts.length > 0 && parts.every((part) => /^\d/.test(part))) return { zips: parts };
  if (parts.length === 1) return { metro: parts[0]! };
  throw new Failure(
    EXIT.usage,
    'A market is one metro, such as dallas-tx, or a list of ZIP codes.',
  );
}
