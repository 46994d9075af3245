/** Reads the first message of a client of the PostgreSQL wire protocol: its version and its parameters. */

/**
 * Limits that the gateway enforces. PGlite would apply them to its only session, and thereby to all
 * clients, but has no timers to enforce them. Locks need no limit, because only one transaction runs at a
 * time.
 */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
const PARAMETERS_AT = 8;

interface Startup {
  /** The message without the limits */
  message: Buffer;
  /** 0 means no limit */
  idleInTransactionMs: number;
  /** 0 means no limit */
  statementMs: number;
}

/** @param message length, protocol version, then names and values that each end with a zero byte */
export function readStartup(message: Buffer): Startup {
  const words = message.toString('utf8', PARAMETERS_AT).split('\0');
  const kept: string[] = [];
  const limits = new Map<string, string>();
  for (let i = 0; words[i]; i += 2) {
    const [name, value] = [words[i]!, words[i + 1]!];
    if (LIMITS.includes(name)) limits.set(name, value);
    else kept.push(name, value);
  }
  const parameters = Buffer.from(kept.map((word) => `${word}\0`).join('') + '\0');
  const head = Buffer.from(message.subarray(0, PARAMETERS_AT));
  head.writeUInt32BE(PARAMETERS_AT + parameters.length);
  const limit = (name: string) => Number(limits.get(name)) || 0;
  return {
    message: Buffer.concat([head, parameters]),
    idleInTransactionMs: limit('idle_in_transaction_session_timeout'),
    statementMs: limit('statement_timeout'),
  };
}
