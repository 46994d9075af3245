/** The county codes in a file of counties. The names of other files contain them. */
import { unreadableShapes } from '../shapes.ts';
import { findShapefileParts } from '../../../base/files/shapefile/parts.ts';
import { openTable } from '../../../base/files/shapefile/records.ts';
import { basename } from 'node:path';

/**
 * Returns the five-digit codes in order.
 * @throws ImportError if the file isn't a shapefile of counties
 */
export async function countyCodes(file: string): Promise<string[]> {
  try {
    const table = (await findShapefileParts(file))?.read('.dbf');
    if (!table) throw new Error('the archive has no table');
    const codes: string[] = [];
    for await (const row of (await openTable(table)).rows) {
      if (/^\d{5}$/.test(String(row?.['geoid']))) codes.push(String(row!['geoid']));
    }
    if (codes.length === 0) throw new Error('the table has no codes of counties');
    return codes.sort();
  } catch (error) {
    throw unreadableShapes(basename(file), error);
  }
}
