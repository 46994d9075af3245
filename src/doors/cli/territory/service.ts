/** The address of the service and the credential. */
import { EXIT, Failure } from './failure.ts';
import { readSignIns } from './login/sign-ins.ts';

export interface Service {
  /** The API's root, without a trailing slash */
  url: string;
  /** The API key, or the access token of a sign-in. It's sent as a bearer token. */
  apiKey: string | undefined;
}

const DEFAULT_URL = 'http://localhost:3000';

/**
 * Returns the service with the key, or with the access token of a sign-in.
 * @throws Failure without a credential
 */
export async function withCredential(
  service: Service,
  env: Record<string, string | undefined>,
): Promise<Service> {
  if (service.apiKey) return service;
  const { accessTokenFor } = await import('./login/access-token.ts');
  const apiKey = await accessTokenFor(service.url, env);
  if (apiKey) return { ...service, apiKey };
  throw new Failure(
    EXIT.notAllowed,
    'This command needs an API key or a sign-in. Run territory login, or set TERRITORY_API_KEY to a key ' +
      'from your account settings (API keys). On your own service, create one with: territory-admin ' +
      'key mint --org NAME.',
  );
}

/**
 * Reads TERRITORY_URL and TERRITORY_API_KEY. Empty values count as unset.
 * @throws Failure that names an invalid setting
 */
export function serviceOf(env: Record<string, string | undefined>): Service {
  const apiKey = env['TERRITORY_API_KEY'] || undefined;
  const set = env['TERRITORY_URL'];
  const url = set
    ? checkUrl(set, 'TERRITORY_URL')
    : (apiKey === undefined && readSignIns(env).current) || DEFAULT_URL;
  // The message must not contain the key. `fetch` would print it when it rejects the header.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Failure(
      EXIT.usage,
      'TERRITORY_API_KEY contains an invalid character. Copy the key again.',
    );
  }
  return { url, apiKey };
}

/** Returns the URL without a trailing slash. @param name name of the setting or argument @throws Failure */
export function checkUrl(url: string, name: string): string {
  if (!URL.canParse(url) || !/^https?:\/\/[^?#]+$/i.test(url)) {
    throw new Failure(EXIT.usage, `${name} is "${url}". Set it to a URL such as ${DEFAULT_URL}.`);
  }
  return url.replace(/\/+$/, '');
}
