/** The ZIPs of a share as GeoJSON. */
import { z } from 'zod';
import { operation, type Operation } from '../../contract/operation.ts';
import { assembledJson } from '../../contract/prepared.ts';
import { ZipCode } from '../../contract/resources.ts';
import type { Database } from '../../db/database.ts';
import { boundariesStamp } from '../../market/zips.ts';
import { boundariesJson } from '../../share/boundaries.ts';
import { SHARED_STATUSES } from '../../spatial/shared-zip.ts';
import { wholeNumber } from '../basemap/tiles.ts';
import { SHARED, sharedAnswers, tokenParam } from './answers.ts';

const CACHE_BYTES = 64 * 1024 * 1024;
const MAX_ZOOM = 18;

const SharedBoundaries = z
  .object({
    type: z.literal('FeatureCollection'),
    bbox: z.array(z.number()).length(4).optional().meta({ description: 'Around all of them' }),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        properties: z.object({
          zip: ZipCode,
          status: z.enum(SHARED_STATUSES).meta({
            description: 'The brand works there, or waits for a review',
          }),
        }),
        geometry: z
          .object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.unknown()) })
          .nullable()
          .meta({ description: 'Null where the ZIP has no boundary' }),
      }),
    ),
  })
  .meta({
    id: 'SharedBoundaries',
    description: 'A GeoJSON FeatureCollection (RFC 7946) of ZIPs with their status and no more',
  });

const EXAMPLE: z.output<typeof SharedBoundaries> = {
  type: 'FeatureCollection',
  bbox: [-96.81, 32.77, -96.79, 32.79],
  features: [
    {
      type: 'Feature',
      properties: { zip: '75201', status: 'live' },
      geometry: {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [-96.81, 32.77],
              [-96.79, 32.77],
              [-96.8, 32.79],
              [-96.81, 32.77],
            ],
          ],
        ],
      },
    },
  ],
};

export function boundariesOperation(db: Database): Operation {
  const stamp = () => boundariesStamp(db);
  const answer = sharedAnswers(db, { maxBytes: CACHE_BYTES, stamp });
  return operation({
    ...SHARED,
    id: 'getSharedMapBoundaries',
    path: '/shared/{token}/boundaries',
    summary: 'The ZIPs of a shared map as GeoJSON',
    description:
      'A feature for each ZIP with its `zip` and `status`, and nothing else of whose it is. Without ' +
      '`zoom` the shapes are fine enough to look two zooms nearer than the one that shows the whole ' +
      'territory: a metro is sent at full detail. Larger territories are better drawn from tiles.',
    params: z.object({ token: tokenParam }),
    query: z.object({
      zoom: wholeNumber(0, MAX_ZOOM, `must be a whole number from 0 to ${MAX_ZOOM}`)
        .optional()
        .meta({
          description: 'Of the map that they are for, whose world is 512 pixels wide at 0',
          example: 10,
        }),
    }),
    answers: {
      200: { description: 'The ZIPs', cached: true, schema: SharedBoundaries, example: EXAMPLE },
    },
    handle: ({ params: { token }, query: { zoom } }) =>
      answer(
        token,
        () => zoom,
        async ({ zips }) => assembledJson(SharedBoundaries, await boundariesJson(db, zips, zoom)),
      ),
  });
}
