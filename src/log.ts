/** The process's log: JSON lines on standard output. */
import pino, { type Logger } from 'pino';

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

/** @param fd of the open file that it goes to */
export function createLog(level: string, fd = STANDARD_OUTPUT): Logger {
  const redact = { paths: REDACT, censor: '[redacted]' };
  return pino({ level, redact }, pino.destination({ ...TOGETHER, fd }));
}
