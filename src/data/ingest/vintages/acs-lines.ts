/** The lines of a vintage from the tables of an ACS file. */
import { SCALE_ENDS, decadesOfB25034, variableName } from '../acs-tables.ts';
import type { AcsFile, AcsValue } from '../acs-file.ts';
import { sumOf } from '../../statistics/margins.ts';
import { builtLines, type Line, type LineValues } from './lines.ts';

/** The lines that a table's lines are stored as, from its first one */
const STORED_LINES: Readonly<Record<string, readonly Line[]>> = {
  B01003: ['population'],
  B01002: ['medianAge'],
  B19013: ['medianIncome'],
  B25003: ['households', 'owners'],
  B25077: ['medianHomeValue'],
  B25024: ['homes', 'detached'],
  B25035: ['medianYearBuilt'],
  B25034: ['homesBuilt'],
};

/**
 * Returns a ZIP code's lines with those of the file's tables replaced. A median at an end of its scale says only that
 * the true value is beyond it, so it is unknown here.
 * @param lines those of the same period so far
 */
export function withTables(
  lines: LineValues,
  values: ReadonlyMap<string, AcsValue>,
  { tables, year }: Pick<AcsFile, 'tables' | 'year'>,
): LineValues {
  const replaced = { ...lines };
  for (const table of tables) {
    const { lowest = -Infinity, highest = Infinity } = SCALE_ENDS[table] ?? {};
    const cell = (line: number) => {
      const value = numberOf(values.get(variableName(table, line, 'E')));
      const isBeyond = value !== null && (value <= lowest || value >= highest);
      if (value === null || isBeyond) return { value: null, margin: null };
      return { value, margin: numberOf(values.get(variableName(table, line, 'M'))) };
    };
    for (const [i, line] of (STORED_LINES[table] ?? []).entries()) replaced[line] = cell(i + 1);
    if (table !== 'B25034') continue;
    const decades = decadesOfB25034(year);
    for (const [decade, line] of builtLines(0, 10).entries()) {
      const parts = (decades ?? []).flatMap((one, i) => (one === decade ? [cell(i + 2)] : []));
      replaced[line] = addedUp(parts, decades !== null);
    }
  }
  return replaced;
}

/** @param isCounted whether the table counts decades; a decade without parts has no homes then */
function addedUp(parts: readonly LineValues[Line][], isCounted: boolean): LineValues[Line] {
  if (!isCounted || parts.some(({ value }) => value === null)) return { value: null, margin: null };
  const { value, margin } = sumOf(
    parts.map((part) => ({ value: part.value!, margin: part.margin ?? 0 })),
  );
  return { value, margin: parts.some((part) => part.margin === null) ? null : margin };
}

const numberOf = (value: AcsValue | undefined): number | null =>
  typeof value === 'number' ? value : null;
