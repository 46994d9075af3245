/** Sends an API call, waits for the response, and retries if the service asks the client to wait. */
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICE_VERSION } from '../../../base/contract/version.ts';
import { isDeadlineOver } from '../../../base/outside/deadline.ts';
import { exchange, type Exchanged } from '../../../base/outside/exchange.ts';
import { EXIT, exitCodeOfStatus, Failure } from './failure.ts';
import { isRecord, parseJson } from './json.ts';
import type { Service } from './service.ts';

export interface ApiCall {
  /** Path from the API's root, made with `path` */
  path: string;
  /** Undefined values aren't sent. */
  query?: Record<string, string | undefined>;
  /** Value to send as JSON with POST. Without a body, the call is a GET. */
  body?: unknown;
  /** File to send with POST instead, piece by piece */
  file?: FileBody;
  headers?: Record<string, string>;
  /** Media type to accept */
  type: string;
}

/** A file to send, or standard input */
export interface FileBody {
  /** Opens it from the start */
  open(): AsyncIterable<Uint8Array>;
  /** Undefined for standard input, which can't be read again */
  bytes: number | undefined;
  /** Shows how much was sent */
  onProgress?: (sent: number, total: number | undefined) => void;
}

/** Shortest time limit for a call with a file, in seconds. Sending 100 MB takes minutes. */
const FILE_SECONDS = 15 * 60;

/** Returns a path with percent-encoded parts, as in path`/public/zip/${zip}`. @throws Failure */
export function path(texts: TemplateStringsArray, ...parts: string[]): string {
  const empty = parts.find((part) => /^\.{0,2}$/.test(part));
  // URLs resolve dot segments: "metro/../vertical" would call another operation.
  if (empty !== undefined) throw new Failure(EXIT.usage, `"${empty}" is not a valid name.`);
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
}

interface RetryPolicy {
  /** Whether to retry if the service asks the client to wait */
  retry: boolean;
  /** Longest sum of all waits */
  maxWaitSeconds: number;
  /** Longest time for one response */
  timeoutSeconds: number;
}

const MAX_RETRIES = 5;
/** Larger than any response: an export of all plans has tens of MB. */
const MAX_BYTES = 1 << 30;

/** A response that succeeded */
interface Received {
  /** The body, byte for byte */
  bytes: Buffer;
  headers: Headers;
}

/**
 * Calls the API.
 * @param warn prints a sentence about waiting or deprecation
 * @throws Failure with the service's error message
 */
export async function callApi(
  service: Service,
  call: ApiCall,
  policy: RetryPolicy,
  warn: (sentence: string) => void,
): Promise<Received> {
  let waited = 0;
  for (let retries = 0; ; retries++) {
    const response = await send(
      service,
      call,
      call.file ? Math.max(policy.timeoutSeconds, FILE_SECONDS) : policy.timeoutSeconds,
    );
    const notice = deprecationNotice(call.path, response.headers);
    if (notice && retries === 0) warn(notice);
    if (response.status === 200) {
      checkType(service, call, response);
      return response;
    }

    const { error, code, details } = errorOf(response);
    const wait = secondsToWait(response);
    const canRepeat = call.file === undefined || call.file.bytes !== undefined;
    const mayRetry = policy.retry && canRepeat && retries < MAX_RETRIES;
    if (wait === undefined || !mayRetry || waited + wait > policy.maxWaitSeconds) {
      throw new Failure(exitCodeOfStatus(response.status), error, { code, details });
    }
    warn(error);
    warn(`Waiting ${wait} s before retry ${retries + 1} of ${MAX_RETRIES}.`);
    await delay(wait * 1000);
    waited += wait;
  }
}

