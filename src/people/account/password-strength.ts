/** Refuses passwords that are easy to guess. zxcvbn estimates that in a thread. */
import { ServiceError, unavailable } from '../../errors.ts';
import { compiledModule } from '../../base/workers/compiled-module.ts';
import { threadChannel } from '../../base/workers/channel.ts';
import { UnavailableError } from '../../base/workers/errors.ts';
import { Pool } from '../../base/workers/pool.ts';
import { PoolWorker } from '../../base/workers/pool-worker.ts';

export interface StrengthQuestion {
  password: string;
  /** Words about the person, which an attacker would try first */
  known: readonly string[];
}

export interface StrengthAnswer {
  /** 0 to 4 */
  score: number;
  /** A sentence about its weakness, if known */
  weakness: string | null;
}

/** The person who chooses a password */
export interface PasswordOwner {
  email: string;
  name?: string;
  organization?: string;
}

/** Score of at least 10^10 guesses, which is safe even if the hash is stolen */
const ENOUGH = 4;

/** Number of characters to estimate. The time grows with the length, and these are enough. */
const ESTIMATED_CHARACTERS = 64;

/** A separate class, so that pages can show the message next to the field. */
export class WeakPassword extends ServiceError {
  constructor(weakness: string | null) {
    super(
      400,
      'bad_request',
      `This password is easy to guess. ${weakness ?? 'It is close to your name or a common phrase.'} ` +
        'Four or more unrelated words are easy to remember and hard to guess.',
    );
  }
}

export const isWeakPassword = (error: ServiceError) => error instanceof WeakPassword;

/**
 * Refuses a weak password.
 * @throws WeakPassword with advice
 * @throws ServiceError 503 if too many passwords are being checked
 */
export async function requireStrongPassword(password: string, owner: PasswordOwner): Promise<void> {
  const question = { password: password.slice(0, ESTIMATED_CHARACTERS), known: wordsAbout(owner) };
  const { score, weakness } = await estimates.run(question).catch((error: unknown) => {
    throw error instanceof UnavailableError ? unavailable(BUSY, { cause: error }) : error;
  });
  if (score < ENOUGH) throw new WeakPassword(weakness);
}

/** Returns names and addresses, whole and word by word. */
function wordsAbout({ email, name = '', organization = '' }: PasswordOwner): string[] {
  const texts = [email, name, organization, 'territory intelligence'].map((text) =>
    text.trim().toLowerCase(),
  );
  const words = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  return [...new Set([...texts, ...words])].filter((word) => word.length > 2);
}

const BUSY = 'Too many people are choosing a password right now. Try again in a few seconds.';

const estimates = new Pool<StrengthQuestion, StrengthAnswer>(
  () =>
    new PoolWorker(
      threadChannel(compiledModule('people/account/password-strength-worker.ts'), {}),
      () => Promise.reject(new Error('Estimates ask nothing')),
    ),
  // Loading the word lists takes several seconds on a busy machine. They take much memory.
  { workers: 1, queue: 50, deadlineMs: 20_000, idleMs: 60_000 },
  { busy: BUSY, late: () => BUSY, stopping: BUSY, crashed: 'Estimating a password crashed twice.' },
);
