/** What company sign-in needs of the service, and its secrets. */
import type { Logger } from 'pino';
import type { Database } from '../../../base/db/database.ts';
import type { ClientFetch } from '../../../base/outside/public-fetch.ts';
import type { TxtLookup } from '../../../base/outside/txt-records.ts';
import type { SecretBox } from '../secret-box.ts';
import { boxOf, type SecretColumn } from '../stored-secrets.ts';

export interface CompanyParts {
  db: Database;
  /** Asks issuers, within the rules and limits of `base/outside/issuer-fetch.ts` */
  fetch: ClientFetch;
  /** Encrypts client secrets, bound to their organization, and refresh tokens, bound to their sign-in */
  secrets: SecretBox;
  log: Logger;
  /** Looks for the records of domains */
  lookUpTxt: TxtLookup;
}

/** Hashes aren't enough, because the service sends these secrets to the provider. */
const PURPOSE = 'company sign-in';

export const COMPANY_SECRETS: readonly SecretColumn[] = [
  {
    noun: 'client secret',
    table: 'company_sign_ins',
    column: 'client_secret',
    owner: 'organization_id',
    purpose: PURPOSE,
  },
  {
    noun: 'refresh token',
    table: 'company_grants',
    column: 'refresh_token',
    owner: 'id',
    purpose: PURPOSE,
  },
];

export const companySecretBox = (keys: readonly Uint8Array[]) => boxOf({ purpose: PURPOSE }, keys);