async function send(service: Service, call: ApiCall, timeoutSeconds: number): Promise<Exchanged> {
  const url = new URL(service.url + call.path);
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const headers = new Headers({
    ...call.headers,
    Accept: call.type,
    'User-Agent': `territory (contract ${SERVICE_VERSION})`,
  });
  if (service.apiKey) headers.set('Authorization', `Bearer ${service.apiKey}`);
  const { body, file } = call;
  const type = file ? 'application/octet-stream' : 'application/json';
  if (file || body !== undefined) headers.set('Content-Type', type);
  if (file?.bytes !== undefined) headers.set('Content-Length', String(file.bytes));
  const post = file
    ? { method: 'POST', body: Readable.toWeb(Readable.from(sent(file))), duplex: 'half' }
    : body === undefined
      ? {}
      : { method: 'POST', body: JSON.stringify(body) };
  try {
    const limits = { ms: timeoutSeconds * 1000, bytes: MAX_BYTES };
    return await exchange(url, { ...post, headers } as RequestInit, limits);
  } catch (error) {
    const problem = networkProblem(error, service, timeoutSeconds);
    // The service stores what it has received completely, even if the answer is lost.
    const advice = file ? ' The file may be stored anyway: territory data list shows it.' : '';
    throw new Failure(EXIT.unavailable, problem + advice, { cause: error });
  }
}

async function* sent({ open, bytes, onProgress }: FileBody): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const piece of open()) {
    yield piece;
    done += piece.length;
    onProgress?.(done, bytes);
  }
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Describes a network error by its cause, because the message of `fetch` has no details. */
function networkProblem(error: unknown, { url }: Service, timeoutSeconds: number): string {
  const { cause } = error as Error & { cause?: Error & { code?: string } };
  if (isDeadlineOver(error)) {
    return `${url} did not respond within ${timeoutSeconds} s. Raise the limit with --timeout.`;
  }
  if (UNREACHABLE.has(cause?.code ?? '')) {
    return `Could not reach ${url}. Start the service, or set TERRITORY_URL to its address.`;
  }
  return `The connection to ${url} failed: ${cause?.message || (error as Error).message}.`;
}

function checkType({ url }: Service, call: ApiCall, { headers }: Exchanged): void {
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';');
  if (type.trim() === call.type) return;
  throw new Failure(
    EXIT.other,
    `${url}${call.path} returned ${type || 'no content type'} instead of ${call.type}. ` +
      'Check that TERRITORY_URL is the address of the service.',
  );
}

/** Returns the error object of the API or of JSON-RPC. Proxies may answer without one. */
function errorOf({ status, statusText, bytes }: Exchanged) {
  const body = parseJson(bytes);
  const { error, code, ...details } = isRecord(body) ? body : {};
  if (isRecord(error) && typeof error.message === 'string') {
    const { code: rpcCode, ...data } = isRecord(error.data) ? error.data : {};
    return { error: error.message, code: textOrNothing(rpcCode), details: data };
  }
  if (typeof error === 'string') return { error, code: textOrNothing(code), details };
  const answer = `${status} ${statusText}`.trim();
  return {
    error: `The server returned ${answer} without an error message.`,
    code: undefined,
    details: {},
  };
}

const textOrNothing = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Returns the time that the service asks to wait; undefined if a retry won't help. */
function secondsToWait({ status, headers }: Exchanged): number | undefined {
  const after = headers.get('Retry-After');
  if ((status !== 429 && status !== 503) || !after) return undefined;
  // RFC 9110, 10.2.3: seconds or a date.
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(Math.ceil(seconds), 1);
}

/** Reads deprecation headers: RFC 9745 and RFC 8594. @returns a sentence about a deprecated operation, or undefined */
function deprecationNotice(path: string, headers: Headers): string | undefined {
  const since = /^@(-?\d+)$/.exec(headers.get('Deprecation') ?? '')?.[1];
  if (since === undefined) return undefined;
  const sunset = Date.parse(headers.get('Sunset') ?? '');
  const successors = [...(headers.get('Link') ?? '').matchAll(SUCCESSOR)].map(([, uri]) => uri);
  const end = Number.isNaN(sunset) ? '' : ` and will be removed on ${day(sunset)}`;
  const instead = successors.length > 0 ? ` Use instead: ${successors.join(', ')}.` : '';
  return `${path} was deprecated on ${day(Number(since) * 1000)}${end}.${instead}`;
}

const SUCCESSOR = /<([^>]*)>\s*;[^,]*\brel="?successor-version"?/g;

const day = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);
