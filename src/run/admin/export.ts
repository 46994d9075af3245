/** `territory-admin export pmtiles` */
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  EXPORT_LAYERS,
  EXPORT_MAX_ZOOM,
  exportTiles,
  type ExportLayer,
} from '../../maps/cartography/tiles/tile-export.ts';
import { parseBbox } from '../../base/spatial/bbox.ts';
import { formatCount } from '../../base/text/words.ts';
import { print, withDatabase, withProgress } from './command.ts';
import { readWholeNumber } from '../../base/text/whole-number.ts';

interface ExportFlags {
  layers: ExportLayer[];
  minZoom: number;
  maxZoom: number;
  bbox?: [number, number, number, number];
  output: string;
  json?: boolean;
}

/** The country has 3,000 tiles at this zoom, and four times as many at each further zoom. */
const DEFAULT_MAX_ZOOM = 8;

export function defineExport(command: Command): void {
  command
    .command('pmtiles')
    .description('write vector tiles of the basemap and the ZIP codes to a PMTiles archive')
    .addOption(
      new Option('--layers <list>', `some of the layers: ${EXPORT_LAYERS.join(', ')}`)
        .argParser(parseLayers)
        .default([...EXPORT_LAYERS], 'all'),
    )
    .option('--min-zoom <zoom>', 'lowest zoom', parseZoom, 0)
    .option(
      '--max-zoom <zoom>',
      `highest zoom, up to ${EXPORT_MAX_ZOOM}`,
      parseZoom,
      DEFAULT_MAX_ZOOM,
    )
    .addOption(
      new Option(
        '--bbox <box>',
        'minLng,minLat,maxLng,maxLat (default: the whole basemap)',
      ).argParser(parseBox),
    )
    .requiredOption('-o, --output <file>', 'file to write, such as country.pmtiles')
    .action((flags: ExportFlags) =>
      withDatabase(async (db) => {
        const written = await withProgress((progress) =>
          exportTiles(db, flags.output, flags, (done, total) =>
            progress('Writing tiles', done, total),
          ),
        );
        print(
          flags,
          { file: flags.output, ...written },
          ({ file, tiles, contents, bytes }) =>
            `${file}: ${formatCount(tiles)} tiles, ${formatCount(contents)} of them different, ` +
            `${formatCount(Math.round(bytes / 1000))} kB.`,
        );
      }),
    );
}

function parseLayers(text: string): ExportLayer[] {
  const names = text.split(',').map((name) => name.trim());
  const layers = EXPORT_LAYERS.filter((layer) => names.includes(layer));
  if (layers.length === new Set(names).size) return layers;
  throw new InvalidArgumentError(`Expected one or more of ${EXPORT_LAYERS.join(', ')}.`);
}

function parseZoom(text: string): number {
  const zoom = readWholeNumber(text, 0, EXPORT_MAX_ZOOM);
  if (zoom !== undefined) return zoom;
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${EXPORT_MAX_ZOOM}.`);
}

function parseBox(text: string) {
  try {
    return parseBbox(text);
  } catch (error) {
    throw new InvalidArgumentError(`The box ${(error as Error).message}.`);
  }
}
