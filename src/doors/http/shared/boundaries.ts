/** The ZIP codes of a shared map as GeoJSON. */
import { z } from 'zod';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { assembledJson } from '../../../base/contract/prepared.ts';
import { ZipCode } from '../../../base/contract/resources.ts';
import type { Database } from '../../../base/db/database.ts';
import { importedData } from '../../../base/db/imported-data.ts';
import { boundariesJson } from '../../../territories/share/boundaries.ts';
import { SHARED_STATUSES } from '../../../territories/share/shared-zip.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import { SHARED, sharedAnswers, tokenParam } from './answers.ts';

const MAX_ZOOM = 18;

const SharedBoundaries = z
  .object({
    type: z.literal('FeatureCollection'),
    bbox: z.array(z.number()).length(4).optional().meta({ description: 'Extent of all ZIP codes' }),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        properties: z.object({
          zip: ZipCode,
          status: z
            .enum(SHARED_STATUSES)
            .meta({ description: '`live` is part of the territory; `pending` awaits review' }),
        }),
        geometry: z
          .object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.unknown()) })
          .nullable()
          .meta({ description: 'Null if the ZIP code has no boundary' }),
      }),
    ),
  })
  .meta({
    id: 'SharedBoundaries',
    description: 'GeoJSON FeatureCollection (RFC 7946) of ZIP codes and their status',
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

export function boundariesOperation(db: Database, caches: AnswerCaches): Operation {
  const data = importedData(db, ['boundaries']);
  const answer = sharedAnswers(db, caches, { name: 'shared boundaries', data });
  return operation({
    ...SHARED,
    id: 'getSharedMapBoundaries',
    path: '/shared/{token}/boundaries',
    summary: 'Get the boundaries of a shared map',
    description:
      'Returns a GeoJSON feature for each ZIP code, with its `zip` and `status` only. Without `zoom`, ' +
      'the detail suits two zoom levels above the one that shows the whole territory; the boundaries ' +
      'of a metro have full detail. The detail stops increasing four levels above that zoom. For larger ' +
      'territories, use the vector tiles.',
    params: z.object({ token: tokenParam }),
    query: z.object({
      zoom: wholeNumber(0, MAX_ZOOM)
        .optional()
        .meta({
          description: 'Zoom level of the map. At zoom 0, the world is 512 pixels wide.',
          example: 10,
        }),
    }),
    answers: {
      200: {
        description: 'The ZIP codes',
        cached: true,
        schema: SharedBoundaries,
        example: EXAMPLE,
      },
    },
    handle: ({ params: { token }, query: { zoom } }) =>
      answer(
        token,
        () => zoom,
        async ({ zips }, db) =>
          assembledJson(SharedBoundaries, await boundariesJson(db, zips, zoom)),
      ),
  });
}
