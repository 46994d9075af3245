/** Leads the visitor's browser to the provider. */
import {
  beginCompanySignIn,
  type NewAttempt,
} from '../../../../people/account/company-sign-in/attempts.ts';
import type { Visit } from '../../framework/visit.ts';
import { callbackPath } from '../../../../people/account/company-sign-in/addresses.ts';

/** @throws ServiceError as `beginCompanySignIn` */
export async function leaveForProvider(
  { company, companyCookie, links }: Visit,
  attempt: Omit<NewAttempt, 'redirectUri'>,
): Promise<{ away: string; cookies: readonly string[] }> {
  const redirectUri = links.absolute(callbackPath(attempt.organizationId));
  const { url, secret } = await beginCompanySignIn(company, { ...attempt, redirectUri });
  return { away: url, cookies: [companyCookie.set(secret)] };
}
