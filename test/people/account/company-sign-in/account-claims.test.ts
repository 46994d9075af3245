/** Which claims of a provider are believed. */
import { describe, expect, it } from 'vitest';
import { accountOf } from '../../../../src/people/account/company-sign-in/account-claims.ts';
import type { AccountClaims } from '../../../../src/people/account/company-sign-in/provider.ts';

const TENANT = 'https://login.microsoftonline.com/0d9c6a5c-2b1f-4f7e-9a57-6f2f0d0e1a11/v2.0';

const claims = (more: Record<string, unknown> = {}) =>
  ({
    iss: 'https://login.acme.com',
    sub: 'a',
    aud: 'b',
    iat: 0,
    exp: 0,
    email: 'Alex@acme.com',
    email_verified: true,
    name: 'Alex Doe',
    ...more,
  }) as AccountClaims;

const read = (more: Record<string, unknown> = {}) => accountOf(claims(more), ['acme.com']);

describe('an account', () => {
  it('has a verified address at a domain of the organization, whatever its case', () => {
    expect(read({ sid: 's' })).toEqual({
      issuer: 'https://login.acme.com',
      subject: 'a',
      providerSession: 's',
      email: 'Alex@acme.com',
      name: 'Alex Doe',
    });
    expect(read({ email: 'alex@ACME.com' }).email).toBe('alex@ACME.com');
  });

  it('is verified if the provider says so as a text, as Amazon Cognito and Apple do', () => {
    expect(read({ email_verified: 'true' }).email).toBe('Alex@acme.com');
  });

  it.each([false, undefined, 'false', 'TRUE', '', 1, ['true']])(
    'is refused if email_verified is %j',
    (verified) => {
      expect(() => read({ email_verified: verified })).toThrow('hasn’t verified the address');
    },
  );

  it.each(['alex@evil.com', 'alex@sub.acme.com', 'alex@acme.com.evil.com', 'alex@xacme.com'])(
    'is refused at another domain: %s',
    (email) => {
      expect(() => read({ email })).toThrow('isn’t an account of this company');
    },
  );

  it('is refused without an address, or with one that isn’t one', () => {
    expect(() => read({ email: undefined })).toThrow('didn’t say your email address');
    expect(() => read({ email: 'alex' })).toThrow('is not an email address');
  });

  it('of the Entra ID of one company needs no email_verified, and may have only a user name', () => {
    const entra = { iss: TENANT, email_verified: undefined };
    expect(read(entra).email).toBe('Alex@acme.com');
    const named = { ...entra, email: undefined, preferred_username: 'alex@acme.com' };
    expect(read(named).email).toBe('alex@acme.com');
    expect(() => read({ ...entra, email_verified: false })).toThrow('hasn’t verified');
    expect(() => read({ ...named, iss: 'https://login.acme.com' })).toThrow('didn’t say');
  });

  it.each([
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    `${TENANT}/x`,
    `https://evil.com/${TENANT}`,
  ])('of another issuer must be verified: %s', (iss) => {
    expect(() => read({ iss, email_verified: undefined })).toThrow('hasn’t verified');
  });

  it('of Google must belong to the company’s Workspace', () => {
    const google = { iss: 'https://accounts.google.com' };
    expect(read({ ...google, hd: 'acme.com' }).subject).toBe('a');
    const other = claims({ ...google, email: 'alex@acme.co.uk', hd: 'acme.com' });
    expect(accountOf(other, ['acme.co.uk', 'acme.com']).email).toBe('alex@acme.co.uk');
    expect(() => read(google)).toThrow('isn’t an account of this company');
    expect(() => read({ ...google, hd: 'other.com' })).toThrow('isn’t an account of this company');
  });

  it.each(['', ' ', 'a\u0000', 'a'.repeat(256), undefined, 1])('has an ID, and not %j', (id) => {
    expect(() => read({ sub: id })).toThrow('no valid ID of your account');
  });

  it.each(['', ' ', 'a\u0000', 1])('has no session at the provider whose ID is %j', (id) => {
    expect(read({ sid: id }).providerSession).toBeUndefined();
  });

  it('has a name in any case', () => {
    expect(read({ name: undefined, given_name: 'Al', family_name: 'Doe' }).name).toBe('Al Doe');
    expect(read({ name: ' ' }).name).toBe('Alex');
    expect(read({ name: 'A\u202Elex\u0000' }).name).toBe('A lex');
    expect(read({ name: 'x'.repeat(500) }).name).toHaveLength(120);
  });
});
