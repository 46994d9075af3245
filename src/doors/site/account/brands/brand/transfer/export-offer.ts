/** The price of exporting a brand's territory, and the rest of the subscription's units. */
import type { Caller } from '../../../../../../people/account/caller.ts';
import { quoteExport, type ExportQuote } from '../../../../../../people/metering/exports.ts';
import {
  countUnseenZips,
  figuresMeterOf,
  type FiguresMeter,
} from '../../../../../../people/metering/figures.ts';
import { meterOf, type Meter } from '../../../../../../people/metering/meter.ts';
import { heldZipStatuses } from '../../../../../../territories/brands/brand-zips.ts';
import { listDataSets, type DataSet } from '../../../../../../territories/own-data/data-sets.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';

export interface ExportOffer extends ExportQuote {
  /** ZIP codes with figures */
  live: number;
  pending: number;
  /** ZIP codes with figures that the organization hasn't seen this month; 0 without a limit */
  unseen: number;
  units: number;
  meter: Meter;
  figures: FiguresMeter;
  dataSets: readonly Pick<DataSet, 'id' | 'name'>[];
}

export async function exportOffer(caller: Caller, brand: Brand): Promise<ExportOffer> {
  const { tenant, subscription } = caller;
  const statuses = await heldZipStatuses(tenant, brand);
  const live = [...statuses.keys()].filter((zip) => statuses.get(zip) === 'live');
  const [quote, meter, figures, unseen, dataSets] = await Promise.all([
    quoteExport(tenant, live),
    meterOf(tenant, subscription),
    figuresMeterOf(caller),
    countUnseenZips(caller, live),
    listDataSets(tenant),
  ]);
  return {
    ...quote,
    live: live.length,
    pending: statuses.size - live.length,
    unseen,
    meter,
    figures,
    dataSets,
  };
}
