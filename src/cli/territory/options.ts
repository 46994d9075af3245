/** Options that several commands have. */
import { InvalidArgumentError, Option } from 'commander';

/** Its bounds are the service's to tell. */
export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value))
    throw new InvalidArgumentError('Expected a number.');
  return value;
}

export const brandOption = () => new Option('--brand <brand>', 'a brand’s slug, name or id');
export const verticalOption = (what: string) => new Option('--vertical <vertical>', what);
export const minScoreOption = () =>
  new Option('--min-score <score>', 'leave out lower ones, 0 to 100').argParser(number);

/** May be repeated. */
export const collect = (text: string, before: string[] = []) => [...before, text];

/** Of every change. */
export const changeOptions = (): Option[] => [
  new Option('--confirm', 'do it; without this, only a preview is shown'),
  new Option('--idempotency-key <text>', 'any text: with the same one again, it is done once'),
];
