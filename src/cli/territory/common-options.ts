/** Options of every command of `territory`. */
import { InvalidArgumentError, Option } from 'commander';

export interface CommonOptions {
  json?: boolean;
  output?: string;
  timeout: number;
  maxWait: number;
  /** False with --no-retry */
  retry: boolean;
}

export const commonOptions = (): Option[] => [
  new Option(
    '--json',
    'print the JSON response exactly as the service sends it, and errors as JSON',
  ),
  new Option('-o, --output <file>', 'write the response to a file'),
  new Option('--timeout <seconds>', 'maximum time to wait for a response')
    .argParser(parseSeconds)
    .default(60),
  new Option('--max-wait <seconds>', 'maximum total wait for retries')
    .argParser(parseSeconds)
    .default(120),
  new Option('--no-retry', 'fail at once if the service asks the client to wait'),
];

/** A day. Timers overflow after 24.8 days. */
const MAX_SECONDS = 86_400;

function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value <= MAX_SECONDS)) {
    throw new InvalidArgumentError(`Expected seconds, more than 0 and at most ${MAX_SECONDS}.`);
  }
  return value;
}
