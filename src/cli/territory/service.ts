/** Address of the service and the API key. */
import { EXIT, Failure } from './failure.ts';

export interface Service {
  /** The API's root, without a trailing slash */
  url: string;
  /** Sent as a bearer token */
  apiKey: string | undefined;
}

const DEFAULT_URL = 'http://localhost:3000';

/** @throws Failure that says where to get a key */
export function requireKey({ apiKey }: Service): void {
  if (apiKey) return;
  throw new Failure(
    EXIT.notAllowed,
    'This command needs an API key. Set TERRITORY_API_KEY to a key from your account settings ' +
      '(API keys), or create one on your own service: territory-admin key mint --org NAME.',
  );
}

/**
 * Reads TERRITORY_URL and TERRITORY_API_KEY. Empty values count as unset.
 * @throws Failure that names an invalid setting
 */
export function serviceOf(env: Record<string, string | undefined>): Service {
  const url = env['TERRITORY_URL'] || DEFAULT_URL;
  const apiKey = env['TERRITORY_API_KEY'] || undefined;
  if (!URL.canParse(url) || !/^https?:\/\/[^?#]+$/i.test(url)) {
    throw new Failure(
      EXIT.usage,
      `TERRITORY_URL is "${url}". Set it to a URL such as ${DEFAULT_URL}.`,
    );
  }
  // The message must not print the key. `fetch` would print it when rejecting the header.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Failure(
      EXIT.usage,
      'TERRITORY_API_KEY contains a character that no key has. Copy the key again.',
    );
  }
  return { url: url.replace(/\/+$/, ''), apiKey };
}
