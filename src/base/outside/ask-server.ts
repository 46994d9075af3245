/** Sends requests for JSON to a configured server. */
import { decodePart } from '../text/decode-part.ts';
import { isDeadlineOver } from './deadline.ts';
import { exchange, type Exchanged } from './exchange.ts';

/** Body of POST; default: GET */
interface ServerRequest {
  /** Relative to the server's URL: `/isochrone` */
  path: string;
  body?: unknown;
}

export type AskServer = (request: ServerRequest) => Promise<unknown>;

/** The server can’t be reached, is too slow, or sends an invalid response. */
export class ServerFailure extends Error {
  override name = 'ServerFailure';
}

/** The server refused a request. `answer`: the body of its response if it is JSON */
export class ServerRefusal extends ServerFailure {
  override name = 'ServerRefusal';
  readonly status: number;
  readonly answer: Readonly<Record<string, unknown>>;

  constructor(status: number, answer: unknown) {
    const known = typeof answer === 'object' && answer !== null ? answer : {};
    super(`status ${status}: ${JSON.stringify(known).slice(0, 300)}`);
    this.status = status;
    this.answer = known as ServerRefusal['answer'];
  }
}

/** An isochrone of two hours takes about 100 kB. */
const MAX_BYTES = 4_000_000;

/**
 * @param url may contain a user and a password, which are sent as Basic authentication, and a query with an
 *   API key
 * @param ms time limit of all requests together, from now on
 */
export function askServerAt(url: string, ms: number): AskServer {
  const until = performance.now() + ms;
  const base = splitCredentials(url);
  return async ({ path, body }) => {
    const address = new URL(base.url);
    const [folder, query = ''] = path.split('?');
    address.pathname = address.pathname.replace(/\/+$/, '') + folder;
    for (const [name, value] of new URLSearchParams(query)) address.searchParams.set(name, value);
    const headers = new Headers({ Accept: 'application/json', ...base.headers });
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const init: RequestInit = {
      headers,
      redirect: 'error',
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    };
    let response: Exchanged;
    try {
      response = await exchange(address, init, {
        ms: Math.max(until - performance.now(), 0),
        bytes: MAX_BYTES,
      });
    } catch (error) {
      throw networkFailure(error);
    }
    const answer = parseJson(response.bytes.toString());
    if (!response.ok) throw new ServerRefusal(response.status, answer);
    if (answer === undefined) throw new ServerFailure('the response is not JSON');
    return answer;
  };
}

/** Splits a URL into one without its user and password, and the header that sends them as Basic authentication. */
export function splitCredentials(url: string): {
  url: string;
  headers: { Authorization?: string };
} {
  const address = new URL(url);
  const { username, password } = address;
  const credentials = [username, password].map((part) => decodePart(part) ?? part).join(':');
  address.username = '';
  address.password = '';
  return {
    url: address.href,
    headers: username ? { Authorization: `Basic ${btoa(credentials)}` } : {},
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Describes the cause of an error of `fetch`, whose own message only says that it failed. */
export function networkFailure(error: unknown): ServerFailure {
  if (error instanceof ServerFailure) return error;
  const { name, message, cause } = error as Error & { cause?: Error };
  const late = isDeadlineOver(error) || name === 'AbortError';
  return new ServerFailure(late ? 'no response in time' : cause?.message || message, {
    cause: error,
  });
}
