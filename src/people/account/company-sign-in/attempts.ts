/** Sign-ins under way: the browser has left for the provider and comes back with an answer. */
import type { Database, Queryable } from '../../../base/db/database.ts';
import { expiring } from '../../../base/db/expiring-rows.ts';
import { badRequest, notFound } from '../../../errors.ts';
import { hashOfSecret, looksLikeSecret, newSecret } from '../secret.ts';
import { tenantOf } from '../tenant.ts';
import type { CompanyParts } from './parts.ts';
import { asServiceError, ProviderFailure } from './provider-failure.ts';
import { connectToProvider, newBindings, providerSignInUrl, type Bindings } from './provider.ts';
import { providerClientOf, recordProblem } from './settings.ts';

/** Time for signing in at the provider */
export const ATTEMPT_MINUTES = 10;
const MAX_NEXT_LENGTH = 4096;

export const EXPIRED_ATTEMPTS = expiring({
  table: 'company_attempts',
  column: 'expires_at',
  before: 'now()',
});

/** An organization with company sign-in */
export interface Company {
  organizationId: string;
  name: string;
  issuer: string;
}

/** @throws ServiceError 404 if the organization has no company sign-in */
export async function companyOf(db: Queryable, organizationId: string): Promise<Company> {
  const [company] = await db.query<Company & Record<string, unknown>>(
    `select organization_id as "organizationId", name, issuer from company_sign_ins
       join organizations on organizations.id = organization_id
     where organization_id = $1`,
    [organizationId],
  );
  if (company) return company;
  throw noCompanySignIn();
}

export interface NewAttempt {
  organizationId: string;
  /** The address to which the provider sends the browser back */
  redirectUri: string;
  /** The page that the person asked for, or an empty string */
  next: string;
  loginHint?: string | undefined;
  again?: boolean;
  /** Token of an invitation to accept after the sign-in */
  invitation?: string | undefined;
}

/**
 * Starts a sign-in.
 * @returns the provider's page, and the secret for the browser's cookie
 * @throws ServiceError 404 if the organization has no company sign-in; 503 if the provider can't be reached; 400 if its
 *   settings are wrong
 */
export async function beginCompanySignIn(
  { db, fetch, secrets, log }: CompanyParts,
  { organizationId, redirectUri, next, loginHint, again, invitation }: NewAttempt,
): Promise<{ url: string; secret: string }> {
  const tenant = tenantOf(db, organizationId);
  const client = await providerClientOf(tenant, secrets);
  if (!client) throw noCompanySignIn();
  const [bindings, secret] = [await newBindings(), newSecret()];
  let url: string;
  try {
    const config = await connectToProvider(client, fetch);
    const { claim } = client;
    url = await providerSignInUrl(config, bindings, { redirectUri, loginHint, again, claim });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ organization: organizationId, err: error }, 'a company sign-in could not start');
    await recordProblem(tenant, error.message);
    throw asServiceError(error);
  }
  const { state, nonce, codeVerifier } = bindings;
  await tenant.query(
    `insert into company_attempts
       (organization_id, secret_hash, state, nonce, code_verifier, next, invitation_hash, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + $8::int * interval '1 minute')`,
    [
      hashOfSecret(secret),
      state,
      nonce,
      codeVerifier,
      next.length > MAX_NEXT_LENGTH ? '' : next,
      invitation === undefined ? null : hashOfSecret(invitation),
      ATTEMPT_MINUTES,
    ],
  );
  return { url, secret };
}

export const noCompanySignIn = () =>
  notFound('This organization has no company sign-in. Sign in with your email address.');

export interface Attempt extends Bindings {
  next: string;
  invitationHash: Buffer | null;
}

/**
 * Takes the sign-in that this browser started, so that an answer works once.
 * @param secret value of the browser's cookie
 * @throws ServiceError 400 if there is none
 */
export async function takeAttempt(
  db: Database,
  organizationId: string,
  secret: string | undefined,
): Promise<Attempt> {
  if (secret !== undefined && looksLikeSecret(secret)) {
    const [attempt] = await db.query<Attempt & Record<string, unknown>>(
      `delete from company_attempts
       where organization_id::text = $1 and secret_hash = $2 and expires_at > now()
       returning state, nonce, code_verifier as "codeVerifier", next,
         invitation_hash as "invitationHash"`,
      [organizationId, hashOfSecret(secret)],
    );
    if (attempt) return attempt;
  }
  throw badRequest(
    `This sign-in was used, took longer than ${ATTEMPT_MINUTES} minutes, or started in another ` +
      'browser. Sign in again.',
  );
}
