/** Pictures that are described by their URLs. */
import { createHash } from 'node:crypto';
import { requireAccess } from '../../../people/account/access.ts';
import type { Signer } from '../../../people/account/callers.ts';
import type { SecretBox } from '../../../people/account/secret-box.ts';
import { packPicture } from '../../../maps/cartography/counted-picture.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import type { Database } from '../../../base/db/database.ts';
import { unauthorized } from '../../../errors.ts';
import { PICTURE_FORMATS, type PictureFormat } from '../../../render/scene.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import {
  drawableOf,
  lookOf,
  metroPicture,
  PICTURE_DATASETS,
  recordFigures,
  refuseCompetitors,
  type Drawable,
} from '../../../territories/static/draw.ts';
import { staticParams, staticQuery } from '../../../territories/static/options.ts';
import { drawPaid, PAID_DAYS, PICTURE_UNITS } from '../../../territories/static/paid-pictures.ts';
import { openSignedUrl, SIGNED_SECONDS } from '../../../territories/static/signed-url.ts';
import { type AnswerCaches, type CachedAnswers } from '../answers/answer-caches.ts';
import { packedPictures } from '../answers/picture-answers.ts';

const PNG = 'image/png';
const WEBP = 'image/webp';
const JPEG = 'image/jpeg';
const TYPES: Readonly<Record<PictureFormat, string>> = { png: PNG, webp: WEBP, jpg: JPEG };

export interface StaticParts {
  db: Database;
  renderer: MapRenderer;
  caches: AnswerCaches;
  /** Decrypts the secrets that sign URLs */
  signingSecrets: SecretBox;
}

export function staticPictureOperation({
  db,
  renderer,
  caches,
  signingSecrets,
}: StaticParts): Operation {
  const data = renderer.data(db, PICTURE_DATASETS);
  const answers = new Map<PictureFormat, CachedAnswers>(
    PICTURE_FORMATS.map((format) => {
      const type = TYPES[format];
      return [format, caches.answers({ name: `static ${format}`, data, ...packedPictures(type) })];
    }),
  );
  return operation({
    method: 'get',
    tag: 'Static maps',
    auth: 'bearer-if-private',
    limit: 'static',
    id: 'getStaticMap',
    path: '/static/{style}/{subject}/{view}/{size}.{format}',
    summary: 'Get a picture of a metro, ZIP codes, a state, a brand, or a share link',
    description:
      'Returns the picture that the URL describes. Pictures of launched metros need no credential and ' +
      'are cached for a day; the largest is 1280x800@2x. All others need an API key or a signed URL ' +
      `(see \`createSignedUrl\`). Drawing one for the first time costs ${PICTURE_UNITS} units, like ` +
      `\`service_render_territory_map\`; repeats are free for ${PAID_DAYS} days while the territory ` +
      'doesn’t change. Pictures show score classes, never exact scores. Unknown parameters are refused.',
    params: staticParams,
    query: staticQuery,
    answers: {
      200: {
        description: 'The picture',
        cached: true,
        countsZips: true,
        type: PNG,
        otherTypes: [WEBP, JPEG],
      },
    },
    errors: [402, 403, 404],
    errorExamples: {
      401: NEEDS_CREDENTIAL,
      403: 'This signed URL expired on 2026-12-21. Sign the URL again, and use the result unchanged.',
      404: 'There is no launched metro "boise-id". Use one of: dallas-tx, houston-tx, …',
    },
    // Ignores the request's signal: a disconnect must not cancel a picture that others wait for.
    async handle(request) {
      const { signer, expires, signature, ...options } = request.query;
      const picture = { ...request.params, ...options };
      const signed = await openSignedUrl(db, signingSecrets, request.target, {
        signer,
        expires,
        signature,
      });
      const look = lookOf(picture);
      const answer = answers.get(picture.format)!;
      const keyOf = (owner: string, { content }: Drawable) =>
        createHash('sha256')
          .update(JSON.stringify([owner, content, look]))
          .digest();
      if (picture.subject.kind === 'metro') {
        const drawable = metroPicture(picture.subject.metro, picture.subject.vertical);
        return answer(keyOf('', drawable).toString('base64url'), async (db) =>
          packPicture(await drawable.draw(db, renderer, look)),
        );
      }
      const viewer: Signer | undefined = signed ?? request.caller;
      if (!viewer) throw unauthorized(NEEDS_CREDENTIAL);
      if (signed) refuseCompetitors(picture);
      if (viewer.actor) request.identify(viewer);
      requireAccess(viewer);
      const drawable = await drawableOf(db, { ...picture, subject: picture.subject }, viewer);
      await recordFigures(db, viewer, drawable, look);
      const key = keyOf(viewer.organization.id, drawable);
      const { body } = await answer(key.toString('base64url'), (db) =>
        drawPaid(viewer, key, async () => packPicture(await drawable.draw(db, renderer, look))),
      );
      const control = signed ? untilExpiry(expires!) : 'private, no-cache';
      return { status: 200, body, headers: { 'Cache-Control': control, ...NOINDEX } };
    },
  });
}

const NEEDS_CREDENTIAL =
  'Only pictures of launched metros are public. Send an API key as "Authorization: Bearer svc_live_…", or mint a signed URL with POST /static/signed-urls.';

/** A territory is meant for readers of the site that shows it, not for search engines. */
const NOINDEX = { 'X-Robots-Tag': 'noindex' };

function untilExpiry(expires: number): string {
  const left = expires - Math.ceil(Date.now() / 1000);
  return `public, max-age=${Math.max(0, Math.min(left, SIGNED_SECONDS))}`;
}
