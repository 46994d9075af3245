/** Vector tiles of streets, passed on as the archive has them, and their TileJSON. */
import { z } from 'zod';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { GzippedAnswer, jsonText, PreparedAnswer } from '../../../base/contract/prepared.ts';
import { OtherVersionError } from '../../../base/db/imported-data.ts';
import { notFound, unavailable } from '../../../errors.ts';
import type { StreetsArchive } from '../../../data/streets/archive.ts';
import type { Streets } from '../../../data/streets/streets.ts';
import { ASK_FIRST, AT_ONCE, version, type AnswerCaches } from '../answers/answer-caches.ts';
import { STREETS } from '../../../data/basemap/streets-style.ts';
import { creditsHtml } from '../../../data/streets/credits.ts';
import { isGzip } from '../../../render/document/decompress.ts';
import { MAPS } from './shared.ts';
import { TILE_TYPE, tileJsonAnswers, TileJsonSchema, tileParams, urlOf } from './tiles.ts';

/** Of all archives; map libraries enlarge the last tiles of one that ends earlier */
const ZOOMS = { minZoom: 0, maxZoom: 15 } as const;

const TILESET = { name: STREETS };

const NO_STREETS = 'This service has no streets. Use the tileset `context` instead.';

/** @param streets null: the service has none @param apiRoot URL of the API, without a trailing slash */
export function streetsOperations(
  streets: Streets | null,
  caches: AnswerCaches,
  apiRoot: () => string,
): [Operation, Operation] {
  const known = (): Streets => {
    if (!streets?.isWanted()) throw notFound(NO_STREETS);
    return streets;
  };
  const current = (): StreetsArchive => {
    const archive = known().current();
    if (archive === null) {
      throw unavailable('The streets can’t be read right now. Try again in a moment.');
    }
    return archive;
  };
  const data = {
    stamp: async () => current().version,
    at: (stamp: string) => ({
      stamp,
      query: () => Promise.reject(new Error('Streets aren’t in the database.')),
    }),
  };
  const tiles = caches.answers({
    name: 'streets tiles',
    type: TILE_TYPE,
    data,
    prepare: (bytes) =>
      isGzip(bytes) ? new GzippedAnswer(bytes, TILE_TYPE) : new PreparedAnswer(bytes, TILE_TYPE),
  });
  const tileJson = caches.answers(
    { name: 'streets TileJSON', data: { ...data, ...AT_ONCE } },
    ASK_FIRST,
  );
  return [
    operation({
      ...MAPS,
      id: 'getStreetsTileJson',
      path: `/tiles/${STREETS}.json`,
      summary: 'Get the TileJSON of the streets',
      description:
        'Describes the vector tiles of streets: their URL, their layers and fields in Protomaps’ basemap ' +
        'schema, their bounds, and the attribution that their license requires. The URL contains the ' +
        'version of the archive, so that tiles can be kept for a year. 404 if the service has no streets.',
      query: z.object({ v: version }),
      answers: tileJsonAnswers(
        documentOf(EXAMPLE, urlOf(TILESET, 'https://territory.example.com', 'Jx4f0aQk2Z')),
      ),
      errors: [404, 503],
      errorExamples: { 404: NO_STREETS },
      handle: ({ query: { v } }) => {
        // Without streets, the cache would still have the last document.
        current();
        return tileJson(
          '',
          async ({ stamp }) => {
            const archive = current();
            if (stamp !== archive.version) throw new OtherVersionError();
            const url = urlOf(TILESET, apiRoot(), await caches.versionOf(stamp));
            return jsonText(TileJsonSchema, documentOf(archive, url));
          },
          v,
        );
      },
    }),
    operation({
      ...MAPS,
      id: 'getStreetsTile',
      path: `/tiles/${STREETS}/{z}/{x}/{y}.mvt`,
      summary: 'Get a vector tile of the streets',
      description:
        'Returns a Mapbox Vector Tile in Protomaps’ basemap schema, as the archive of the service has it. A ' +
        'tile that the archive lacks has an empty body. 404 if the service has no streets.',
      params: tileParams(ZOOMS),
      query: z.object({ v: version }),
      answers: {
        200: { description: 'The tile; empty if there is none', type: TILE_TYPE, cached: true },
      },
      errors: [404, 503],
      errorExamples: { 404: NO_STREETS },
      handle: ({ params: { z, x, y }, query: { v } }) => {
        const { readTiles } = known();
        return tiles(
          `${z}/${x}/${y}`,
          async ({ stamp }) => {
            const [tile] = await readTiles(stamp, [{ z, x, y }]);
            return tile ?? new Uint8Array(0);
          },
          v,
        );
      },
    }),
  ];
}

type Described = Pick<
  StreetsArchive,
  'name' | 'version' | 'attribution' | 'minZoom' | 'maxZoom' | 'bounds' | 'layers'
>;

const EXAMPLE: Described = {
  name: 'Protomaps Basemap',
  version: 'Jx4f0aQk2Z',
  attribution: '© OpenStreetMap contributors',
  minZoom: 0,
  maxZoom: 15,
  bounds: [-125, 24, -66, 50],
  layers: [{ id: 'roads', fields: { kind: 'String', name: 'String' } }],
};

const documentOf = (archive: Described, tiles: string) => ({
  tilejson: '3.0.0' as const,
  name: archive.name,
  version: `1.0.0+${archive.version.replaceAll('_', '-')}`,
  attribution: creditsHtml(archive.attribution),
  scheme: 'xyz',
  tiles: [tiles],
  minzoom: archive.minZoom,
  maxzoom: archive.maxZoom,
  bounds: archive.bounds,
  vector_layers: archive.layers.map(({ id, fields }) => ({ id, fields })),
});
