/** Where the service is, and as whom it is asked. */
import { EXIT, Failure } from './failure.ts';

export interface Service {
  /** The API's root, without a slash at the end */
  url: string;
  /** Sent as a bearer token */
  apiKey: string | undefined;
}

const DEFAULT_URL = 'http://localhost:3000';

/** @throws Failure that says where a key is to be had */
export function requireKey({ apiKey }: Service): void {
  if (apiKey) return;
  throw new Failure(
    EXIT.notAllowed,
    'This needs an API key, and TERRITORY_API_KEY is not set. The owner of an organisation mints ' +
      'one in its account settings, for developers; where the service is your own, so does ' +
      'territory-admin key mint --org NAME.',
  );
}

/**
 * Reads TERRITORY_URL and TERRITORY_API_KEY; an empty value counts as unset.
 * @throws Failure that names the setting that cannot be used
 */
export function serviceOf(env: Record<string, string | undefined>): Service {
  const url = env['TERRITORY_URL'] || DEFAULT_URL;
  const apiKey = env['TERRITORY_API_KEY'] || undefined;
  if (!URL.canParse(url) || !/^https?:\/\/[^?#]+$/i.test(url)) {
    throw new Failure(EXIT.usage, `TERRITORY_URL is "${url}", not a URL such as ${DEFAULT_URL}.`);
  }
  // The key itself must not be printed, nor reach fetch, whose complaint would print it.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Failure(EXIT.usage, 'TERRITORY_API_KEY holds a space or a letter that no key has.');
  }
  return { url: url.replace(/\/+$/, ''), apiKey };
}
