/** The changes of a market's census figures, by column. */
import type { Caller } from '../../../../people/account/caller.ts';
import type { Column } from '../../../../data/market/zip-columns.ts';
import { censusChanges } from '../../../../data/vintages/changes.ts';
import type { FigureChange } from '../../../../data/vintages/change.ts';
import { recordSeenZips } from '../../../../people/metering/figures.ts';
import { changesOrReason, isIncomparable } from '../../../../territories/brands/census/changes.ts';
import { CENSUS_MEASURES, changeOf, clearOf, marginOf } from '../browser/measures.ts';
import { CENSUS_FIELDS } from './columns.ts';

interface ChangeColumns {
  columns: Record<string, Column>;
  /** In words; null if no two periods can be compared */
  periods: string | null;
}

/**
 * Returns the changes since the latest period that can be compared, none without one.
 * @param zips in order
 * @throws ServiceError 402 as `recordSeenZips`
 */
export async function changeColumns(
  caller: Caller,
  zips: readonly string[],
): Promise<ChangeColumns> {
  await recordSeenZips(caller, zips);
  const figures = CENSUS_MEASURES.map(({ name }) => CENSUS_FIELDS[name]);
  const changes = await changesOrReason(() =>
    censusChanges(caller.tenant.common, zips, { figures }),
  );
  if (isIncomparable(changes)) return { columns: {}, periods: null };
  const rowOf = new Map(changes.zips.map((row) => [row.zip, row.changes]));
  const column = (i: number, value: (change: FigureChange) => number) =>
    zips.map((zip) => {
      const change = rowOf.get(zip)?.[i];
      return change === undefined || change.change === null ? null : value(change);
    });
  return {
    periods: changes.comparison.periods,
    columns: Object.fromEntries(
      CENSUS_MEASURES.flatMap(({ name }, i) =>
        changes.total[i]!.fromYear === null
          ? []
          : [
              [changeOf(name), column(i, ({ change }) => tenths(change!))],
              [marginOf(name), column(i, ({ margin }) => tenths(margin!))],
              [clearOf(name), column(i, ({ isClear }) => Number(isClear))],
            ],
      ),
    ),
  };
}

const tenths = (value: number) => Math.round(10 * value) / 10;
