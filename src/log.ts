/** The process's log: JSON lines on standard output. */
import pino, { type DestinationStream, type Logger } from 'pino';
import { withoutKeys } from './account/key-text.ts';

/**
 * Lines are written in batches: a system call per line would take a tenth of the time of a cached
 * answer. The rest is written when the process ends.
 */
const BATCHED = { sync: false, minLength: 15_000, periodicFlush: 100 } as const;
const STANDARD_OUTPUT = 1;

/** Fields of errors and requests that may contain secrets. */
const REDACTED_PATHS = [
  'err.config',
  'req.headers.authorization',
  'req.headers.cookie',
  'authorization',
  'cookie',
  'password',
];

/** @param fd descriptor of an open file */
export const linesTo = (fd: number): DestinationStream => pino.destination({ ...BATCHED, fd });

/** Removes API keys from every line, wherever they occur. */
export function createLog(level: string, to = linesTo(STANDARD_OUTPUT)): Logger {
  const redact = { paths: REDACTED_PATHS, censor: '[redacted]' };
  return pino({ level, redact, hooks: { streamWrite: withoutKeys } }, to);
}
