/** What a provider says about an account, and whether to believe its email address. */
import { ServiceError } from '../../../errors.ts';
import { checkedEmail, checkedName } from '../names.ts';
import { domainOf } from './domains.ts';
import { GOOGLE, type AccountClaims } from './provider.ts';

export interface CompanyAccount {
  issuer: string;
  /** The provider's id of the account */
  subject: string;
  /** The provider's id of its own session */
  providerSession: string | undefined;
  email: string;
  name: string;
}

/**
 * The issuer of one company's Entra ID. It sends no `email_verified`, but only administrators of the company set the
 * addresses of its accounts. The issuers for all companies, which anyone can join, are refused, and so is the one of
 * personal Microsoft accounts, although it looks like a company's.
 */
const ENTRA =
  /^https:\/\/login\.microsoftonline\.(com|us)\/(?!9188040d-)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/v2\.0$/;

/**
 * Reads the account.
 * @param domains the organization's email domains
 * @throws ServiceError 403 if the provider doesn't vouch for the address, or it isn't at one of the domains
 */
export function accountOf(claims: AccountClaims, domains: readonly string[]): CompanyAccount {
  const { iss: issuer, sub: subject } = claims;
  if (!isId(subject) || subject.length > MAX_SUBJECT) {
    throw refusal('The provider sends no valid ID of your account. Ask its administrator.');
  }
  const isEntra = ENTRA.test(issuer);
  const stated = claims.email ?? (isEntra ? claims.preferred_username : undefined);
  if (typeof stated !== 'string') {
    throw refusal('The provider didn’t say your email address. Ask its administrator to share it.');
  }
  const email = checkedEmail(stated);
  // Amazon Cognito and Apple send the text.
  const isVerified =
    ([true, 'true'] as unknown[]).includes(claims.email_verified) ||
    (isEntra && claims.email_verified === undefined);
  if (!isVerified) {
    throw refusal(`The provider hasn’t verified the address ${email}. Ask its administrator.`);
  }
  // A private Google account may have an address of the company, too. Only accounts of the company have this claim, the
  // main domain of its Workspace.
  const isForeign = issuer === GOOGLE && !domains.includes(String(claims['hd']));
  if (!domains.includes(domainOf(email)) || isForeign) {
    throw refusal(
      `You are signed in at the provider as ${email}, which isn’t an account of this company. Sign in ` +
        `there with your address at ${domains.join(' or ')}.`,
    );
  }
  const { sid } = claims;
  return {
    issuer,
    subject,
    email,
    providerSession: isId(sid) ? sid : undefined,
    name: nameOf(claims, email),
  };
}

/** OpenID Connect Core 1.0, 2 */
const MAX_SUBJECT = 255;

/** Whether a claim names something, and can be stored */
export const isId = (claim: unknown): claim is string =>
  typeof claim === 'string' && claim.trim() !== '' && !claim.includes('\0');

function nameOf({ name, given_name: given, family_name: family }: AccountClaims, email: string) {
  const parts = [given, family].filter((part) => typeof part === 'string').join(' ');
  const stated = typeof name === 'string' && name.trim() !== '' ? name : parts;
  const plain = stated
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, 120);
  return checkedName('A person', plain === '' ? email.split('@')[0]! : plain);
}

export const refusal = (message: string) => new ServiceError(403, undefined, message);
