/** Basemap layers for front ends that draw their own maps. */
import { z } from 'zod';
import { mapContextJson } from '../../../data/basemap/map-context.ts';
import { BASEMAP_LAYERS, MAP_LAYERS } from '../../../data/basemap/features.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { assembledJson } from '../../../base/contract/prepared.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import type { Database } from '../../../base/db/database.ts';
import { importedData } from '../../../base/db/imported-data.ts';
import { MAX_VIEW_PX, viewProblem } from '../../../data/basemap/resolution.ts';
import { parseBbox } from '../../../base/spatial/bbox.ts';
import type { AnswerCaches } from '../answers/answer-caches.ts';
import { MAPS } from './shared.ts';

const MAX_ZOOM = 18;
const bboxQuery = z
  .string({ error: 'must be minLng,minLat,maxLng,maxLat' })
  .transform((text, ctx) => {
    try {
      const bbox = parseBbox(text);
      // Different notations of a bbox share a key.
      return { bbox, key: bbox.join() };
    } catch (error) {
      ctx.addIssue((error as RangeError).message);
      return z.NEVER;
    }
  })
  .meta({
    description:
      'Bounding box in degrees, `minLng,minLat,maxLng,maxLat`. It must not cross the antimeridian.',
    example: '-97.5,32.5,-96.5,33.1',
  });

const zoomQuery = wholeNumber(0, MAX_ZOOM).meta({
  description: 'Zoom level. At zoom 0, the world is 512 pixels wide.',
  example: 10,
});

const FeatureCollection = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        geometry: z.looseObject({ type: z.string() }).nullable(),
        properties: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
  })
  .meta({ id: 'GeoJsonFeatureCollection', description: 'RFC 7946' });

const layer = z.enum(BASEMAP_LAYERS);
const perLayer = <T extends z.ZodType>(layers: readonly string[], schema: T) =>
  z.object(Object.fromEntries(layers.map((name) => [name, schema])));

export const MapContext = z
  .object({
    layers: perLayer(MAP_LAYERS, FeatureCollection).meta({
      description: 'Every layer. A layer that isn’t shown at this zoom is empty.',
    }),
    meta: z.looseObject({
      bounds: z.array(z.number()).length(4).meta({ description: 'The requested bounding box' }),
      zoom: z.number().int(),
      attribution: z.string().meta({ description: 'Attribution to show with the map' }),
      vintage: perLayer(BASEMAP_LAYERS, z.string().nullable()).meta({
        description: 'Source and vintage of each layer; null if it hasn’t been imported',
      }),
      synthetic: z.array(layer).meta({ description: 'Layers with synthetic data' }),
      counts: perLayer(MAP_LAYERS, z.number().int()).meta({
        description: 'Number of features in each layer',
      }),
      palettes: z
        .record(z.string(), z.looseObject({ land: z.string() }))
        .meta({ description: 'Colors of each basemap style: light, dark, muted' }),
    }),
  })
  .meta({ id: 'MapContext' });

export function mapContextOperation(db: Database, caches: AnswerCaches): Operation {
  const answer = caches.answers({ name: 'map context', data: importedData(db, BASEMAP_LAYERS) });
  return operation({
    ...MAPS,
    id: 'getMapContext',
    path: '/map-context',
    summary: 'Get basemap layers',
    description:
      'Returns the states, counties, water, land use, roads, places, and borders on land that are visible in ' +
      'a bounding box at a zoom level, clipped to the box and simplified to half a pixel, with the colors of each basemap ' +
      `style. A box may be ${MAX_VIEW_PX.toLocaleString('en')} pixels wide and high at its zoom; above 4,096, the ` +
      'detail stops increasing. A layer has at most ' +
      '20,000 features, the most important ones.',
    limit: 'map-context',
    query: z.object({ bbox: bboxQuery, zoom: zoomQuery }).superRefine(({ bbox, zoom }, ctx) => {
      const message = viewProblem(bbox.bbox, zoom);
      if (message !== undefined) ctx.addIssue({ code: 'custom', path: ['bbox'], message });
    }),
    answers: {
      200: {
        description: 'Layers and palettes',
        schema: MapContext,
        example: EXAMPLE,
        cached: true,
      },
    },
    errors: [503],
    handle: ({ query: { bbox: view, zoom } }) =>
      answer(`${view.key} ${zoom}`, async (db) =>
        assembledJson(MapContext, await mapContextJson(db, view.bbox, zoom)),
      ),
  });
}

const empty = { type: 'FeatureCollection', features: [] };
const EXAMPLE = {
  layers: {
    states: empty,
    counties: empty,
    water: empty,
    landuse: empty,
    roads: empty,
    places: {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { kind: 'city', name: 'Dallas', minZoom: 3, rank: 1.4 },
          geometry: { type: 'Point', coordinates: [-96.797, 32.7767] },
        },
      ],
    },
    borders: empty,
  },
  meta: {
    bounds: [-97.5, 32.5, -96.5, 33.1],
    zoom: 10,
    attribution: 'Natural Earth 1:10m',
    vintage: {
      states: null,
      counties: null,
      water: null,
      landuse: null,
      roads: null,
      places: 'Natural Earth 1:10m',
    },
    synthetic: [],
    counts: { states: 0, counties: 0, water: 0, landuse: 0, roads: 0, places: 1, borders: 0 },
    palettes: {
      light: {
        land: '#fbfaf8',
        scores: {
          breaks: [20, 40, 60, 80],
          colors: ['#fef1b6', '#99c05f', '#33ab74', '#0e7577', '#004161'],
          noData: '#c6c4bf',
          opacity: 0.8,
        },
        furniture: {
          paper: 'rgba(253,252,249,0.95)',
          ink: '#23292e',
          quietInk: '#5b6267',
          hairline: 'rgba(35,41,46,0.16)',
        },
      },
    },
  },
};
