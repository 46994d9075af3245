/** The process's log: JSON lines on standard output. */
import pino, { type Logger } from 'pino';

/** Secrets that an error or a request might carry along; they are cut out wherever they stand. */
const REDACT = [
  'err.config',
  'req.headers.authorization',
  'req.headers.cookie',
  'authorization',
  'cookie',
  'password',
];

export function createLog(level: string): Logger {
  return pino({ level, redact: { paths: REDACT, censor: '[redacted]' } });
}
