/** Options of every command of `territory`. */
import { InvalidArgumentError, Option } from 'commander';

export interface CommonOptions {
  json?: boolean;
  output?: string;
  timeout: number;
  maxWait: number;
  /** Cleared by --no-retry */
  retry: boolean;
}

export const commonOptions = (): Option[] => [
  new Option('--json', 'print JSON, exactly as the service answers'),
  new Option('-o, --output <file>', 'write the answer there, and print what was written'),
  new Option('--timeout <seconds>', 'how long to wait for an answer')
    .argParser(seconds)
    .default(60),
  new Option('--max-wait <seconds>', 'when told to call again later, wait at most so long in all')
    .argParser(seconds)
    .default(120),
  new Option('--no-retry', 'when told to call again later, do not'),
];

/** Timers hold no more than 24.8 days. */
const MAX_SECONDS = 86_400;

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value <= MAX_SECONDS)) {
    throw new InvalidArgumentError(`Expected seconds, more than 0 and at most ${MAX_SECONDS}.`);
  }
  return value;
}
