/** Reads the ZIP codes of a file, in any format that people keep them in. */
import type { Readings } from '../../../base/lists/finding.ts';
import { readZipRows } from '../../../base/lists/zip-list.ts';
import { findZipTable } from '../../../base/lists/zip-table.ts';
import { openBytes } from '../../../base/files/open-file.ts';
import { collectRows } from '../../../base/files/rows.ts';
import { asSentence, formatCount, pluralize, wereIgnored } from '../../../base/text/words.ts';
import type { ImportedArea } from './read-features.ts';

export interface ImportFile {
  bytes: Uint8Array;
  /** Heading or number of the column with ZIP codes, if a table has several */
  column?: string | undefined;
  /** Sheet of a workbook. Default: the first visible one with ZIP codes */
  sheet?: string | undefined;
}

/**
 * Reads a list of ZIP codes, a table with a column of them, or features.
 * @returns the readings, and the areas that select further ZIP codes
 * @throws ServiceError 400 for any other file, or one that is too large
 */
export async function readZipFile({
  bytes,
  column,
  sheet,
}: ImportFile): Promise<Readings & { areas: ImportedArea[] }> {
  const file = await openBytes(bytes, { sheet, isTable: (rows) => findZipTable(rows) !== null });
  if ('rows' in file) {
    const read = readZipRows(await collectRows(file.rows), column);
    if (file.format === 'csv') return { ...read, areas: [] };
    const others = file.sheets.filter((name) => name !== file.sheet);
    return {
      ...read,
      place: 'row',
      summary: `${file.note} ${read.summary}`,
      ...(others.length > 0 && { sheets: [file.sheet!, ...others] }),
      areas: [],
    };
  }
  // Loaded on demand, because the geometry packages take time to load.
  const { readFeatures } = await import('./read-features.ts');
  const { readings, areas, ignored } = await readFeatures(file.features);
  const rest = wereIgnored(ignored);
  const named = readings.filter(({ zip }) => zip !== null).length;
  return {
    place: 'feature',
    summary: [
      `${LABELS[file.format]} with ${pluralize(readings.length + areas.length, 'feature')}: ` +
        `${formatCount(named)} matched by ZIP code property, ${formatCount(areas.length)} by area.`,
      file.note,
      rest === null ? '' : asSentence(rest),
    ]
      .filter((part) => part !== '')
      .join(' '),
    readings,
    areas,
  };
}

const LABELS = { geojson: 'GeoJSON', kml: 'KML', shapefile: 'Shapefile' } as const;
