/** The process's log: JSON lines on standard output. */
import pino, { type DestinationStream, type Logger } from 'pino';
import { withoutKeys } from './account/key-text.ts';

/**
 * Lines are written together: one system call each would cost a cached answer a tenth of its time.
 * What is left is written when the process ends.
 */
const TOGETHER = { sync: false, minLength: 4096, periodicFlush: 100 } as const;
const STANDARD_OUTPUT = 1;

/** Secrets that an error or a request might carry along; they are cut out wherever they stand. */
const REDACT = [
  'err.config',
  'req.headers.authorization',
  'req.headers.cookie',
  'authorization',
  'cookie',
  'password',
];

/** @param fd of an open file */
export const linesTo = (fd: number): DestinationStream => pino.destination({ ...TOGETHER, fd });

/** No API key gets into it, whatever carries one: a path, the id given to a request, an error. */
export function createLog(level: string, to = linesTo(STANDARD_OUTPUT)): Logger {
  const redact = { paths: REDACT, censor: '[redacted]' };
  return pino({ level, redact, hooks: { streamWrite: withoutKeys } }, to);
}
