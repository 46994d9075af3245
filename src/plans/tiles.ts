/** The territories of a plan as vector tiles, and the style that draws them. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { labelsInPicture, ZIP_LABEL_RADIUS_PX } from '../basemap/label-features.ts';
import { contentZoom, encodeTile, TILE_MARGIN, type TileLayer } from '../basemap/tiles.ts';
import { categoryAreas, categoryStyle, outlineNames } from '../cartography/categories.ts';
import type { Queryable } from '../db/database.ts';
import { zipShapes, zipShapesIn } from '../market/zips.ts';
import { LABEL_ZOOM_FIELD, type DescribedTiles } from '../share/tileset.ts';
import { SHARE_ZOOMS } from '../share/tiles.ts';
import { detailForZoom } from '../spatial/detail.ts';
import { tileBbox, type TileAddress } from '../spatial/tile.ts';
import { planColoring, type DrawnPlan } from './picture.ts';

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
    fields: { name: 'String', isBroken: 'Boolean: false' },
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

/** A territory has its name at the same place in all tiles, so one detail determines the place. */
const NAMES_LOD = detailForZoom(5);

/** Returns a tile, empty if it contains no ZIP code of the market. */
export async function planTile(
  db: Queryable,
  plan: DrawnPlan,
  address: TileAddress,
): Promise<Uint8Array> {
  const box = tileBbox(address, TILE_MARGIN);
  const shapes = await zipShapesIn(db, plan.zips, box, detailForZoom(address.z));
  // The areas end outside the tile, where ZIP codes of the same territory may follow.
  const { patterns, outlines } = categoryAreas(planColoring(plan), shapes);
  const territories = plan.territories.filter(({ zips }) => zips.some((zip) => shapes.has(zip)));
  const names = await territoryNames(db, { ...plan, territories });
  const territoryOf = new Map(
    territories.flatMap(({ number, name, zips }) =>
      zips.map((zip) => [zip, { number, territory: name }] as const),
    ),
  );
  const zips = Array.from(shapes, ([zip, geometry]) => ({
    type: 'Feature' as const,
    properties: { zip, ...territoryOf.get(zip) },
    geometry,
  }));
  const zoom = contentZoom(address, SHARE_ZOOMS);
  return encodeTile(address, {
    ...{ zips, patterns, outlines, 'outline-names': names },
    'zip-labels': labelsInPicture(zoom, zips, ZIP_LABEL_RADIUS_PX),
  });
}

async function territoryNames(db: Queryable, { territories, ...plan }: DrawnPlan) {
  const zips = territories.flatMap((territory) => territory.zips);
  const coloring = planColoring({ ...plan, zips, territories });
  const { outlines } = categoryAreas(coloring, await zipShapes(db, zips, NAMES_LOD));
  return outlineNames(outlines);
}

/** Gives a basemap style the look of a plan, for these tiles. */
export function planStyle(style: StyleSpecification, plan: DrawnPlan): StyleSpecification {
  const coloring = planColoring(plan);
  return categoryStyle(style, coloring, {
    name: 'number',
    // Those in no territory have no number, and the color of ZIP codes in no category.
    values: [...plan.territories.map(({ number }) => number), 0],
  });
}
