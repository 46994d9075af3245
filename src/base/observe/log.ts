/** The process's log: JSON lines on standard output. */
import pino, { type DestinationStream, type Logger } from 'pino';

/** In characters. One system call per line would take a tenth of the time of a cached answer. */
const BATCH_LENGTH = 15_000;
/** Maximum delay of a line. If a process is killed, it loses this much. */
const BATCH_MS = 100;
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

/**
 * Writes lines in batches, and the last batch when the process ends. Pino's destination also has batches,
 * but copies the whole batch for each line to measure it, which takes 2 us. Each batch is written before the next line,
 * as Node writes to standard output: a write in the background is lost if the process throws meanwhile.
 * @param fd descriptor of an open file
 */
export function linesTo(fd: number): DestinationStream {
  let batch = '';
  const flush = () => {
    if (batch === '') return;
    const lines = batch;
    batch = '';
    destination.write(lines);
  };
  // Registered before the destination's own listeners, which write the whole batch.
  process.on('exit', flush).on('beforeExit', flush);
  const destination = pino.destination({ sync: true, fd });
  setInterval(flush, BATCH_MS).unref();
  return {
    write(line) {
      batch += line;
      if (batch.length >= BATCH_LENGTH) flush();
    },
  };
}

/** Masks API keys and other secrets of the service: `svc_`, their kind, and random characters. */
const withoutKeys = (text: string) =>
  text.includes('svc_') ? text.replaceAll(/(svc_[a-z]+_)[0-9A-Za-z]{8,}/g, '$1…') : text;

/** Removes API keys from all lines, wherever they occur. */
export function createLog(level: string, to = linesTo(STANDARD_OUTPUT)): Logger {
  const redact = { paths: REDACTED_PATHS, censor: '[redacted]' };
  return pino({ level, redact, hooks: { streamWrite: withoutKeys } }, to);
}
