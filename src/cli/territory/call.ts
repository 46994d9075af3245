/** A call of the API: sent, waited for, and sent again when the service asks for patience. */
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { deprecationNotice } from './deprecation-notice.ts';
import { EXIT, exitCodeOfStatus, Failure } from './failure.ts';
import { parseJson } from './json.ts';
import type { Service } from './service.ts';

export interface ApiCall {
  /** Relative to the API's root; see `path` */
  path: string;
  /** What is undefined is not sent */
  query?: Record<string, string | undefined>;
  /** Sent as JSON, by POST; left out: it is a GET */
  body?: unknown;
  headers?: Record<string, string>;
  /** The media type wanted */
  type: string;
}

/** A path whose inserted parts are encoded: path`/public/zip/${zip}` */
export function path(texts: TemplateStringsArray, ...parts: string[]): string {
  const empty = parts.find((part) => /^\.{0,2}$/.test(part));
  // URLs take dots for directions: "metro/../vertical" would ask for something else.
  if (empty !== undefined) throw new Failure(EXIT.usage, `"${empty}" names nothing.`);
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
}

export interface Patience {
  /** Whether to call again when told to wait */
  retry: boolean;
  /** Told to wait longer than this in all: no further call */
  maxWaitSeconds: number;
  /** For one answer */
  timeoutSeconds: number;
}

const MAX_RETRIES = 5;

/**
 * The answer's bytes as the service sent them.
 * @param tell is given sentences about waiting and deprecation
 * @throws Failure in the service's own words
 */
export async function callApi(
  service: Service,
  call: ApiCall,
  patience: Patience,
  tell: (sentence: string) => void,
): Promise<Buffer> {
  let waited = 0;
  for (let retries = 0; ; retries++) {
    const answer = await send(service, call, patience.timeoutSeconds);
    const notice = deprecationNotice(call.path, answer.headers);
    if (notice && retries === 0) tell(notice);
    if (answer.status === 200) return checkedType(service, call, answer);

    const sentence = errorSentence(answer);
    const wait = secondsToWait(answer);
    const patient = patience.retry && retries < MAX_RETRIES;
    if (wait === undefined || !patient || waited + wait > patience.maxWaitSeconds) {
      throw new Failure(exitCodeOfStatus(answer.status), sentence);
    }
    tell(sentence);
    tell(`Waiting ${wait} s, then trying again (${retries + 1} of at most ${MAX_RETRIES} times).`);
    await delay(wait * 1000);
    waited += wait;
  }
}

interface HttpAnswer {
  status: number;
  statusText: string;
  headers: Headers;
  bytes: Buffer;
}

async function send(service: Service, call: ApiCall, timeoutSeconds: number): Promise<HttpAnswer> {
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
  const { body } = call;
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  try {
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    const response = await fetch(url, { ...sent, headers, signal });
    const { status, statusText } = response;
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status, statusText, headers: response.headers, bytes };
  } catch (error) {
    throw new Failure(EXIT.unavailable, networkProblem(error, service, timeoutSeconds), {
      cause: error,
    });
  }
}

const NOBODY = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/** `fetch` says only that it failed; what happened is its cause. */
function networkProblem(error: unknown, { url }: Service, timeoutSeconds: number): string {
  const { name, cause } = error as Error & { cause?: Error & { code?: string } };
  if (name === 'TimeoutError') {
    return `${url} did not answer within ${timeoutSeconds} s. --timeout allows it more.`;
  }
  if (NOBODY.has(cause?.code ?? '')) {
    return `Nothing answers at ${url}. Is the service running? TERRITORY_URL says where it is.`;
  }
  return `The connection to ${url} failed: ${cause?.message || (error as Error).message}.`;
}

function checkedType({ url }: Service, call: ApiCall, { headers, bytes }: HttpAnswer): Buffer {
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';');
  if (type.trim() === call.type) return bytes;
  throw new Failure(
    EXIT.other,
    `${url}${call.path} answered ${type || 'something'} where ${call.type} was expected. ` +
      'Does TERRITORY_URL name the service?',
  );
}

/** Of the Error object, or JSON-RPC's; what stands between us and the service may answer without. */
function errorSentence({ status, statusText, bytes }: HttpAnswer): string {
  const body = parseJson(bytes) as { error?: string | { message?: unknown } } | null | undefined;
  const error = typeof body?.error === 'object' ? body.error?.message : body?.error;
  return typeof error === 'string'
    ? error
    : `The answer was ${`${status} ${statusText}`.trim()}, without a word of the service’s.`;
}

/** Undefined where the same call will not succeed later, or the service does not say when. */
function secondsToWait({ status, headers }: HttpAnswer): number | undefined {
  const after = headers.get('Retry-After');
  if ((status !== 429 && status !== 503) || !after) return undefined;
  // RFC 9110, 10.2.3: seconds, or a date.
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(Math.ceil(seconds), 1);
}
