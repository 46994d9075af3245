/** The tileset of a territory, for a share link or a brand. */
import type { TileLayer, Tileset, TilesetFacts } from '../../data/basemap/tiles.ts';
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Queryable } from '../../base/db/database.ts';
import { readDatasets } from '../../base/db/datasets.ts';
import { placedZips } from '../../data/market/zips.ts';
import { bboxAround, COUNTRY } from '../../base/spatial/bbox.ts';
import { fitBbox } from '../../base/spatial/camera.ts';
import { SHARED_STATUSES } from './shared-zip.ts';
import { SHARE_ZOOMS } from './tiles.ts';

const FIELDS = { zip: 'String', status: `String: ${SHARED_STATUSES.join(' or ')}` };

export const LABEL_ZOOM_FIELD = { labelZoom: 'Number: zoom from which the label fits inside' };

const LAYERS: readonly TileLayer[] = [
  { id: 'zips', description: 'ZIP codes of the territory', fields: FIELDS },
  {
    id: 'zip-labels',
    description: 'Label positions of the ZIP codes',
    fields: { ...FIELDS, ...LABEL_ZOOM_FIELD },
  },
];

/** A set of tiles as described in TileJSON */
export type DescribedTiles = Pick<Tileset, 'title' | 'minZoom' | 'maxZoom' | 'layers'>;

export const territoryTileset = (title: string): DescribedTiles => ({
  title,
  ...SHARE_ZOOMS,
  layers: LAYERS,
});

export interface TerritoryFacts extends TilesetFacts {
  /** FIPS codes of the counties that contain the ZIP codes */
  counties: string[];
}

/** Returns the sources and the extent of ZIP codes. If none has a boundary, the extent is the country. */
export async function territoryFacts(
  db: Queryable,
  zips: readonly string[],
): Promise<TerritoryFacts> {
  const [placed, datasets] = await Promise.all([placedZips(db, zips), readDatasets(db)]);
  return {
    sources: [datasets.get('boundaries') ?? []].flat(),
    bounds: placed.length > 0 ? bboxAround(placed.map(({ bbox }) => bbox)) : COUNTRY,
    counties: [...new Set(placed.flatMap(({ countyFips }) => countyFips ?? []))].sort(),
  };
}

/** Size of a typical map and the space around a territory, in CSS pixels */
const OPENING = { width: 1024, height: 768, padding: 48 };

/**
 * Opens a style at a territory.
 * @param style from `servedStyle`
 */
export function territoryStyle(
  style: StyleSpecification,
  name: string,
  { bounds }: Pick<TerritoryFacts, 'bounds'>,
): StyleSpecification {
  const { center, zoom } = fitBbox(bounds, OPENING.width, OPENING.height, OPENING.padding);
  return { ...style, name, center, zoom };
}
