/** TileJSON and a style of a shared map, which MapLibre GL and QGIS open directly. */
import { z } from 'zod';
import { tileJson } from '../../basemap/tilejson.ts';
import { servedStyle } from '../../basemap/served-style.ts';
import { loadStyle, STYLE_NAMES } from '../../basemap/styles.ts';
import { exactQuery, oneOf } from '../../contract/exact-query.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { assembledJson, jsonText } from '../../contract/prepared.ts';
import type { Database } from '../../db/database.ts';
import { importedData } from '../../db/imported-data.ts';
import { VERTICALS } from '../../scoring/verticals.ts';
import { shareHeading } from '../../share/picture.ts';
import { territoryFacts, territoryStyle, territoryTileset } from '../../share/tileset.ts';
import { EXAMPLE_TOKEN } from '../../share/token.ts';
import { AT_ONCE, type AnswerCaches } from '../answers/answer-caches.ts';
import { assetsVersion } from '../basemap/shared.ts';
import { Style } from '../basemap/styles.ts';
import { EXAMPLE_FACTS, TileJsonSchema } from '../basemap/tiles.ts';
import { styleData, TILESETS, tilesStampsIn } from '../basemap/tilesets.ts';
import { SHARED, sharedAnswers, tokenParam } from './answers.ts';

const CACHE_BYTES = 4 * 1024 * 1024;
const EXAMPLE_ROOT = 'https://territory.example.com';

/** @param apiRoot URL of the API, without a trailing slash */
export const sharedDocumentOperations = (
  db: Database,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation[] => [
  sharedTileJsonOperation(db, caches, apiRoot),
  sharedStyleOperation(db, caches, apiRoot),
];

const partsUrl = (apiRoot: string, token: string) =>
  `${apiRoot}/shared/${encodeURIComponent(token)}`;
const tilesUrl = (apiRoot: string, token: string) =>
  `${partsUrl(apiRoot, token)}/tiles/{z}/{x}/{y}.mvt`;

function sharedTileJsonOperation(
  db: Database,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation {
  const answer = sharedAnswers(db, caches, {
    name: 'shared TileJSON',
    maxBytes: CACHE_BYTES,
    data: { ...importedData(db, ['boundaries']), ...AT_ONCE },
  });
  return operation({
    ...SHARED,
    id: 'getSharedMapTileJson',
    path: '/shared/{token}/tiles.json',
    summary: 'Get TileJSON of a shared map',
    description:
      'Describes the vector tiles of a shared map: their URL, layers, zooms, and extent. Map libraries ' +
      'and QGIS open it as a vector tile source.',
    params: z.object({ token: tokenParam }),
    answers: {
      200: {
        description: 'TileJSON 3.0.0',
        cached: true,
        schema: TileJsonSchema,
        example: tileJson(
          territoryTileset('Where we roof'),
          EXAMPLE_FACTS,
          tilesUrl(EXAMPLE_ROOT, EXAMPLE_TOKEN),
        ),
      },
    },
    handle: ({ params: { token } }) =>
      answer(
        token,
        (share) => [token, shareHeading(share).title],
        async ({ share, zips }, db) => {
          const tileset = territoryTileset(shareHeading(share).title);
          const facts = await territoryFacts(db, zips);
          return jsonText(TileJsonSchema, tileJson(tileset, facts, tilesUrl(apiRoot(), token)));
        },
      ),
  });
}

function sharedStyleOperation(
  db: Database,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation {
  const answer = sharedAnswers(db, caches, {
    name: 'shared styles',
    maxBytes: CACHE_BYTES,
    data: { ...styleData(db), ...AT_ONCE },
  });
  return operation({
    ...SHARED,
    id: 'getSharedMapStyle',
    path: '/shared/{token}/style.json',
    summary: 'Get a style of a shared map',
    description:
      'Returns a MapLibre style with the basemap and the ZIP codes of the shared map, colored by status. ' +
      'It opens at the territory. Pass its URL to `new maplibregl.Map`, or add it to QGIS as a vector ' +
      'tile layer.',
    params: z.object({ token: tokenParam }),
    query: exactQuery({
      style: z
        .enum(STYLE_NAMES, oneOf(STYLE_NAMES))
        .default('light')
        .meta({ description: 'Style of the basemap' }),
    }),
    answers: {
      200: {
        description: 'The style',
        cached: true,
        schema: Style,
        example: {
          version: 8,
          name: 'Where we roof',
          glyphs: `${EXAMPLE_ROOT}/fonts/{fontstack}/{range}.pbf?v=Jx4f0aQk2Z`,
          sprite: `${EXAMPLE_ROOT}/sprites/light?v=Jx4f0aQk2Z`,
          sources: {
            zips: { type: 'vector', url: `${partsUrl(EXAMPLE_ROOT, EXAMPLE_TOKEN)}/tiles.json` },
          },
          layers: [{ id: 'zip-fill', type: 'fill', source: 'zips', 'source-layer': 'zips' }],
        },
      },
    },
    handle: ({ params: { token }, query: { style: name } }) =>
      answer(
        token,
        (share) => [token, name, shareHeading(share).title],
        async ({ share, zips }, db) => {
          const facts = await territoryFacts(db, zips);
          const versions = await Promise.all(
            tilesStampsIn(db.stamp).map((stamp) => caches.versionOf(stamp)),
          );
          const served = servedStyle(loadStyle(name), {
            tilesets: TILESETS,
            versions: new Map(TILESETS.map((tileset, i) => [tileset.name, versions[i]!])),
            assetsVersion: await assetsVersion(caches),
            apiRoot: apiRoot(),
            // The tiles of a share have no scores, so any vertical would do.
            scoreProperty: VERTICALS[0]!.slug,
            coloredCounties: facts.counties,
          });
          const { title } = shareHeading(share);
          const url = `${partsUrl(apiRoot(), token)}/tiles.json`;
          return assembledJson(Style, JSON.stringify(territoryStyle(served, title, url, facts)));
        },
      ),
  });
}
