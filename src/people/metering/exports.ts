/**
 * The price of exports. They are metered by rows with figures. Each row costs once a month, however often it is
 * exported, in any format and for any brand.
 */
import type { Subscription } from '../account/caller.ts';
import type { Tenant } from '../account/tenant.ts';
import { conflict } from '../../errors.ts';
import { formatCount, pluralize } from '../../base/text/words.ts';
import { recordSeenZips, type Viewer } from './figures.ts';
import { periodAt } from './meter.ts';
import { reserveUnits } from './units.ts';
import { addZips, countZips, type Ledger } from './zip-ledger.ts';

/** Price of each block of rows. The last block may be smaller. */
export const EXPORT_PRICE = { units: 1, rows: 100 } as const;

/** The price in words: `1 unit per 100 ZIP codes with figures (rounded up)` */
export const EXPORT_PRICE_TEXT =
  `${pluralize(EXPORT_PRICE.units, 'unit')} per ` +
  `${formatCount(EXPORT_PRICE.rows)} ZIP codes with figures (rounded up)`;

/** Name of exports in the usage records, next to the tools' names */
const METERED_AS = 'export';

const ledgerAt = (at: Date): Ledger => ({ use: 'exported', month: periodAt(at).start });

export interface ExportQuote {
  /** Number of rows that weren't exported this month */
  newRows: number;
  units: number;
}

/** Returns the price of an export without charging it. @param zips rows with figures */
export async function quoteExport(
  tenant: Tenant,
  zips: Iterable<string>,
  at = new Date(),
): Promise<ExportQuote> {
  const { added } = await countZips(tenant, ledgerAt(at), zips);
  return { newRows: added, units: EXPORT_PRICE.units * Math.ceil(added / EXPORT_PRICE.rows) };
}

interface Exporter extends Viewer {
  subscription: Pick<Subscription, 'monthlyUnits' | 'monthlyZips'>;
}

/** Work that is charged with the rows */
interface MeteredWork<T> {
  /** Name in the usage records, next to the tools' names */
  tool: string;
  /** Price of the work, without the rows */
  units: number;
  work: () => Promise<T>;
}

/**
 * Charges an export before its first row is sent. Concurrent exports of the same rows are charged once.
 * @throws ServiceError as `runMeteredExport`
 */
export const chargeExport = (
  exporter: Exporter,
  zips: readonly string[],
  accepted: number,
  at = new Date(),
): Promise<void> =>
  runMeteredExport(
    exporter,
    zips,
    accepted,
    { tool: METERED_AS, units: 0, work: async () => {} },
    at,
  );

/**
 * Runs work with figures. If it succeeds, charges the price of the work and of the rows.
 * @param zips rows with figures
 * @param accepted the price that the person accepted
 * @throws ServiceError 409 if the price is higher; 402 `usage_quota_exceeded`; 402
 *   `zip_limit_exceeded`; 503 if usage can't be recorded; errors of the work
 */
export async function runMeteredExport<T>(
  exporter: Exporter,
  zips: readonly string[],
  accepted: number,
  { tool, units: own, work }: MeteredWork<T>,
  at = new Date(),
): Promise<T> {
  const { tenant, subscription } = exporter;
  await recordSeenZips(exporter, zips, { at });
  let made: { result: T } | undefined;
  // Repeats only after a concurrent export of some of these rows, so each round has fewer new rows.
  for (let left = Infinity; ;) {
    const { newRows, units: ofRows } = await quoteExport(tenant, zips, at);
    if (newRows >= left) throw new Error(`an export of ${newRows} rows was not recorded`);
    left = newRows;
    const units = own + ofRows;
    if (units > accepted) throw priceTooHigh(units, accepted);
    if (units === 0) return (made ?? { result: await work() }).result;
    const reservation = await reserveUnits(tenant, subscription, tool, units, at);
    try {
      made ??= { result: await work() };
      const charged = await tenant.transaction(async (tx) => {
        const isNew = newRows === 0 || (await addZips(tx, ledgerAt(at), zips, { added: newRows }));
        if (isNew) await reservation.settle(tx);
        return isNew;
      });
      if (charged) return made.result;
      await reservation.release();
    } catch (error) {
      await reservation.release();
      throw error;
    }
  }
}

const priceTooHigh = (units: number, accepted: number) =>
  conflict(
    `This export costs ${pluralize(units, 'unit')}, more than your maximum of ${formatCount(accepted)}. ` +
      'Nothing was charged. Raise maxUnits, or reload the page to accept the new price.',
  );
