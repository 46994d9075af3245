/**
 * Sends requests for JSON to a configured server, within limits of time and size. `fetch` limits the time
 * with a signal, but can't limit the size.
 */
import { decodePart } from '../text/decode-part.ts';

/** Body of POST; default: GET */
export interface ServerRequest {
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
 * @param signal cancels all requests when the deadline passes, or earlier
 */
export function askServerAt(url: string, signal: AbortSignal): AskServer {
  const base = splitCredentials(url);
  return async ({ path, body }) => {
    const address = new URL(base.url);
    const [folder, query = ''] = path.split('?');
    address.pathname = address.pathname.replace(/\/+$/, '') + folder;
    for (const [name, value] of new URLSearchParams(query)) address.searchParams.set(name, value);
    const headers = new Headers({ Accept: 'application/json', ...base.headers });
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const init: RequestInit = {
      ...{ headers, signal, redirect: 'error' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    };
    let response: Response;
    let text: string;
    try {
      response = await fetch(address, init);
      text = await readLimited(response);
    } catch (error) {
      throw error instanceof ServerFailure ? error : networkFailure(error);
    }
    const answer = parseJson(text);
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

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Ending the loop cancels the body.
    if (bytes > MAX_BYTES) throw new ServerFailure(`the response exceeds ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
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
  const { name, message, cause } = error as Error & { cause?: Error };
  const late = name === 'TimeoutError' || name === 'AbortError';
  return new ServerFailure(late ? 'no response in time' : cause?.message || message, {
    cause: error,
  });
}
