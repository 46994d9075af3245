/**
 * Vector tiles, TileJSON, and a style of a link's content. MapLibre GL and QGIS open them directly. Shared
 * maps and shared plans work the same way.
 */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { z } from 'zod';
import { contextTiles } from '../../../data/basemap/context-tiles.ts';
import { servedStyle } from '../../../data/basemap/served-style.ts';
import { STYLE_NAMES } from '../../../data/basemap/styles.ts';
import { tileJson } from '../../../data/basemap/tilejson.ts';
import { exactQuery, oneOf } from '../../../base/contract/exact-query.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { assembledJson, jsonText } from '../../../base/contract/prepared.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { basemapOption } from '../../../territories/static/options.ts';
import type { Database } from '../../../base/db/database.ts';
import { importedData, type DataAt } from '../../../base/db/imported-data.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import {
  territoryFacts,
  territoryStyle,
  type DescribedTiles,
} from '../../../territories/share/tileset.ts';
import { SHARE_ZOOMS } from '../../../territories/share/tiles.ts';
import { EXAMPLE_TOKEN } from '../../../territories/share/token.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import { AT_ONCE, type AnswerCacheOptions, type AnswerCaches } from '../answers/answer-caches.ts';
import { assetsVersion } from '../basemap/shared.ts';
import { Style } from '../basemap/styles.ts';
import {
  EXAMPLE_FACTS,
  TILE_TYPE,
  tileJsonAnswers,
  TileJsonSchema,
  tileParams,
} from '../basemap/tiles.ts';
import { basemapStyle, styleTileset, tilesStampsIn } from '../basemap/tilesets.ts';
import { SHARED, tokenParam, type TokenAnswers } from './answers.ts';

const EXAMPLE_ROOT = 'https://territory.example.com';

interface TiledMap<Opened> {
  /** All addresses for a token are below it */
  root: '/shared' | '/shared-plans';
  /** Part of the operation ids */
  id: 'SharedMap' | 'SharedPlan';
  /** Name in sentences */
  noun: string;
  /** Message for an unknown token */
  notFound: string;
  exampleTitle: string;
  /** Phrase about the layers of a tile */
  layers: string;
  /** Phrase about the look of the ZIP codes */
  colors: string;
  answers(options: AnswerCacheOptions): TokenAnswers<Opened>;
  titleOf(opened: Opened): string;
  zipsOf(opened: Opened): readonly string[];
  tileset(title: string): DescribedTiles;
  tile(db: DataAt, opened: Opened, address: TileAddress): Promise<Uint8Array>;
  /** Applies the map's look to the ZIP codes of a basemap style. */
  colored(style: StyleSpecification, opened: Opened): StyleSpecification;
}

/** @param apiRoot URL of the API, without a trailing slash */
export const tiledMapOperations = <Opened>(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
  apiRoot: () => string,
  map: TiledMap<Opened>,
): Operation[] => [
  tileOperation(db, map),
  tileJsonOperation(db, apiRoot, map),
  styleOperation(db, renderer, caches, apiRoot, map),
];

type Described = Pick<TiledMap<unknown>, 'root' | 'notFound'>;

const common = ({ notFound }: Described) => ({ ...SHARED, errorExamples: { 404: notFound } });

const partsUrl = ({ root }: Described, apiRoot: string, token: string) =>
  `${apiRoot}${root}/${encodeURIComponent(token)}`;
const tilesUrl = (map: Described, apiRoot: string, token: string) =>
  `${partsUrl(map, apiRoot, token)}/tiles/{z}/{x}/{y}.mvt`;

function tileOperation<Opened>(db: Database, map: TiledMap<Opened>): Operation {
  const answer = map.answers({
    name: `${map.noun} tiles`,
    type: TILE_TYPE,
    data: importedData(db, ['boundaries']),
  });
  return operation({
    ...common(map),
    limit: 'shared-tiles',
    id: `get${map.id}Tile`,
    path: `${map.root}/{token}/tiles/{z}/{x}/{y}.mvt`,
    summary: `Get a vector tile of a ${map.noun}`,
    description:
      `Returns a Mapbox Vector Tile with ${map.layers}. A tile without features has an empty body ` +
      'and the status 200.',
    params: tileParams(SHARE_ZOOMS).safeExtend({ token: tokenParam }),
    answers: {
      200: { description: 'The tile; empty if it has no features', type: TILE_TYPE, cached: true },
    },
    handle: ({ params: { token, z, x, y } }) =>
      answer(
        token,
        () => [z, x, y],
        (opened, data) => map.tile(data, opened, { z, x, y }),
      ),
  });
}

