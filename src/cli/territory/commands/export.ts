import { Option } from 'commander';
import {
  EXPORT_FORMATS,
  EXPORT_TYPES,
  type ExportFormat,
} from '../../../contract/export-formats.ts';
import { plainCall, type Command } from '../command.ts';
import { dataOption, parseNumber } from '../options.ts';

export const exportTerritory: Command = {
  usage: 'export <brand>',
  summary: 'export a brand’s territory with figures: Excel, CSV, GeoJSON, KML, or shapefile',
  options: [
    new Option('--format <format>', 'xlsx, csv, geojson, kml, or shp (zipped)')
      .choices([...EXPORT_FORMATS])
      .default('xlsx'),
    dataOption('repeat for several'),
    new Option(
      '--detail <detail>',
      'detail of boundaries: street, metro (default), state, or country',
    ),
    new Option(
      '--max-units <units>',
      'maximum price in units; the command fails if the export costs more',
    ).argParser(parseNumber),
  ],
  examples: [
    'export lone-star-roofing -o territory.xlsx',
    'export lone-star-roofing --format kml --detail street -o territory.kml',
    'export lone-star-roofing --format shp -o territory.zip',
  ],
  call: ([brand], { format, detail, data, maxUnits }) => ({
    ...plainCall({
      path: '/agent/territory-export',
      body: { brand, format, detail, dataSets: data, maxUnits },
      type: EXPORT_TYPES[format as ExportFormat].split(';')[0]!,
    }),
    needsKey: true,
  }),
};
