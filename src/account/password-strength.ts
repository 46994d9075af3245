/** Refuses passwords that are easy to guess. zxcvbn estimates that in a worker thread. */
import { Worker } from 'node:worker_threads';
import { ServiceError, unavailable } from '../errors.ts';
import { compiledModule } from '../geodata/project-files.ts';

export interface StrengthQuestion {
  id: number;
  password: string;
  /** Words about the person, which an attacker would try first */
  known: readonly string[];
}

export interface StrengthAnswer {
  id: number;
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
  const { score, weakness } = await ask(password.slice(0, ESTIMATED_CHARACTERS), wordsAbout(owner));
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

/** Time without work after which the thread ends, to free its memory */
const IDLE_MS = 60_000;
/** Time limit. Loading the word lists takes several seconds on a busy machine. */
const DEADLINE_MS = 20_000;
const MAX_WAITING = 50;

interface Waiting {
  resolve(answer: StrengthAnswer): void;
  reject(error: Error): void;
}

interface Estimator {
  worker: Worker;
  waiting: Map<number, Waiting>;
  idle: NodeJS.Timeout | undefined;
}

let running: Estimator | undefined;
let questions = 0;

function ask(password: string, known: readonly string[]): Promise<StrengthAnswer> {
  const estimator = (running ??= start());
  const { worker, waiting } = estimator;
  if (waiting.size >= MAX_WAITING) throw busy();
  clearTimeout(estimator.idle);
  const id = questions++;
  return new Promise<StrengthAnswer>((resolve, reject) => {
    const deadline = setTimeout(() => stop(estimator, busy()), DEADLINE_MS);
    const settle =
      <T>(done: (result: T) => void) =>
      (result: T) => {
        clearTimeout(deadline);
        waiting.delete(id);
        done(result);
      };
    waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
    worker.postMessage({ id, password, known } satisfies StrengthQuestion);
  });
}

function start(): Estimator {
  const worker = new Worker(compiledModule('account/password-strength-worker.ts'));
  const estimator: Estimator = { worker, waiting: new Map(), idle: undefined };
  worker.unref();
  worker.on('message', (answer: StrengthAnswer) => {
    estimator.waiting.get(answer.id)?.resolve(answer);
    if (estimator.waiting.size > 0) return;
    estimator.idle = setTimeout(() => stop(estimator), IDLE_MS).unref();
  });
  worker.on('error', (error) => stop(estimator, error));
  return estimator;
}

/** Ends the thread. @param reason error for waiting callers */
function stop(estimator: Estimator, reason: Error = busy()): void {
  if (running === estimator) running = undefined;
  clearTimeout(estimator.idle);
  for (const { reject } of estimator.waiting.values()) reject(reason);
  void estimator.worker.terminate();
}

const busy = () =>
  unavailable('Too many people are choosing a password right now. Try again in a few seconds.');
