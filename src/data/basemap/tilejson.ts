/** TileJSON 3.0.0, which describes a tileset. */
import type { Dataset } from '../../base/db/datasets.ts';
import { joinSources } from './sources.ts';
import type { Tileset, TilesetFacts } from './tiles.ts';
import { escapeHtml } from '../../base/text/escape-html.ts';

/** @param tiles URL of the tiles, with `{z}`, `{x}`, and `{y}` */
export function tileJson(
  tileset: Pick<Tileset, 'title' | 'minZoom' | 'maxZoom' | 'layers'>,
  { sources, bounds }: TilesetFacts,
  tiles: string,
) {
  const zooms = { minzoom: tileset.minZoom, maxzoom: tileset.maxZoom };
  return {
    tilejson: '3.0.0' as const,
    name: tileset.title,
    // The specification requires a semantic version; the part after the plus sign is free-form.
    version: `1.0.0+${newestImport(sources).toISOString().replaceAll(/[-:.]/g, '')}`,
    // Maps render the attribution as HTML, and source names may come from a file.
    attribution: escapeHtml(joinSources(sources)),
    scheme: 'xyz',
    tiles: [tiles],
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
