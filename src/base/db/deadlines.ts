/**
 * Time limits for the database. The server enforces some of them, so that it stops abandoned work. The
 * client enforces the others, because a silent server enforces nothing.
 */
import type pg from 'pg';

export interface Deadlines {
  /** Until a statement or transaction has a connection: waiting for the pool, and connecting */
  waitMs: number;
  /** Until a new connection is ready */
  dialMs: number;
  /** Until an idle connection responds to a test */
  pingMs: number;
  /** Until a statement is answered. After that, its connection is destroyed */
  answerMs: number;
  /** Until the first statement is answered, including the wait for its connection */
  totalMs: number;
  /** The server cancels a statement after this time. Shorter than `answerMs` */
  statementMs: number;
  /** The server stops waiting for a row or table that another transaction has locked */
  lockMs: number;
  /** The server ends a transaction if its client sends nothing for this time */
  idleInTransactionMs: number;
  /** A connection is replaced at this age, so that it follows address changes and failovers */
  maxAgeSeconds: number;
  /** Share of the pool that one organization may use at the same time, from 0 to 1 */
  organizationShare: number;
}

/**
 * For requests. With a `timeoutMs` of 3,000, each is answered within 5 seconds, even if all answers of the
 * database are suddenly 2 seconds late: the running statement is answered after 2 seconds, and the next one
 * fails after `answerMs`.
 * @param timeoutMs time limit of a statement
 */
export const serviceDeadlines = (timeoutMs: number): Deadlines => ({
  waitMs: (timeoutMs * 2) / 3,
  dialMs: timeoutMs / 2,
  pingMs: timeoutMs / 6,
  answerMs: (timeoutMs * 19) / 20,
  totalMs: (timeoutMs * 4) / 3,
  statementMs: (timeoutMs * 17) / 20,
  lockMs: (timeoutMs * 2) / 3,
  idleInTransactionMs: (timeoutMs * 2) / 3,
  maxAgeSeconds: 1_800,
  organizationShare: 0.4,
});

/**
 * For a request's reads from a replica. If the replica doesn't answer, the primary still has its full time,
 * and the request is answered within 5 seconds.
 */
export const replicaDeadlines = (timeoutMs: number): Deadlines => serviceDeadlines(timeoutMs / 4);

const MINUTE = 60_000;

/** For imports, migrations, and other work of operators, which takes minutes. */
export const OPERATOR_DEADLINES: Deadlines = {
  waitMs: 30_000,
  dialMs: 5_000,
  pingMs: 5_000,
  answerMs: 61 * MINUTE,
  totalMs: 62 * MINUTE,
  statementMs: 60 * MINUTE,
  lockMs: 10 * MINUTE,
  idleInTransactionMs: 5 * MINUTE,
  maxAgeSeconds: 0,
  organizationShare: 1,
};

/** The limits that the server enforces, as connection options. */
export const serverLimits = (deadlines: Deadlines): pg.ClientConfig => ({
  statement_timeout: Math.round(deadlines.statementMs),
  lock_timeout: Math.round(deadlines.lockMs),
  idle_in_transaction_session_timeout: Math.round(deadlines.idleInTransactionMs),
});
