/** The vector tiles of a territory, of a share link or a brand, as a tileset. */
import type { TileLayer, TilesetFacts } from '../basemap/tiles.ts';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Queryable } from '../db/database.ts';
import { readDatasets } from '../db/datasets.ts';
import { placedZips } from '../market/zips.ts';
import { bboxAround, COUNTRY } from '../spatial/bbox.ts';
import { fitBbox } from '../spatial/camera.ts';
import { SHARED_STATUSES, type SharedZip } from '../spatial/shared-zip.ts';
import { SHARE_ZOOMS } from './tiles.ts';

const FIELDS = { zip: 'String', status: `String: ${SHARED_STATUSES.join(' or ')}` };

const LAYERS: readonly TileLayer[] = [
  { id: 'zips', description: 'ZIP codes of the territory', fields: FIELDS },
  {
    id: 'zip-labels',
    description: 'Label positions of the ZIP codes',
    fields: { ...FIELDS, labelZoom: 'Number: zoom from which the label fits inside' },
  },
];

export const territoryTileset = (title: string) => ({ title, ...SHARE_ZOOMS, layers: LAYERS });

export interface TerritoryFacts extends TilesetFacts {
  /** FIPS codes of the counties that contain the ZIP codes */
  counties: string[];
}

/** The sources and the extent of ZIP codes: the country if none has a boundary. */
export async function territoryFacts(
  db: Queryable,
  zips: readonly SharedZip[],
): Promise<TerritoryFacts> {
  const [placed, datasets] = await Promise.all([
    placedZips(
      db,
      zips.map(({ zip }) => zip),
    ),
    readDatasets(db),
  ]);
  return {
    sources: [datasets.get('boundaries') ?? []].flat(),
    bounds: placed.length > 0 ? bboxAround(placed.map(({ bbox }) => bbox)) : COUNTRY,
    counties: [...new Set(placed.flatMap(({ countyFips }) => countyFips ?? []))].sort(),
  };
}

/** Size of a typical map and the space around a territory, in CSS pixels */
const OPENING = { width: 1024, height: 768, padding: 48 };

/**
 * Puts a territory in place of the ZIP codes that a served style colors by score, and opens it there.
 * @param style from `servedStyle`
 * @param tileJsonUrl of the territory
 */
export function territoryStyle(
  style: StyleSpecification,
  name: string,
  tileJsonUrl: string,
  { bounds }: Pick<TerritoryFacts, 'bounds'>,
): StyleSpecification {
  const { center, zoom } = fitBbox(bounds, OPENING.width, OPENING.height, OPENING.padding);
  return {
    ...style,
    name,
    center,
    zoom,
    sources: { ...style.sources, zips: { type: 'vector', url: tileJsonUrl } },
  };
}
