/** Company sign-in as a process of the service uses it. */
import type { Logger } from 'pino';
import { companySecretBox, type CompanyParts } from '../account/company-sign-in/parts.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { issuerFetch } from '../outside/issuer-fetch.ts';

export { startCompanyChecker } from '../account/company-sign-in/checker.ts';

export const companyPartsOf = (
  { issuerNetworks, secretKeys }: Pick<Config, 'issuerNetworks' | 'secretKeys'>,
  db: Database,
  log: Logger,
): CompanyParts => ({
  db,
  fetch: issuerFetch(issuerNetworks),
  secrets: companySecretBox(secretKeys),
  log,
});
