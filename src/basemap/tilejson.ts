/** TileJSON 3.0.0, which describes a tileset. */
import type { Dataset } from '../db/datasets.ts';
import { attributionOf } from './sources.ts';
import type { Tileset, TilesetFacts } from './tiles.ts';
import { escapeHtml } from '../escape-html.ts';

/**
 * @param apiRoot public URL of the API, without a trailing slash
 * @param version version of the tiles
 */
export function tileJson(
  tileset: Tileset,
  { sources, bounds }: TilesetFacts,
  apiRoot: string,
  version: string,
) {
  const zooms = { minzoom: tileset.minZoom, maxzoom: tileset.maxZoom };
  return {
    tilejson: '3.0.0' as const,
    name: tileset.title,
    // The specification requires a semantic version; the part after the plus sign is free-form.
    version: `1.0.0+${newestImport(sources).toISOString().replaceAll(/[-:.]/g, '')}`,
    // Maps render the attribution as HTML, and names of sources may come from a file.
    attribution: escapeHtml(attributionOf(sources)),
    scheme: 'xyz',
    tiles: [`${apiRoot}/tiles/${tileset.name}/{z}/{x}/{y}.mvt?v=${version}`],
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

function newestImport(sources: readonly Dataset[]): Date {
  return new Date(Math.max(...sources.map(({ importedAt }) => importedAt.getTime())));
}
