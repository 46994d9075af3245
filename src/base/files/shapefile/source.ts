/** Prepares shapefiles for mapshaper, which is stricter about them than other programs. */
import { basename } from 'node:path';
import { pluralize } from '../../text/words.ts';
import { readPart, type ShapefileParts } from './parts.ts';
import { openTable, type Row } from './records.ts';

export interface ShapeSource {
  /** The file's name, for people */
  name: string;
  /** The path or the key in `inputs` that mapshaper reads */
  path: string;
  /** Content by path. Other files are read from disk */
  inputs: Record<string, object | string>;
  /** The table of a shapefile. Mapshaper's reader knows neither deleted rows nor most names of encodings */
  table?: readonly Row[];
}

/**
 * Finds the parts whatever the case of their names. Mapshaper looks for lower-case names only.
 * @param isOnDisk lets mapshaper read the shapes in pieces
 * @param note receives remarks for the report
 */
export async function openShapefile(
  parts: ShapefileParts,
  isOnDisk: boolean,
  note: (text: string) => void,
): Promise<ShapeSource> {
  const path = isOnDisk ? parts.shp : basename(parts.shp).replace(/shp$/i, 'shp');
  const inputs: ShapeSource['inputs'] = {};
  for (const extension of isOnDisk ? ['.shx', '.prj'] : ['.shp', '.shx', '.prj']) {
    const content = await readPart(parts, extension);
    if (!content) continue;
    const key = path.replace(/\.shp$/i, extension);
    inputs[key] = extension === '.prj' ? content.toString('utf8') : content;
  }
  const source = { name: basename(parts.shp), path, inputs };
  const content = parts.read('.dbf');
  if (content === null) return source;
  const cpg = (await readPart(parts, '.cpg'))?.toString('latin1');
  const table: Row[] = [];
  const { rows } = await openTable(content, { cpg, note, keepCase: true });
  for await (const row of rows) table.push(row);
  return { ...source, table };
}

/**
 * Reports what a shapefile loses: records marked as deleted, and shapes without a record or the reverse.
 * @param excess number of shapes, less that of records
 */
export function noteLost(
  file: string,
  deleted: number,
  excess: number,
  note: (text: string) => void,
): void {
  const report = (count: number, noun: string, rest: string) => {
    if (count <= 0) return;
    note(`${file}: ${pluralize(count, noun)} ${rest} ${count === 1 ? 'was' : 'were'} left out`);
  };
  report(deleted, 'record', 'marked as deleted');
  report(excess, 'shape', 'without a record');
  report(-excess, 'record', 'without a shape');
}
