/**
 * Signed URLs of lookups, for tools that can't send a key in a header, such as `=IMPORTDATA` of a spreadsheet. The
 * signature doesn't cover what is asked, so that one URL serves a whole sheet; limits make up for that.
 */
import { z } from 'zod';
import { requireAccess } from '../../../people/account/access.ts';
import type { Caller } from '../../../people/account/caller.ts';
import type { Signer } from '../../../people/account/callers.ts';
import type { SecretBox } from '../../../people/account/secret-box.ts';
import type { Limiter } from '../../../people/metering/limiter.ts';
import { POLICIES } from '../../../base/contract/limits.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import type { Database } from '../../../base/db/database.ts';
import { badRequest, unauthorized } from '../../../errors.ts';
import { openSignedUrl, signTarget, URL_DAYS } from '../../../territories/static/signed-url.ts';
import { NO_STORE, SUBSCRIBED } from '../agent/shared.ts';
import { tooManyRequests } from '../limits/limits.ts';

/** The answer as CSV */
export const CSV_PATH = '/agent/serving.csv';

/** Largest number of ZIP codes in a request of a signed URL */
export const SIGNED_ZIPS = 50;
const PER_DAY = POLICIES['signed-lookups'].quota;

export interface SignedParts {
  db: Database;
  limiter: Limiter;
  signingSecrets: SecretBox;
  apiRoot: () => string;
}

interface SignedQuery {
  signer?: string | undefined;
  expires?: number | undefined;
  signature?: string | undefined;
  zip?: string | undefined;
  address?: string | undefined;
}

/**
 * Returns whose territories a request asks about: its caller's, or those of the signer of its URL.
 * @throws ServiceError 401 without either; 403 `invalid_signature`; 400 for what a signed URL can't ask; TooManyRequests;
 *   402 and 403 as `requireAccess`
 */
export async function viewerOf(
  { db, limiter, signingSecrets }: SignedParts,
  caller: Caller | undefined,
  query: SignedQuery,
): Promise<Caller | Signer> {
  const { signer, expires, signature } = query;
  const target = `${CSV_PATH}?${new URLSearchParams({ signer: signer ?? '', expires: String(expires) })}`;
  const signed = await openSignedUrl(db, signingSecrets, target, { signer, expires, signature });
  const viewer = signed ?? caller;
  if (!viewer) throw unauthorized(NEEDS_CREDENTIAL);
  requireAccess(viewer);
  if (!signed) return viewer;
  if (query.address !== undefined) {
    throw badRequest(
      'address: a signed URL looks up ZIP codes and points only, because addresses cost units.',
    );
  }
  const zips = query.zip?.split(',').length ?? 1;
  if (zips > SIGNED_ZIPS) {
    throw badRequest(`zip: a signed URL looks up at most ${SIGNED_ZIPS} ZIP codes at once.`);
  }
  const standing = await limiter.count('signed-lookups', signed.organization.id);
  if (standing.exceeded) throw tooManyRequests(standing);
  return viewer;
}

const NEEDS_CREDENTIAL =
  'Send an API key as "Authorization: Bearer svc_live_…", or mint a signed URL with POST /agent/serving/signed-urls.';

const SignedLookupsRequest = z
  .strictObject({
    days: z
      .int()
      .min(URL_DAYS.min)
      .max(URL_DAYS.max)
      .default(URL_DAYS.default)
      .meta({ description: 'Days until the URL stops working' }),
  })
  .meta({ id: 'SignedLookupsRequest', examples: [{ days: 90 }] });

const SignedLookups = z
  .object({
    url: z.url().meta({ description: 'Add `&zip=75201` or `&point=-96.8,32.78` to it' }),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    id: 'SignedLookups',
    examples: [
      {
        url: 'https://territory.example.com/agent/serving.csv?signer=0b8ad2a5-52c1-4f0e-8f2b-6f0a3c1d9e77&expires=1797796800&signature=3ZVvn1w0JYbZ3xvX0r1m4kq8l7hQ2mEwqjQd0M6yJkA',
        expiresAt: '2026-12-20T20:00:00.000Z',
      },
    ],
  });

export const signedLookupsOperation = ({ signingSecrets, apiRoot }: SignedParts): Operation =>
  operation({
    ...SUBSCRIBED,
    tag: 'Lookups',
    refusesAccessTokens:
      'A signed URL would outlive the sign-in of an access token. Send an API key, or sign in on the ' +
      'site and sign the URL there.',
    needs: 'writer',
    id: 'createSignedLookups',
    method: 'post',
    path: '/agent/serving/signed-urls',
    summary: 'Sign a URL for lookups from a spreadsheet',
    description:
      'Returns a URL of `/agent/serving.csv` that needs no key, for tools that can’t send one, such as `=IMPORTDATA` of ' +
      `Google Sheets. Whoever has it may look up ${SIGNED_ZIPS} ZIP codes at once, ${PER_DAY.toLocaleString('en')} times ` +
      'a day for the whole organization, and no addresses; it shows what the key may see. It stops working when it ' +
      'expires, when the key is revoked, when the organization replaces its signing secret, or when the subscription ends.',
    body: SignedLookupsRequest,
    bodyExamples: {
      quarter: {
        summary: 'For three months',
        value: exampleOf(SignedLookupsRequest) as typeof SignedLookupsRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The signed URL', schema: SignedLookups } },
    errors: [402, 403],
    handle: async ({ body: { days }, caller: { signsAs: signer, tenant } }) => {
      const expiresAt = new Date(Date.now() + days * 86_400_000);
      const signed = await signTarget(tenant, signingSecrets, {
        target: CSV_PATH,
        signer,
        expiresAt,
      });
      const body = { url: apiRoot() + signed, expiresAt: expiresAt.toISOString() };
      return { status: 200, headers: NO_STORE, body };
    },
  });
