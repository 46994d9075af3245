/** Lists everything that can be drawn, for programs that offer a choice. */
import { z } from 'zod';
import { STREETS } from '../../../data/basemap/streets-style.ts';
import { STYLE_NAMES } from '../../../data/basemap/styles.ts';
import { RASTER_TILE_PX, RASTER_ZOOMS } from '../../../maps/cartography/tiles/raster-tiles.ts';
import { describeParameters } from '../../../base/contract/openapi.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { launchedMetros } from '../../../data/market/metros.ts';
import { PICTURE_FORMATS, PICTURE_LIMITS } from '../../../render/scene.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { PUBLIC_DEVICE_PX, SIDE_PX, staticOptions } from '../../../territories/static/options.ts';
import { OVERLAY_LIMITS } from '../../../territories/static/overlay.ts';
import { PAID_DAYS, PICTURE_UNITS } from '../../../territories/static/paid-pictures.ts';
import { URL_DAYS } from '../../../territories/static/signed-url.ts';
import { SUBJECTS } from '../../../territories/static/subject.ts';
import { VIEW_FORMS } from '../../../territories/static/view.ts';
import type { StreetsArchive } from '../../../data/streets/archive.ts';
import type { Streets } from '../../../data/streets/streets.ts';
import { TILESETS } from '../basemap/tilesets.ts';

const named = z.object({ slug: z.string(), label: z.string() });

const Catalog = z
  .object({
    template: z.string().meta({ description: 'URL of a static picture' }),
    styles: z.array(
      z
        .object({ name: z.string(), style: z.string(), raster: z.string() })
        .meta({ description: 'A style for MapLibre GL, and TileJSON of its raster tiles' }),
    ),
    subjects: z.array(
      z.object({
        kind: z.string(),
        pattern: z.string(),
        example: z.string(),
        meaning: z.string(),
        public: z.boolean().meta({ description: 'Whether it can be requested without a key' }),
      }),
    ),
    metros: z.array(named),
    verticals: z.array(named),
    views: z.array(z.string()),
    formats: z.array(z.string()),
    ratios: z.array(z.number()),
    options: z.array(z.object({ name: z.string(), description: z.string() })),
    tilesets: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        url: z.string().meta({ description: 'TileJSON' }),
        minzoom: z.int(),
        maxzoom: z.int(),
        layers: z.array(z.string()),
      }),
    ),
    raster: z.object({
      template: z.string(),
      tileSize: z.int(),
      minzoom: z.int(),
      maxzoom: z.int(),
    }),
    limits: z
      .object({
        minSide: z.int(),
        maxSide: z.int(),
        maxPixels: z.int(),
        maxPublicPixels: z.int(),
        maxMarkers: z.int(),
        maxOverlayFeatures: z.int(),
        maxSignedUrlDays: z.int(),
      })
      .meta({ description: 'Sides are in CSS pixels' }),
    prices: z.object({
      units: z.int().meta({ description: 'Price of drawing a private picture for the first time' }),
      freeDays: z.int().meta({ description: 'Number of days for which repeats are free' }),
    }),
  })
  .meta({ id: 'Catalog', description: 'Everything that can be drawn' });

export interface CatalogParts {
  /** Null: the service has none */
  streets: Streets | null;
  /** URL of the API, without a trailing slash */
  apiRoot: () => string;
}

export function catalogOperation({ streets, apiRoot }: CatalogParts): Operation {
  return operation({
    method: 'get',
    tag: 'Static maps',
    auth: 'none',
    id: 'getCatalog',
    path: '/catalog',
    summary: 'List everything that can be drawn',
    description:
      'Returns the styles, subjects, metros, verticals, views, formats, options, tilesets, limits, and ' +
      'prices of pictures and tiles.',
    answers: {
      200: {
        description: 'The catalog',
        schema: Catalog,
        example: catalogOf('https://territory.example.com'),
      },
    },
    handle: async () => ({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=3600' },
      body: catalogOf(apiRoot(), streets?.current()),
    }),
  });
}

function catalogOf(root: string, streets?: StreetsArchive | null): z.output<typeof Catalog> {
  const tilesets = [
    ...TILESETS.map(({ layers, ...set }) => ({ ...set, layers: layers.map(({ id }) => id) })),
    ...(streets
      ? [{ ...streets, name: STREETS, title: streets.name, layers: streets.sourceLayers }]
      : []),
  ];
  return {
    template: `${root}/static/{style}/{subject}/{view}/{width}x{height}{@2x|@3x}.{format}`,
    styles: STYLE_NAMES.map((name) => ({
      name,
      style: `${root}/styles/${name}.json`,
      raster: `${root}/raster/${name}.json`,
    })),
    subjects: Object.entries(SUBJECTS).map(([kind, { isPublic, ...form }]) => ({
      kind,
      ...form,
      public: isPublic,
    })),
    metros: launchedMetros().map(({ slug, label }) => ({ slug, label })),
    verticals: VERTICALS.map(({ slug, label }) => ({ slug, label })),
    views: [...VIEW_FORMS],
    formats: [...PICTURE_FORMATS],
    ratios: [1, 2, 3],
    options: describeParameters(z.object(staticOptions), 'query').map(
      ({ name, description = '' }) => ({ name: String(name), description: String(description) }),
    ),
    tilesets: tilesets.map(({ name, title, minZoom, maxZoom, layers }) => ({
      name,
      title,
      url: `${root}/tiles/${name}.json`,
      minzoom: minZoom,
      maxzoom: maxZoom,
      layers: [...layers],
    })),
    raster: {
      template: `${root}/raster/{style}/{z}/{x}/{y}{@2x}.png`,
      tileSize: RASTER_TILE_PX,
      minzoom: RASTER_ZOOMS.minZoom,
      maxzoom: RASTER_ZOOMS.maxZoom,
    },
    limits: {
      minSide: SIDE_PX.min,
      maxSide: SIDE_PX.max,
      maxPixels: PICTURE_LIMITS.devicePx,
      maxPublicPixels: PUBLIC_DEVICE_PX,
      maxMarkers: OVERLAY_LIMITS.markers,
      maxOverlayFeatures: OVERLAY_LIMITS.features,
      maxSignedUrlDays: URL_DAYS.max,
    },
    prices: { units: PICTURE_UNITS, freeDays: PAID_DAYS },
  };
}
