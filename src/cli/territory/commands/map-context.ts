/** `territory map-context`: the basemap of a view. */
import { Option } from 'commander';
import { z } from 'zod';
import { count, named } from '../../figures.ts';
import { table, wrapped } from '../../table.ts';
import { jsonCall, paragraphs, reading, type Command } from '../command.ts';

/** As much of the answer as is told about it. */
const MapContextMeta = z.object({
  meta: z.object({
    bounds: z.array(z.number()),
    zoom: z.number(),
    attribution: z.string(),
    counts: z.record(z.string(), z.number()),
    vintage: z.record(z.string(), z.string().nullable()),
  }),
});

const text = reading(MapContextMeta, ({ meta }, paper) =>
  paragraphs(
    paper.paint('bold', `Basemap of ${meta.bounds.join(', ')} at zoom ${meta.zoom}`),
    table(
      paper,
      [
        { heading: 'Layer', cell: ([layer]) => layer },
        { heading: 'Features', cell: ([, features]) => count(features), right: true },
        { heading: 'Source', cell: ([layer]) => named(meta.vintage[layer]) },
      ],
      Object.entries(meta.counts),
    ),
    paper.paint('dim', wrapped(`Show with it: ${meta.attribution}`, paper.width).join('\n')),
    paper.paint('dim', 'The layers themselves: --json, or -o with a file.'),
  ),
);

export const mapContext: Command = {
  usage: 'map-context',
  summary: 'the basemap of a view, as GeoJSON',
  options: [
    new Option('--bbox <box>', 'the view: minLng,minLat,maxLng,maxLat').makeOptionMandatory(),
    new Option('--zoom <zoom>', 'whole number from 0 to 18').makeOptionMandatory(),
  ],
  examples: [
    'map-context --bbox -97.5,32.5,-96.5,33.1 --zoom 10',
    'map-context --bbox -97.5,32.5,-96.5,33.1 --zoom 10 -o dallas.json',
  ],
  call: (_operands, { bbox, zoom }) =>
    jsonCall('/map-context', text, { bbox, zoom } as Record<string, string>),
};
