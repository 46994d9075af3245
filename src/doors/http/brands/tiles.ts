/** The territory of a brand as vector tiles, for the organization's own maps. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { tileJson } from '../../../data/basemap/tilejson.ts';
import { operation, type Operation, type Request } from '../../../base/contract/operation.ts';
import { jsonText } from '../../../base/contract/prepared.ts';
import type { Database } from '../../../base/db/database.ts';
import { importedData } from '../../../base/db/imported-data.ts';
import { territoryFacts, territoryTileset } from '../../../territories/share/tileset.ts';
import { SHARE_ZOOMS, shareTile } from '../../../territories/share/tiles.ts';
import type { SharedZip } from '../../../territories/share/shared-zip.ts';
import { findBrand, type Brand } from '../../../territories/brands/brands.ts';
import { heldZipStatuses } from '../../../territories/brands/brand-zips.ts';
import { AT_ONCE, type AnswerCaches } from '../answers/answer-caches.ts';
import { EXAMPLE_FACTS, TILE_TYPE, TileJsonSchema, tileParams } from '../basemap/tiles.ts';

/** Changes of the territory are visible at once, and shared caches don't keep the answers. */
const PRIVATE = { 'Cache-Control': 'private, no-cache' };

const BRANDS = {
  needs: 'reader',
  method: 'get',
  tag: 'Maps',
  auth: 'bearer-or-session',
  limit: 'brand-tiles',
  errors: [402, 404, 503],
  errorExamples: {
    404: 'There is no brand "lone-star". Available brands: lone-star-roofing (Lone Star Roofing).',
  },
} as const;

const brandParam = z
  .string()
  .meta({
    description: 'Slug, name, or id of a brand in the scope of the key',
    example: 'lone-star-roofing',
  });

interface Territory {
  brand: Brand;
  zips: SharedZip[];
  /** Equal only for the same territory of the same organization */
  key: string;
}

/** @throws ServiceError 404 for a brand out of scope or unknown */
async function territoryOf({ caller }: Pick<Request, 'caller'>, ref: string): Promise<Territory> {
  const brand = await findBrand(caller.tenant, caller.brandScope, ref);
  const held = await heldZipStatuses(caller.tenant, brand);
  const zips = Array.from(held, ([zip, status]) => ({ zip, status }));
  const content = JSON.stringify([caller.organization.id, brand, zips]);
  return { brand, zips, key: createHash('sha256').update(content).digest('base64url') };
}

/** @param apiRoot URL of the API, without a trailing slash */
export function brandTileOperations(
  db: Database,
  caches: AnswerCaches,
  apiRoot: () => string,
): Operation[] {
  const data = importedData(db, ['boundaries']);
  const tiles = caches.answers({ name: 'brand tiles', type: TILE_TYPE, data }, PRIVATE);
  const documents = caches.answers(
    { name: 'brand TileJSON', data: { ...data, ...AT_ONCE } },
    PRIVATE,
  );
  return [
    operation({
      ...BRANDS,
      id: 'getBrandTileJson',
      path: '/brands/{brand}/tiles.json',
      summary: 'Get the TileJSON of a brand',
      description:
        'Describes the vector tiles of a brand’s territory. Requests of tiles need the key, too: in ' +
        'QGIS, choose an authentication with the header `Authorization`; in MapLibre GL, use ' +
        '`transformRequest`. The tiles cost no units.',
      params: z.object({ brand: brandParam }),
      answers: {
        200: {
          description: 'TileJSON 3.0.0',
          cached: true,
          schema: TileJsonSchema,
          example: tileJson(
            territoryTileset('Lone Star Roofing'),
            EXAMPLE_FACTS,
            urlOf('https://territory.example.com', 'lone-star-roofing'),
          ),
        },
      },
      async handle(request) {
        const { brand, zips, key } = await territoryOf(request, request.params.brand);
        return documents(key, async (db) => {
          const codes = zips.map(({ zip }) => zip);
          const facts = await territoryFacts(db, codes);
          const url = urlOf(apiRoot(), brand.slug);
          return jsonText(TileJsonSchema, tileJson(territoryTileset(brand.name), facts, url));
        });
      },
    }),
    operation({
      ...BRANDS,
      id: 'getBrandTile',
      path: '/brands/{brand}/tiles/{z}/{x}/{y}.mvt',
      summary: 'Get a vector tile of a brand',
      description:
        'Returns a Mapbox Vector Tile with the layers `zips` (`zip` and `status`) and `zip-labels` (also ' +
        '`labelZoom`). A tile without features has an empty body and the status 200.',
      params: tileParams(SHARE_ZOOMS).safeExtend({ brand: brandParam }),
      answers: {
        200: {
          description: 'The tile; empty if it has no features',
          type: TILE_TYPE,
          cached: true,
        },
      },
      async handle(request) {
        const { z: zoom, x, y } = request.params;
        const { zips, key } = await territoryOf(request, request.params.brand);
        return tiles(`${key} ${zoom}/${x}/${y}`, (db) => shareTile(db, zips, { z: zoom, x, y }));
      },
    }),
  ];
}

const urlOf = (apiRoot: string, slug: string) =>
  `${apiRoot}/brands/${encodeURIComponent(slug)}/tiles/{z}/{x}/{y}.mvt`;
