/** Reads arguments that name a market: a metro or ZIP codes. */
import { splitZips } from '../split-zips.ts';
import { EXIT, Failure } from './failure.ts';
import type { ReadArgument } from './read-argument.ts';

/** Reads `@file` and `-`, then splits all arguments at commas and spaces. */
export async function readZips(
  words: readonly string[],
  readArgument: ReadArgument,
): Promise<string[]> {
  const texts = await Promise.all(words.map(readArgument));
  return texts.flatMap(splitZips);
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
