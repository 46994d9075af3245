/** Pictures of demand, to be embedded in pages. */
import { z } from 'zod';
import { basemapStamp } from '../../basemap/sources.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import type { Database } from '../../db/database.ts';
import { publicMapImage } from '../../cartography/public-map-image.ts';
import { publicStamp } from '../../market/public/source.ts';
import type { Renderer } from '../../render/renderer.ts';
import { pictureOptions, pictureQuery } from '../requests/picture-query.ts';
import { FOR_A_DAY, preparedCache } from '../answers/prepared-cache.ts';
import { STAMP_MS } from './answers.ts';
import { metroParam, NO_METRO_EXAMPLE, verticalParam } from './params.ts';

const PNG = 'image/png';

/** Enough for every metro and vertical in the size of the pages */
const CACHE_BYTES = 128 * 1024 * 1024;

export function mapImageOperation(db: Database, renderer: Pick<Renderer, 'render'>): Operation {
  const stamp = async () => `${await publicStamp(db)} ${await basemapStamp(db)}`;
  const data = { stamp, stampMs: STAMP_MS };
  const cached = preparedCache({ maxBytes: CACHE_BYTES, type: PNG, data });
  return operation({
    id: 'getPublicMapImage',
    method: 'get',
    path: '/public/metro/{metroSlug}/vertical/{vertical}/map.png',
    tag: 'Public data',
    summary: 'Map of a vertical in a metro',
    description:
      'The ZIPs of a launched metro coloured by the class of their score, with title, legend and ' +
      'sources. One picture is drawn once for all who ask and then kept.',
    auth: 'none',
    limit: 'map-image',
    params: z.object({ metroSlug: metroParam(), vertical: verticalParam }),
    query: pictureQuery,
    answers: { 200: { description: 'The picture', cached: true, type: PNG } },
    errors: [404, 503],
    errorExamples: { 404: NO_METRO_EXAMPLE },
    // Without the request's signal: who hangs up must not take the picture from those who wait too.
    handle: async ({ params: { metroSlug, vertical }, query }) => {
      const { size, ratio, style } = query;
      return {
        status: 200,
        headers: FOR_A_DAY,
        body: await cached(`${metroSlug} ${vertical} ${size} ${ratio} ${style}`, () =>
          publicMapImage(db, renderer, metroSlug, vertical, pictureOptions(query)),
        ),
      };
    },
  });
}
