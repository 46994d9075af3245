/** Worker thread that writes one shapefile, as a ZIP archive. `shapefile.ts` starts it. */
import { strToU8, zipSync } from 'fflate';
import type { Feature, MultiPolygon } from 'geojson';
import mapshaper from 'mapshaper';
import { csvLines } from '../../../base/text/csv.ts';
import { serveJobs } from '../../../base/workers/serve.ts';
import type { ExportValue } from './columns.ts';
import { fieldNames } from './field-names.ts';
import type { Shapefile } from './shapefile.ts';

serveJobs<Shapefile, Uint8Array, never, never>(async ({ name, columns, rows, shapes, moment }) => {
  const fields = fieldNames(columns);
  // A field with only null values would become a number field, possibly without any digits, so it has empty texts.
  const empty = columns.map((_, at) => (rows.some((row) => isNumber(row[at])) ? null : ''));
  const features = rows.map((row, i): Feature<MultiPolygon | null> => {
    const shape = shapes[i] ?? null;
    return {
      type: 'Feature',
      properties: Object.fromEntries(
        fields.map((field, at) => [field, cellOf(row[at]!) ?? empty[at]]),
      ),
      geometry: shape === null ? null : (JSON.parse(shape) as MultiPolygon),
    };
  });
  const files = await mapshaper.applyCommands(
    ['-i', 'zips.json', 'no-topology', '-o', `${name}.shp`, 'encoding=utf8'],
    { 'zips.json': { type: 'FeatureCollection', features } },
  );
  if (moment) setDay(files[`${name}.dbf`] as Uint8Array, moment);
  const table = [['field', 'column'], ...fields.map((field, i) => [field, columns[i]!] as const)];
  const entries = Object.entries({ ...files, 'fields.csv': csvLines(table) });
  return zipSync(
    Object.fromEntries(
      entries.map(([file, content]) => [
        file,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
    // With the same date as in the .dbf, the same rows give the same bytes all day.
    { mtime: (moment ?? new Date()).setHours(0, 0, 0, 0) },
  );
});

/** Sets the day in the header of a dBASE table. */
function setDay(table: Uint8Array, day: Date): void {
  table.set([day.getFullYear() - 1900, day.getMonth() + 1, day.getDate()], 1);
}

const isNumber = (value: ExportValue | undefined) =>
  typeof value === 'number' || typeof value === 'boolean';

/** Writes flags as 1 or 0, because GIS programs show dBASE flags as 1 or 0, or not at all. */
const cellOf = (value: ExportValue) => (typeof value === 'boolean' ? Number(value) : value);
