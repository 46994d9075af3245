import { Option } from 'commander';
import {
  EXPORT_FORMATS,
  EXPORT_TYPES,
  type ExportFormat,
} from '../../../../contract/export-formats.ts';
import { path } from '../../call.ts';
import { plainCall, type Command } from '../../command.ts';

const FILES: Readonly<Record<ExportFormat, string>> = {
  ...{ csv: 'zips.csv', xlsx: 'zips.xlsx' },
  ...{ geojson: 'boundaries.geojson', kml: 'boundaries.kml', shp: 'shapefile.zip' },
};

export const planExport: Command = {
  usage: 'plan-export <plan>',
  summary: 'export a plan, without figures: Excel, CSV, GeoJSON, KML, or shapefile',
  options: [
    new Option('--format <format>', 'xlsx, csv, geojson, kml, or shp (zipped)')
      .choices([...EXPORT_FORMATS])
      .default('csv'),
  ],
  examples: [
    'plan-export "Dallas 2027" -o plan.csv',
    'plan-export "Dallas 2027" --format kml -o plan.kml',
  ],
  call: ([plan], { format }) => {
    const chosen = format as ExportFormat;
    const at = `${path`/agent/plans/${plan!}`}/${FILES[chosen]}`;
    const type = EXPORT_TYPES[chosen].split(';')[0]!;
    return { ...plainCall({ path: at, type }), needsKey: true };
  },
};
