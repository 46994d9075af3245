/** The territories of a plan as vector tiles, and the style that draws them. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature, MultiPolygon, Point } from 'geojson';
import { cacheOf } from '../../base/cache/cache.ts';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../../data/basemap/label-features.ts';
import { contentZoom, encodeTile, TILE_MARGIN, type TileLayer } from '../../data/basemap/tiles.ts';
import { categoryStyle, outlineNames } from '../../maps/cartography/categories.ts';
import { territoryLook } from '../../maps/cartography/territory-look.ts';
import type { DataAt } from '../../base/db/imported-data.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { zipShapes, zipShapesIn } from '../../data/market/zips.ts';
import { LABEL_ZOOM_FIELD, type DescribedTiles } from '../share/tileset.ts';
import { SHARE_ZOOMS } from '../share/tiles.ts';
import { detailForZoom } from '../../base/spatial/detail.ts';
import { dissolveInSlices } from './dissolve-in-slices.ts';
import { tileBbox, type TileAddress } from '../../base/spatial/tile.ts';
import { planColoring, type DrawnPlan } from './picture.ts';
import type { SavedPlan } from './plans.ts';

const FIELDS = {
  zip: 'String',
  number: 'Number: the territory; missing if it is in none',
  territory: 'String: name of the territory',
};

const LAYERS: readonly TileLayer[] = [
  { id: 'zips', description: 'ZIP codes of the market', fields: FIELDS },
  {
    id: 'zip-labels',
    description: 'Label positions of the ZIP codes',
    fields: { ...FIELDS, ...LABEL_ZOOM_FIELD },
  },
  {
    id: 'patterns',
    description: 'Areas of the territories with a pattern',
    fields: { pattern: 'String: name of the pattern in the sprite' },
  },
  {
    id: 'outlines',
    description: 'Areas of the territories',
    fields: { number: 'Number', name: 'String', isBroken: 'Boolean: false' },
  },
  {
    id: 'outline-names',
    description: 'Label positions of the territories',
    fields: { name: 'String', ...LABEL_ZOOM_FIELD },
  },
];

export const planTileset = (title: string): DescribedTiles => ({
  title,
  ...SHARE_ZOOMS,
  layers: LAYERS,
});

/** Returns a tile. It is empty if it contains no ZIP code of the market. */
export async function planTile(
  db: DataAt,
  plan: SavedPlan,
  address: TileAddress,
): Promise<Uint8Array> {
  const box = tileBbox(address, TILE_MARGIN);
  const shapes = await zipShapesIn(db, plan.zips, box, detailForZoom(address.z));
  if (shapes.size === 0) return encodeTile(address, {});
  // Areas extend beyond the tile, where more ZIP codes of the same territory may follow.
  const outlines = await territoryAreas(plan.territories, shapes);
  const patterns = outlines.flatMap(({ geometry, properties: { number } }): Feature[] => {
    const { pattern } = territoryLook(number);
    return pattern === null ? [] : [{ type: 'Feature', properties: { pattern }, geometry }];
  });
  const names = await namePoints.find(`${db.stamp} ${plan.id} ${plan.version}`, () =>
    placeNames(db, plan),
  );
  const territoryOf = new Map(
    plan.territories.flatMap(({ number, name, zips }) =>
      zips.map((zip) => [zip, { number, territory: name }] as const),
    ),
  );
  const zips = Array.from(shapes, ([zip, geometry]) => ({
    type: 'Feature' as const,
    properties: { zip, ...territoryOf.get(zip) },
    geometry,
  }));
  await letOthersRun();
  const zoom = contentZoom(address, SHARE_ZOOMS);
  const labels = labelsInPicture(zoom, zips, ZIP_LABEL_RADIUS_PX);
  await letOthersRun();
  return encodeTile(address, {
    zips,
    patterns,
    outlines,
    'outline-names': names,
    'zip-labels': labels,
  });
}

type TerritoryFeature = Feature<MultiPolygon, { number: number; name: string; isBroken: false }>;

/** Returns the area of each territory that has shapes. */
async function territoryAreas(
  territories: SavedPlan['territories'],
  shapes: ReadonlyMap<string, MultiPolygon>,
): Promise<TerritoryFeature[]> {
  const features: TerritoryFeature[] = [];
  for (const { number, name, zips } of territories) {
    const own = zips.flatMap((zip) => shapes.get(zip) ?? []);
    const geometry = own.length > 0 ? await dissolveInSlices(own) : null;
    if (!geometry) continue;
    features.push({ type: 'Feature', properties: { number, name, isBroken: false }, geometry });
  }
  return features;
}

/** One level of detail determines where a territory's name is, so the name is at the same place in all tiles. */
const NAMES_LOD = detailForZoom(5);

/** Label points of the territories, which all tiles share, by the data's stamp, the plan, and its version */
const namePoints = cacheOf<Feature<Point>[]>(({ length }) => 500 * length);

async function placeNames(db: DataAt, plan: SavedPlan): Promise<Feature<Point>[]> {
  const points: Feature<Point>[] = [];
  for (const territory of plan.territories) {
    const shapes = await zipShapes(db, territory.zips, NAMES_LOD);
    points.push(...outlineNames(await territoryAreas([territory], shapes)));
  }
  return points;
}

/** Gives a basemap style the look of a plan, for these tiles. */
export function planStyle(style: StyleSpecification, plan: DrawnPlan): StyleSpecification {
  const coloring = planColoring(plan);
  return categoryStyle(style, coloring, {
    name: 'number',
    // Unassigned ZIP codes have no number. They get the color of the last category, `UNASSIGNED`.
    values: [...plan.territories.map(({ number }) => number), 0],
  });
}
