/** A data set as CSV: one row per ZIP code. */
import type { Caller } from '../../account/caller.ts';
import { recordSeenZips } from '../../metering/figures.ts';
import { visibleData } from '../../own-data/viewer-data.ts';
import { ratePer1000 } from '../../own-data/white-space.ts';
import { zipFacts } from '../../territory/zip-facts.ts';
import { csvLines } from '../../text/csv.ts';

export const DATA_SET_COLUMNS = ['zip', 'amount', 'rows', 'per 1,000 owner households'] as const;

/** Excel recognizes UTF-8 by it. */
const BYTE_ORDER_MARK = '\u{FEFF}';

/**
 * Returns the amounts that the caller sees. Sums have rates, too, so their ZIP codes count as seen.
 * @throws ServiceError 404 as `visibleData`; 402 as `recordSeenZips`
 */
export async function dataSetCsv(caller: Caller, ref: string): Promise<string> {
  const { amounts, rows, addsUp } = await visibleData(caller, ref);
  if (addsUp === 'sum') await recordSeenZips(caller, [...amounts.keys()]);
  const facts = await zipFacts(caller.tenant.common, amounts.keys(), null);
  const lines = facts.map(({ zip, ownerOccupiedHouseholds: owners }) => {
    const amount = amounts.get(zip)!;
    const rate = addsUp === 'sum' ? ratePer1000(amount, owners) : null;
    return [zip, amount, rows.get(zip)!, rate && Math.round(1000 * rate) / 1000];
  });
  return BYTE_ORDER_MARK + csvLines([[...DATA_SET_COLUMNS], ...lines]);
}
