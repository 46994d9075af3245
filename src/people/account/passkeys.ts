/**
 * Passkeys (WebAuthn): keys in a person's devices that sign a challenge of this site. They unlock with a fingerprint,
 * a face, or a PIN, so a passkey is enough to sign in.
 */
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { Database, Queryable } from '../../base/db/database.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { badRequest, conflict, notFound, ServiceError } from '../../errors.ts';
import { checkedName } from './names.ts';
import { signsInOnlyByCompany } from './only-by-company.ts';
import { hashOfSecret } from './secret.ts';

/** Loads the library on first use, because its ASN.1 parsers take a tenth of a second. */
const webauthn = () => import('@simplewebauthn/server');

const SITE_NAME = 'Territory Intelligence';
const CHALLENGE_MINUTES = 10;

export const EXPIRED_CHALLENGES = expiring({
  table: 'passkey_challenges',
  column: 'expires_at',
  before: 'now()',
});
const MAX_RESPONSE_LENGTH = 32_768;
const MAX_PASSKEYS = 20;

/** EdDSA, ES256, and RS256. The library's default would depend on the version of Node. */
const ALGORITHMS = [-8, -7, -257];

const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

export interface Passkey {
  id: string;
  name: string;
  /** ISO 8601, like `lastUsedAt` */
  createdAt: string;
  lastUsedAt: string | null;
}

