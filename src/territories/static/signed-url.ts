/**
 * Signed URLs of pictures, for websites: they end with `signer`, `expires`, and `signature`. The
 * signature is an HMAC over the whole path and query, with the signing secret of the organization.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { signerById, type Signer } from '../../people/account/callers.ts';
import type { SecretBox } from '../../people/account/secret-box.ts';
import { findSigningSecret, signingSecret } from '../../people/account/signing-secret.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import { ServiceError } from '../../errors.ts';
import { decodePart } from '../../base/text/decode-part.ts';

/** Days until a signed URL expires */
export const URL_DAYS = { min: 1, max: 365, default: 30 } as const;

/** After this time, websites show a changed territory and notice that a signed URL has ended. */
export const SIGNED_SECONDS = 300;

/** Segments of a picture's path: `static`, style, subject, view, and file */
const SEGMENTS = 5;

/**
 * Signs the URL of a picture.
 * @param target path and query, without a signature
 * @param signer id of the signing key or of the organization
 * @returns the target with its signature
 */
export async function signTarget(
  tenant: Tenant,
  box: SecretBox,
  { target, signer, expiresAt }: { target: string; signer: string; expiresAt: Date },
): Promise<string> {
  const { path, query } = splitTarget(target);
  const parameters = new URLSearchParams(query);
  parameters.set('signer', signer);
  parameters.set('expires', String(Math.floor(expiresAt.getTime() / 1000)));
  const unsigned = `${path}?${parameters}`;
  const signature = signatureOf(await signingSecret(tenant, box), unsigned);
  return `${unsigned}&signature=${signature.toString('base64url')}`;
}

/** The parameters that make a URL a signed URL */
interface SignedParts {
  signer: string | undefined;
  /** Unix seconds */
  expires: number | undefined;
  signature: string | undefined;
}

/**
 * Returns the rights of a signed URL; null for a URL without any of these parameters.
 * @param target path and query, as sent
 * @throws ServiceError 403 `invalid_signature`, also for a URL with only some of the parameters
 */
export async function openSignedUrl(
  db: Database,
  box: SecretBox,
  target: string,
  { signer: id, expires, signature }: SignedParts,
): Promise<Signer | null> {
  if (id === undefined && expires === undefined && signature === undefined) return null;
  if (id === undefined || expires === undefined || signature === undefined) throw invalid(CHANGED);
  const signer = await signerById(db, id);
  const secret = signer && (await findSigningSecret(signer.tenant, box));
  if (!secret || !isEqual(signature, signatureOf(secret, target))) throw invalid(CHANGED);
  if (expires * 1000 > Date.now()) return signer;
  throw invalid(`expired on ${new Date(expires * 1000).toISOString().slice(0, 10)}`);
}

/** The message doesn't reveal the cause, because a changed URL may name any key. */
const CHANGED = 'was changed, or its key or secret is no longer valid';

function isEqual(signature: string, expected: Buffer): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

const invalid = (problem: string) =>
  new ServiceError(
    403,
    'invalid_signature',
    `This signed URL ${problem}. Sign the URL again, and use the result unchanged.`,
  );

const signatureOf = (secret: string, target: string) =>
  createHmac('sha256', secret).update(signedText(target)).digest();

/**
 * Returns the content of a URL in a normalized form: editors and mail programs escape characters of URLs,
 * and some proxies sort parameters. The API's base path isn't part of it.
 */
function signedText(target: string): string {
  const { path, query } = splitTarget(target);
  const segments = path
    .split('/')
    .slice(-SEGMENTS)
    .map((part) => decodePart(part) ?? part);
  const parameters = [...new URLSearchParams(query)].filter(([name]) => name !== 'signature');
  // Sorting is stable, so parameters with the same name keep their order.
  return JSON.stringify([segments, parameters.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))]);
}

/** Splits a URL at the first question mark, since values may contain others. */
function splitTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at + 1) };
}
