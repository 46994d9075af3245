/** The picture of a share, to be embedded in pages. */
import { z } from 'zod';
import { basemapStamp } from '../../basemap/sources.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { boundariesStamp } from '../../market/zips.ts';
import type { Renderer } from '../../render/renderer.ts';
import { drawShare, shareHeading } from '../../share/picture.ts';
import { pictureOptions, pictureQuery } from '../requests/picture-query.ts';
import { SHARED, sharedAnswers, tokenParam } from './answers.ts';

const PNG = 'image/png';
const CACHE_BYTES = 64 * 1024 * 1024;

export function sharedImageOperation(db: Database, renderer: Pick<Renderer, 'render'>): Operation {
  const stamp = async () => `${await boundariesStamp(db)} ${await basemapStamp(db)}`;
  const answer = sharedAnswers(db, { maxBytes: CACHE_BYTES, type: PNG, stamp });
  return operation({
    ...SHARED,
    id: 'getSharedMapImage',
    path: '/shared/{token}/map.png',
    summary: 'A shared map as a picture',
    description:
      'The ZIPs of a share coloured by their status, with its title and, unless hidden, the brand. ' +
      'One picture is drawn once for all who ask, and anew when the territory has changed.',
    params: z.object({ token: tokenParam }),
    query: pictureQuery,
    answers: { 200: { description: 'The picture', cached: true, type: PNG } },
    // Without the request's signal: who hangs up must not take the picture from those who wait too.
    handle: ({ params: { token }, query }) =>
      answer(
        token,
        ({ meta }) => [shareHeading(meta), query],
        ({ share, zips }) =>
          drawShare(db, renderer, shareHeading(share.meta), zips, pictureOptions(query)),
      ),
  });
}
