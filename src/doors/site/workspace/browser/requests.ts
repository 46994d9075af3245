/** Requests of the workspace to the service. A refusal contains a reason for people. */
import { config } from './config.ts';

/** A refused request. The message is for people. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Describes a failure or refusal to people */
export const messageOf = (error: unknown, otherwise = 'Something went wrong. Try again.'): string =>
  error instanceof Refusal ? error.message : otherwise;

type Init = { headers?: Record<string, string> } & Omit<RequestInit, 'headers'>;

const send = (path: string, { headers, ...init }: Init) =>
  fetch(path, { headers: { 'For-Organization': config().organization.id, ...headers }, ...init });

/** Requests that were sent before a part of the page needs their answers, by address */
const early = new Map<string, Promise<Response>>();
/** Later, the data may have changed. */
const EARLY_MS = 15_000;

/** Sends a request in advance. Its answer goes to the first plain `request` of this address. */
export function requestEarly(path: string): void {
  const answer = send(path, {});
  early.set(path, answer);
  setTimeout(() => early.delete(path), EARLY_MS);
  // `request` reports failures.
  answer.catch(() => {});
}

function takeEarly(path: string): Promise<Response> | undefined {
  const answer = early.get(path);
  early.delete(path);
  return answer;
}

const isPlain = ({ method, headers, body }: Init) => !method && !headers && !body;

/** @throws Refusal; AbortError */
export async function request(path: string, init: Init = {}): Promise<Response> {
  let response: Response;
  try {
    response = await ((isPlain(init) && takeEarly(path)) || send(path, init));
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refusal(0, 'The service can’t be reached. Check the connection, then try again.');
  }
  if (response.ok) return response;
  // A proxy may respond with a page.
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  throw new Refusal(response.status, error ?? `The service answered with ${response.status}.`);
}

/** @throws Refusal */
export async function getJson<T>(path: string): Promise<T> {
  const response = await request(path);
  return (await response.json()) as T;
}

/** @throws Refusal; AbortError */
export const post = (path: string, body: object, signal?: AbortSignal): Promise<Response> =>
  request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/** @throws Refusal */
export async function postJson<T>(path: string, body: object): Promise<T> {
  const response = await post(path, body);
  return (await response.json()) as T;
}

/** Sends the fields of a form. @throws Refusal */
export async function postForm<T>(path: string, fields: Record<string, string>): Promise<T> {
  const body = new URLSearchParams({ 'for-organization': config().organization.id, ...fields });
  const response = await request(path, { method: 'POST', body });
  return (await response.json()) as T;
}
