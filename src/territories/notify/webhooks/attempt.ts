/** One request to a webhook. */
import { isDeadlineOver } from '../../../base/outside/deadline.ts';
import { exchange } from '../../../base/outside/exchange.ts';
import type { ClientFetch } from '../../../base/outside/public-fetch.ts';
import { parseRetryAfter } from './retries.ts';

/** Longest time until the receiver has answered */
const ATTEMPT_MS = 10_000;
/** The beginning of an answer, which helps to find a failure. The rest isn't read. */
const ANSWER_BYTES = 1_024;

/** The result of an attempt */
export interface Attempt {
  isDelivered: boolean;
  /** HTTP status; null without an answer */
  status: number | null;
  /** Why it failed, for people; null if it was delivered */
  problem: string | null;
  /** The beginning of the answer; null if it's empty or isn't text */
  answer: string | null;
  ms: number;
  /** Seconds that the receiver asked to wait; null if it didn't */
  retryAfter: number | null;
}

interface Message {
  url: string;
  /** Those of the signature */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Sends a message. Never fails: the result says what went wrong. */
export async function attempt(
  fetch: ClientFetch,
  { url, headers, body }: Message,
  limitMs = ATTEMPT_MS,
): Promise<Attempt> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const init = {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': 'territory-webhooks',
    },
    body,
  };
  try {
    // The status is enough, even if the answer then stops.
    const limits = { ms: limitMs, bytes: ANSWER_BYTES, rest: 'cut' as const };
    const { status, ok, headers: fields, bytes } = await exchange(url, init, limits, fetch);
    return {
      isDelivered: ok,
      status,
      answer: textOf(bytes),
      ms: elapsed(),
      problem: ok ? null : problemOf(status),
      retryAfter: parseRetryAfter(fields.get('Retry-After')),
    };
  } catch (error) {
    const problem = isDeadlineOver(error)
      ? `No answer within ${limitMs / 1000} seconds.`
      : causeOf(error as NodeJS.ErrnoException);
    const nothing = { status: null, answer: null, retryAfter: null };
    return { isDelivered: false, ...nothing, problem, ms: elapsed() };
  }
}

function problemOf(status: number): string {
  if (status >= 300 && status < 400) {
    return `The answer was ${status}. Redirects aren’t followed: enter the final address.`;
  }
  return status === 410
    ? 'The answer was 410 (gone), so nothing more is sent.'
    : `The answer was ${status}. Answer with 2xx to accept an event.`;
}

/** PostgreSQL stores no NUL, and pages and terminals show no control characters. */
const textOf = (bytes: Buffer) =>
  bytes
    .toString('utf8')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim() || null;

const CAUSES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name is unknown.',
  EAI_AGAIN: 'The host name can’t be looked up right now.',
  ECONNREFUSED: 'The host refused the connection.',
  ECONNRESET: 'The host closed the connection without an answer.',
  EPIPE: 'The host closed the connection without an answer.',
  EHOSTUNREACH: 'The host can’t be reached.',
  ENETUNREACH: 'The host can’t be reached.',
  ETIMEDOUT: 'The host can’t be reached.',
  CERT_HAS_EXPIRED: 'The certificate of the host has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the host is for another name.',
};

const IS_CERTIFICATE = /CERT|SIGNATURE|ISSUER/;

function causeOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (CAUSES[code]) return CAUSES[code];
  if (IS_CERTIFICATE.test(code)) return 'The certificate of the host is not trusted.';
  return `The request failed: ${message}.`;
}
