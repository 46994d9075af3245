/** TileJSON 3.0.0: where a set of tiles is and what is in it. */
import type { Dataset } from '../db/datasets.ts';
import type { Bbox } from '../spatial/bbox.ts';
import { attributionOf } from './sources.ts';
import type { Tileset, TilesetFacts } from './tiles.ts';

export interface TileJson {
  tilejson: '3.0.0';
  name: string;
  /** Changes with the data */
  version: string;
  /** HTML */
  attribution: string;
  scheme: 'xyz';
  tiles: string[];
  minzoom: number;
  maxzoom: number;
  bounds: Bbox;
  vector_layers: {
    id: string;
    description: string;
    minzoom: number;
    maxzoom: number;
    fields: Record<string, string>;
  }[];
}

/** @param apiRoot where people reach the interface, without a slash at the end */
export function tileJson(
  tileset: Tileset,
  { sources, bounds }: TilesetFacts,
  apiRoot: string,
): TileJson {
  const zooms = { minzoom: tileset.minZoom, maxzoom: tileset.maxZoom };
  return {
    tilejson: '3.0.0',
    name: tileset.title,
    // Semantic versions are asked for; what follows the plus sign is free.
    version: `1.0.0+${newest(sources).toISOString().replaceAll(/[-:.]/g, '')}`,
    attribution: escapeHtml(attributionOf(sources)),
    scheme: 'xyz',
    tiles: [`${apiRoot}/tiles/${tileset.name}/{z}/{x}/{y}.mvt`],
    ...zooms,
    bounds,
    vector_layers: tileset.layers.map(({ id, description, fields }) => ({
      id,
      description,
      ...zooms,
      fields: { ...fields },
    })),
  };
}

function newest(sources: readonly Dataset[]): Date {
  return new Date(Math.max(...sources.map(({ importedAt }) => importedAt.getTime())));
}

/** Maps show the attribution as HTML; the names of sources may come from a file. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
