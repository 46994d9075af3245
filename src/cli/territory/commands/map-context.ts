import { Option } from 'commander';
import { formatCount, orDash } from '../../../text/words.ts';
import { formatTable, wrapText } from '../../table.ts';
import { formatter, jsonCall, paragraphs, type Command } from '../command.ts';

const format = formatter(
  async () => (await import('../../../http/basemap/map-context.ts')).MapContext,
  ({ meta }, layout) =>
    paragraphs(
      layout.paint('bold', `Basemap of ${meta.bounds.join(', ')} at zoom ${meta.zoom}`),
      formatTable(
        layout,
        [
          { heading: 'Layer', cell: ([layer]) => layer },
          { heading: 'Features', cell: ([, features]) => formatCount(features), right: true },
          { heading: 'Source', cell: ([layer]) => orDash(meta.vintage[layer]) },
        ],
        Object.entries(meta.counts),
      ),
      layout.paint(
        'dim',
        wrapText(`Required attribution: ${meta.attribution}`, layout.width).join('\n'),
      ),
      layout.paint('dim', 'Get the GeoJSON with --json or -o FILE.'),
    ),
);

export const mapContext: Command = {
  usage: 'map-context',
  summary: 'get the basemap of a view as GeoJSON',
  options: [
    new Option('--bbox <box>', 'view: minLng,minLat,maxLng,maxLat').makeOptionMandatory(),
    new Option('--zoom <zoom>', 'whole number from 0 to 18').makeOptionMandatory(),
  ],
  examples: [
    'map-context --bbox -97.5,32.5,-96.5,33.1 --zoom 10',
    'map-context --bbox -97.5,32.5,-96.5,33.1 --zoom 10 -o dallas.json',
  ],
  call: (_operands, { bbox, zoom }) =>
    jsonCall('/map-context', format, { bbox, zoom } as Record<string, string>),
};
