/** Options that several commands share. */
import { InvalidArgumentError, Option } from 'commander';

/** Parses a number. The service checks its range. */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new InvalidArgumentError('Expected a number.');
  return value;
}

export const brandOption = () => new Option('--brand <brand>', 'slug, name, or id of a brand');
export const verticalOption = (what: string) => new Option('--vertical <vertical>', what);
export const minScoreOption = () =>
  new Option('--min-score <score>', 'minimum score, 0 to 100').argParser(parseNumber);

export const compareWithOption = (effect: string) =>
  new Option('--compare-with <data set>', `${effect} of one of your data sets`);

/** Collects the values of a repeated option. */
export const collect = (text: string, before: string[] = []) => [...before, text];

/** @param more how to give several */
export const dataOption = (more: string) =>
  new Option('--data <data-set>', `add one of your data sets; ${more}`).argParser(collect);

/** Options for the constraints of a territory */
export const territoryOptions = (): Option[] => [
  new Option('--size <zips>', 'number of ZIP codes (default: 25)').argParser(parseNumber),
  new Option('--contiguous', 'only ZIP codes that form one connected area'),
  minScoreOption(),
  new Option('--exclude <zips>', 'ZIP codes to leave out; repeatable').argParser(collect),
  new Option('--exclude-held', 'leave out ZIP codes that your brands hold'),
];

/** Options of commands that make changes */
export const changeOptions = (): Option[] => [
  new Option('--confirm', 'make the change; without it, only show a preview'),
  new Option('--idempotency-key <text>', 'make the change once, even if the call is repeated'),
];
