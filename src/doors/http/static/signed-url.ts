/** Signs the URL of a picture, so that a website can show it. */
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { drawableOf, lookOf, refuseCompetitors } from '../../../territories/static/draw.ts';
import { PAID_DAYS, PICTURE_UNITS } from '../../../territories/static/paid-pictures.ts';
import { parsePictureUrl } from '../../../territories/static/picture-url.ts';
import { SignedUrl, SignedUrlRequest } from '../../../territories/static/signed-url-schema.ts';
import { signTarget } from '../../../territories/static/signed-url.ts';
import { NO_STORE } from '../agent/shared.ts';
import type { StaticParts } from './picture.ts';

export function signedUrlOperation({
  db,
  signingSecrets,
  apiRoot,
}: StaticParts & { apiRoot: () => string }): Operation {
  return operation({
    method: 'post',
    tag: 'Static maps',
    auth: 'bearer-or-session',
    refusesAccessTokens:
      'A signed URL would outlive the sign-in of an access token. Send an API key, or sign in on the ' +
      'site and sign the URL there.',
    limit: 'agent',
    needs: 'reader',
    id: 'createSignedUrl',
    path: '/static/signed-urls',
    summary: 'Sign the URL of a picture',
    description:
      'Returns the URL with `signer`, `expires`, and `signature`. It can be pasted into a website and ' +
      'shows what the key may see; `color` shows own data to everyone who sees the picture. The signature covers the whole path and query. The URL stops ' +
      'working when it expires, when the key is revoked, when the organization replaces its signing ' +
      'secret, or when the subscription ends. Signing is free. Drawing the picture for the first time ' +
      `costs ${PICTURE_UNITS} units; repeats are free for ${PAID_DAYS} days while the territory doesn’t change. Access tokens of sign-ins get 403 ` +
      'with the code `access_token_not_allowed`: a signed URL would outlive them.',
    body: SignedUrlRequest,
    bodyExamples: {
      brand: {
        summary: 'Show a brand for three months',
        value: exampleOf(SignedUrlRequest) as typeof SignedUrlRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The signed URL', schema: SignedUrl } },
    errors: [402, 403, 404],
    errorExamples: {
      400: 'size: must be {width}x{height}, each from 64 to 2048, with @2x or @3x for more pixels; for example 600x400@2x',
      403: 'The share link "0gvt3qk9xm" belongs to a brand outside the brand scope of this key or person.',
      404: 'There is no brand "lone-star". Available brands: lone-star-roofing (Lone Star Roofing).',
    },
    handle: async ({ body: { url, days }, caller }) => {
      const { target, picture } = parsePictureUrl(url, apiRoot());
      lookOf(picture);
      refuseCompetitors(picture);
      const { subject } = picture;
      if (subject.kind !== 'metro') await drawableOf(db, { ...picture, subject }, caller);
      const expiresAt = new Date(Date.now() + days * 86_400_000);
      const { signsAs: signer, tenant } = caller;
      const signed = await signTarget(tenant, signingSecrets, { target, signer, expiresAt });
      const body = {
        url: apiRoot() + signed,
        expiresAt: expiresAt.toISOString(),
        units: PICTURE_UNITS,
      };
      return { status: 200, headers: NO_STORE, body };
    },
  });
}
