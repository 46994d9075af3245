/** What company sign-in needs of the service, and its secrets. */
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { ClientFetch } from '../../outside/public-fetch.ts';
import { secretBox, type SecretBox } from '../secret-box.ts';

export interface CompanyParts {
  db: Database;
  /** Asks issuers, within the rules and limits of `outside/issuer-fetch.ts` */
  fetch: ClientFetch;
  /** Encrypts client secrets, bound to their organization, and refresh tokens, bound to their sign-in */
  secrets: SecretBox;
  log: Logger;
}

/** Hashes aren't enough, because the service sends these secrets to the provider. */
export const companySecretBox = (keys: readonly Uint8Array[]) => secretBox(keys, 'company sign-in');