/** Lists a person's passkeys, oldest first. */
export async function listPasskeys(db: Queryable, personId: string): Promise<Passkey[]> {
  type Row = Pick<Passkey, 'id' | 'name'> & { createdAt: Date; lastUsedAt: Date | null };
  const rows = await db.query<Row>(
    `select id, name, created_at as "createdAt", last_used_at as "lastUsedAt"
     from passkeys where person_id = $1 order by created_at, id`,
    [personId],
  );
  return rows.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

interface CredentialRow {
  id: string;
  personId: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: AuthenticatorTransport[];
}

const credentialsWhere = (db: Queryable, condition: string, value: string) =>
  db.query<CredentialRow>(
    `select id, person_id as "personId", credential_id as "credentialId",
       public_key as "publicKey", counter, transports
     from passkeys where ${condition} = $1 order by created_at`,
    [value],
  );

const descriptor = ({ credentialId, transports }: CredentialRow) => ({
  id: credentialId,
  transports,
});

/**
 * Returns the options for a browser to create a passkey.
 * @param site URL of the site. The passkey works only on its host.
 */
export async function creationOptions(
  db: Queryable,
  site: string,
  person: { id: string; name: string; email: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn();
  const existing = await credentialsWhere(db, 'person_id', person.id);
  const options = await generateRegistrationOptions({
    rpName: SITE_NAME,
    rpID: new URL(site).hostname,
    userID: new TextEncoder().encode(person.id),
    userName: person.email,
    userDisplayName: person.name,
    excludeCredentials: existing.map(descriptor),
    supportedAlgorithmIDs: ALGORITHMS,
    // Both are necessary to sign in without a password.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await storeChallenge(db, options.challenge, 'create', person.id);
  return options;
}

/** A verified passkey to add */
export interface NewPasskey {
  name: string;
  credential: Pick<WebAuthnCredential, 'id' | 'publicKey' | 'counter'>;
  transports: readonly string[];
}

/**
 * Verifies a passkey that the browser created. Uses up its challenge.
 * @param response JSON from the browser
 * @throws ServiceError 400 if it can't be verified or has no name
 */
export async function verifyNewPasskey(
  db: Queryable,
  site: string,
  personId: string,
  { name, response }: { name: string; response: string },
): Promise<NewPasskey> {
  const checked = checkedName('A passkey', name);
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await orRefuse(
    verifyRegistrationResponse({
      response: parseResponse<RegistrationResponseJSON>(response),
      expectedChallenge: (challenge) => useChallenge(db, challenge, 'create', personId),
      expectedOrigin: new URL(site).origin,
      expectedRPID: new URL(site).hostname,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!registrationInfo) throw refusedPasskey();
  const { credential } = registrationInfo;
  return { name: checked, credential, transports: knownTransports(credential.transports) };
}

/** @throws ServiceError 409 if the site already has the passkey, or the person has too many */
export async function addPasskey(
  db: Queryable,
  personId: string,
  { name, credential, transports }: NewPasskey,
): Promise<void> {
  const { id, publicKey, counter } = credential;
  const added = await db.query(
    `insert into passkeys (person_id, name, credential_id, public_key, counter, transports)
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from passkeys where person_id = $1) < $7
     on conflict (credential_id) do nothing returning id`,
    [personId, name, id, Buffer.from(publicKey), counter, transports, MAX_PASSKEYS],
  );
  if (added.length === 0) {
    throw conflict(
      `This passkey is already registered, or you have ${MAX_PASSKEYS} passkeys. Remove one first.`,
    );
  }
}

/**
 * Returns the options for a browser to use a passkey.
 * @param personId the person whose passkeys to accept; null: everyone's
 */
export async function requestOptions(
  db: Queryable,
  site: string,
  personId: string | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn();
  const accepted = personId === null ? [] : await credentialsWhere(db, 'person_id', personId);
  const options = await generateAuthenticationOptions({
    rpID: new URL(site).hostname,
    userVerification: 'required',
    allowCredentials: accepted.map(descriptor),
  });
  await storeChallenge(db, options.challenge, 'use', personId);
  return options;
}

/**
 * Returns the id of the person whose passkey signed the challenge.
 * @param response JSON from the browser
 * @param personId the person whose passkeys to accept; null: everyone's
 * @throws ServiceError 400 if it can't be verified
 */
export async function personByPasskey(
  db: Database,
  site: string,
  personId: string | null,
  response: string,
): Promise<string> {
  const parsed = parseResponse<AuthenticationResponseJSON>(response);
  const [passkey] = await credentialsWhere(db, 'credential_id', String(parsed.id));
  if (!passkey || (personId !== null && passkey.personId !== personId)) throw refusedPasskey();
  if (await signsInOnlyByCompany(db, passkey.personId)) throw refusedPasskey();
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await orRefuse(
    verifyAuthenticationResponse({
      response: parsed,
      expectedChallenge: (challenge) => useChallenge(db, challenge, 'use', personId),
      expectedOrigin: new URL(site).origin,
      expectedRPID: new URL(site).hostname,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    }),
  );
  if (!verified) throw refusedPasskey();
  await db.query('update passkeys set counter = $2, last_used_at = now() where id = $1', [
    passkey.id,
    authenticationInfo.newCounter,
  ]);
  return passkey.personId;
}

/** Removes a passkey. @throws ServiceError 404 if the person doesn't have it */
export async function removePasskey(db: Queryable, personId: string, id: string): Promise<void> {
  const removed = await db.query(
    'delete from passkeys where person_id = $1 and id::text = $2 returning id',
    [personId, id],
  );
  if (removed.length === 0) throw notFound('This passkey was already removed. Reload the page.');
}

async function storeChallenge(
  db: Queryable,
  challenge: string,
  purpose: 'create' | 'use',
  personId: string | null,
): Promise<void> {
  await db.query(
    `insert into passkey_challenges (challenge_hash, person_id, purpose, expires_at)
     values ($1, $2, $3, now() + $4::int * interval '1 minute')`,
    [hashOfSecret(challenge), personId, purpose, CHALLENGE_MINUTES],
  );
}

/** Uses up a challenge. Each works once, for the person for whom it was made. */
async function useChallenge(
  db: Queryable,
  challenge: string,
  purpose: 'create' | 'use',
  personId: string | null,
): Promise<boolean> {
  const used = await db.query(
    `delete from passkey_challenges
     where challenge_hash = $1 and purpose = $2 and person_id is not distinct from $3
       and expires_at > now() returning purpose`,
    [hashOfSecret(challenge), purpose, personId],
  );
  return used.length > 0;
}

/** Returns the transports that we know. The library passes on everything that a browser sent. */
const knownTransports = (sent: unknown) =>
  Array.isArray(sent) ? TRANSPORTS.filter((one) => sent.includes(one)) : [];

/** Parses a response. The library later checks its parts and throws if one is missing. */
function parseResponse<Response>(text: string): Response {
  try {
    if (text.length > MAX_RESPONSE_LENGTH) throw new RangeError('too long');
    const response: unknown = JSON.parse(text);
    if (typeof response !== 'object' || response === null) throw new TypeError('not an object');
    return response as Response;
  } catch (error) {
    throw refusedPasskey(error);
  }
}

/** Turns the plain Error that the library throws for every refused response into a ServiceError 400. */
async function orRefuse<T>(verification: Promise<T>): Promise<T> {
  try {
    return await verification;
  } catch (error) {
    // A ServiceError means that the database is unavailable.
    if (error instanceof ServiceError) throw error;
    throw refusedPasskey(error);
  }
}

const refusedPasskey = (cause?: unknown) =>
  badRequest('This passkey couldn’t be verified. Try again, or use another way to sign in.', {
    cause,
  });