function tileJsonOperation<Opened>(
  db: Database,
  apiRoot: () => string,
  map: TiledMap<Opened>,
): Operation {
  const answer = map.answers({
    name: `${map.noun} TileJSON`,
    data: { ...importedData(db, ['boundaries']), ...AT_ONCE },
  });
  return operation({
    ...common(map),
    id: `get${map.id}TileJson`,
    path: `${map.root}/{token}/tiles.json`,
    summary: `Get the TileJSON of a ${map.noun}`,
    description:
      `Describes the vector tiles of a ${map.noun}: their URL, layers, zooms, and extent. Map libraries ` +
      'and QGIS open it as a vector tile source.',
    params: z.object({ token: tokenParam }),
    answers: tileJsonAnswers(
      tileJson(
        map.tileset(map.exampleTitle),
        EXAMPLE_FACTS,
        tilesUrl(map, EXAMPLE_ROOT, EXAMPLE_TOKEN),
      ),
    ),
    handle: ({ params: { token } }) =>
      answer(
        token,
        (opened) => ['TileJSON', token, map.titleOf(opened)],
        async (opened, data) => {
          const facts = await territoryFacts(data, map.zipsOf(opened));
          const tileset = map.tileset(map.titleOf(opened));
          return jsonText(
            TileJsonSchema,
            tileJson(tileset, facts, tilesUrl(map, apiRoot(), token)),
          );
        },
      ),
  });
}

function styleOperation<Opened>(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
  apiRoot: () => string,
  map: TiledMap<Opened>,
): Operation {
  const { datasets } = contextTiles;
  const answer = map.answers({
    name: `${map.noun} styles`,
    data: { ...renderer.data(db, datasets, ['boundaries']), ...AT_ONCE },
  });
  return operation({
    ...common(map),
    id: `get${map.id}Style`,
    path: `${map.root}/{token}/style.json`,
    summary: `Get the style of a ${map.noun}`,
    description:
      `Returns a MapLibre style with the basemap and the ZIP codes of the ${map.noun}, ${map.colors}. ` +
      'It opens at the territory. Pass its URL to `new maplibregl.Map`, or add it to QGIS as a vector ' +
      'tile layer.',
    params: z.object({ token: tokenParam }),
    query: exactQuery({
      style: z
        .enum(STYLE_NAMES, oneOf(STYLE_NAMES))
        .default('light')
        .meta({ description: 'Style of the basemap' }),
      basemap: basemapOption,
    }),
    answers: {
      200: {
        description: 'The style',
        cached: true,
        schema: Style,
        example: {
          version: 8,
          name: map.exampleTitle,
          glyphs: `${EXAMPLE_ROOT}/fonts/{fontstack}/{range}.pbf?v=Jx4f0aQk2Z`,
          sprite: `${EXAMPLE_ROOT}/sprites/light?v=Jx4f0aQk2Z`,
          sources: {
            zips: {
              type: 'vector',
              url: `${partsUrl(map, EXAMPLE_ROOT, EXAMPLE_TOKEN)}/tiles.json`,
            },
          },
          layers: [{ id: 'zip-fill', type: 'fill', source: 'zips', 'source-layer': 'zips' }],
        },
      },
    },
    handle: ({ params: { token }, query: { style: name, basemap = 'streets' } }) =>
      answer(
        token,
        (opened) => ['style', token, name, basemap, map.titleOf(opened)],
        async (opened, data) => {
          const facts = await territoryFacts(data, map.zipsOf(opened));
          const title = map.titleOf(opened);
          const [contextStamp] = tilesStampsIn(data.stamp) as [string];
          const zips = {
            name: 'zips',
            ...map.tileset(title),
            url: `${partsUrl(map, apiRoot(), token)}/tiles.json`,
          };
          const base = await basemapStyle(name, basemap, data, caches, apiRoot());
          const context = await styleTileset(contextTiles, caches, apiRoot(), contextStamp);
          const served = servedStyle(map.colored(base.style, opened), {
            tilesets: [context, zips, ...base.tilesets],
            assetsVersion: await assetsVersion(caches),
            apiRoot: apiRoot(),
            // The tiles have no scores, so the vertical doesn't matter.
            scoreProperty: VERTICALS[0]!.slug,
            coloredCounties: facts.counties,
          });
          return assembledJson(Style, JSON.stringify(territoryStyle(served, title, facts)));
        },
      ),
  });
}
