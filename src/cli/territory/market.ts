/** Words for where to look: a metro, or ZIPs. */
import { EXIT, Failure } from './failure.ts';
import type { Given } from './given.ts';

/** ZIPs one by one, with commas, in `@file` or `-`. Whether they are any, the service tells. */
export async function zipsOf(words: readonly string[], given: Given): Promise<string[]> {
  const texts = await Promise.all(words.map(given));
  return texts.flatMap((text) => text.split(/[\s,]+/)).filter(Boolean);
}

export interface Market {
  metro?: string;
  zips?: string[];
}

/** @throws Failure where it is neither one metro nor ZIPs */
export async function marketOf(words: readonly string[], given: Given): Promise<Market> {
  const parts = await zipsOf(words, given);
  if (parts.length > 0 && parts.every((part) => /^\d/.test(part))) return { zips: parts };
  if (parts.length === 1) return { metro: parts[0]! };
  throw new Failure(EXIT.usage, 'A market is one metro, such as dallas-tx, or ZIPs.');
}
