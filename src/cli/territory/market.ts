/** Reads arguments that name a market: a metro or ZIP codes. */
import { splitZips } from '../split-zips.ts';
import { EXIT, Failure } from './failure.ts';
import type { ReadArgument } from './read-argument.ts';

/** Splits arguments at commas and spaces, after `@file` and `-` are read. */
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

/** @throws Failure unless the words are one metro or ZIP codes */
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
