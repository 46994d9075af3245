/** The basemap styles, ready for MapLibre GL. */
import { z } from 'zod';
import { servedStyle } from '../../../data/basemap/served-style.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { assembledJson } from '../../../base/contract/prepared.ts';
import { notFound } from '../../../errors.ts';
import type { Database } from '../../../base/db/database.ts';
import type { DataAt } from '../../../base/db/imported-data.ts';
import { launchedMetros } from '../../../data/market/metros.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { basemapOption } from '../../../territories/static/options.ts';
import { STYLE_NAMES } from '../../../data/basemap/styles.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { ASK_FIRST, AT_ONCE, version, type AnswerCaches } from '../answers/answer-caches.ts';
import { assetsVersion, MAPS } from './shared.ts';
import { basemapStyle, styleData, styleTileset, TILESETS, tilesStampsIn } from './tilesets.ts';

const slugs = VERTICALS.map(({ slug }) => slug);
const DEFAULT_VERTICAL = slugs[0]!;

export const Style = z
  .looseObject({
    version: z.literal(8),
    name: z.string(),
    glyphs: z.string(),
    sprite: z.string(),
    sources: z.record(z.string(), z.looseObject({ type: z.string(), url: z.string() })),
    layers: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  })
  .meta({ id: 'MapStyle', description: 'MapLibre Style Specification, version 8' });

/** @param apiRoot URL of the API, without a trailing slash */
export function styleOperation(
  db: Database,
  renderer: MapRenderer,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation {
  const data = { ...styleData(db, renderer), ...AT_ONCE };
  const answer = caches.answers({ name: 'styles', data }, ASK_FIRST);

  const tilesetsAt = (stamp: string) =>
    Promise.all(
      tilesStampsIn(stamp).map((tiles, i) => styleTileset(TILESETS[i]!, caches, apiRoot(), tiles)),
    );

  return operation({
    ...MAPS,
    id: 'getStyle',
    path: '/styles/{name}.json',
    summary: 'Get a map style',
    description:
      `Returns one of the basemap styles ${STYLE_NAMES.join(', ')} for the vector tiles. ZIP codes of ` +
      'the launched metros are colored by their score in a vertical. Up close, it shows streets where the ' +
      'service has them. Pass its URL to ' +
      '`new maplibregl.Map`. The URLs in it contain the version of the data, so that everything they ' +
      'name can be kept for a year, and a new version shows as soon as the style is read again.',
    params: z.object({ name: z.string().meta({ description: 'Style', example: 'light' }) }),
    query: z.object({
      vertical: z
        .enum(slugs, { error: `must be one of ${slugs.join(', ')}` })
        .default(DEFAULT_VERTICAL)
        .meta({ description: 'Vertical whose scores color the ZIP codes' }),
      basemap: basemapOption,
      v: version,
    }),
    answers: {
      200: {
        description: 'The style',
        cached: true,
        schema: Style,
        example: {
          version: 8,
          name: 'Light',
          glyphs: 'https://territory.example.com/fonts/{fontstack}/{range}.pbf?v=Jx4f0aQk2Z',
          sprite: 'https://territory.example.com/sprites/light?v=Jx4f0aQk2Z',
          sources: {
            context: {
              type: 'vector',
              url: 'https://territory.example.com/tiles/context.json?v=Jx4f0aQk2Z',
            },
          },
          layers: [{ id: 'land', type: 'fill', source: 'context', 'source-layer': 'states' }],
        },
      },
    },
    errors: [404, 503],
    errorExamples: { 404: 'There is no style "satellite". Use one of: light, dark, muted.' },
    handle: async ({ params, query: { vertical, basemap = 'streets', v } }) => {
      const name = STYLE_NAMES.find((known) => known === params.name);
      if (name === undefined) {
        throw notFound(
          `There is no style "${params.name}". Use one of: ${STYLE_NAMES.join(', ')}.`,
        );
      }
      const make = async (db: DataAt) => {
        const base = await basemapStyle(name, basemap, db, caches, apiRoot());
        const style = servedStyle(base.style, {
          tilesets: [...(await tilesetsAt(db.stamp)), ...base.tilesets],
          assetsVersion: await assetsVersion(caches),
          apiRoot: apiRoot(),
          scoreProperty: vertical,
          coloredCounties: launchedMetros().flatMap(({ counties }) => counties.map((c) => c.fips)),
        });
        return assembledJson(Style, JSON.stringify(style));
      };
      return answer(`${name} ${vertical} ${basemap}`, make, v);
    },
  });
}
