/** The part of `import acs` that keeps each vintage with its margins of error. */
import type { Queryable } from '../../../base/db/database.ts';
import { formatCount } from '../../../base/text/words.ts';
import type { AcsFile } from '../acs-file.ts';
import type { Findings } from '../report.ts';
import { withTables } from './acs-lines.ts';
import { LINES, NO_LINES } from './lines.ts';
import { hasRelations } from './relations.ts';
import { comparisonNotes, FIRST_OF_2020, spanOf } from './spans.ts';
import {
  dropVintages,
  listVintages,
  readVintage,
  recordVintages,
  storeVintage,
  type Vintage,
  type VintageRow,
} from './store.ts';

export interface VintageToStore extends Vintage {
  rows: VintageRow[];
}

/**
 * Returns the vintages of the files, oldest first. A vintage that is kept already keeps its other tables. Real figures
 * are never mixed with sample data.
 */
export async function vintagesOf(
  db: Queryable,
  files: readonly AcsFile[],
): Promise<VintageToStore[]> {
  const kept = await listVintages(db);
  const years = [...new Set(files.map(({ year }) => year))].sort();
  const vintages: VintageToStore[] = [];
  for (const year of years) {
    const before = kept.find((one) => one.year === year && !one.synthetic);
    const rows = new Map<string, VintageRow>();
    if (before) for (const row of await readVintage(db, year)) rows.set(row.zip, row);
    const ofYear = files.filter((file) => file.year === year);
    for (const file of ofYear) {
      for (const [zip, values] of file.rows) {
        const lines = rows.get(zip)?.lines ?? NO_LINES;
        rows.set(zip, { zip, lines: withTables(lines, values, file) });
      }
    }
    const tables = new Set([...(before?.tables ?? []), ...ofYear.flatMap((file) => file.tables)]);
    vintages.push({
      year,
      synthetic: false,
      tables: [...tables],
      rows: [...rows.values()].sort((a, b) => (a.zip < b.zip ? -1 : 1)),
    });
  }
  return vintages;
}

/** Stores the vintages, and removes those of the sample. Call it in the transaction of the import. */
export async function storeFiles(
  tx: Queryable,
  vintages: readonly VintageToStore[],
): Promise<void> {
  await dropVintages(tx, 'synthetic');
  for (const { rows, ...vintage } of vintages) await storeVintage(tx, vintage, rows);
  await recordVintages(tx);
}

/** Notes which periods can be compared, and margins that are missing, without which nothing can be. */
export async function noteVintages(
  db: Queryable,
  vintages: readonly VintageToStore[],
  findings: Findings,
): Promise<void> {
  for (const { year, rows } of vintages) {
    let without = 0;
    for (const { lines } of rows) {
      if (LINES.some((line) => lines[line].value !== null && lines[line].margin === null))
        without++;
    }
    if (without === 0) continue;
    findings.note(
      `${spanOf(year)}: ${formatCount(without)} of ${formatCount(rows.length)} ZIP codes have estimates without a ` +
        'margin of error. They can’t be compared with other periods. Import files with margins, such as B25003_001M.',
    );
  }
  const kept = (await listVintages(db)).filter(({ synthetic }) => !synthetic);
  const years = new Set([...kept, ...vintages].map(({ year }) => year));
  for (const note of comparisonNotes([...years].sort())) findings.note(note);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  if (first < FIRST_OF_2020 && last >= FIRST_OF_2020 && !(await hasRelations(db))) {
    findings.note(
      'The ZIP code areas of 2010 and 2020 differ. To compare periods across both, import the Census Bureau’s ' +
        'relationship file: territory-admin import zcta-relationship tab20_zcta510_zcta520_natl.txt',
    );
  }
}
