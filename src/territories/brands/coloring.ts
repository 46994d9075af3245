/** The colorings of an organization's private maps. Shared maps show only statuses. */
import type { Tenant } from '../../people/account/tenant.ts';
import { amountColoring, type AmountColoring } from '../../maps/cartography/amount-coloring.ts';
import type { ZipColoring } from '../../maps/cartography/zip-coloring.ts';
import { formatAmount } from '../own-data/amount-text.ts';
import { readDataField, type DataField } from '../own-data/data-fields.ts';
import type { Brand } from './brands.ts';
import { plannedDays } from './changes/read.ts';
import { mapZips } from './map-zips.ts';
import { readFigures } from './targeting/demographic-filters.ts';
import type { DataViewer } from './targeting/own-ranks.ts';

type StatusColoring = Extract<ZipColoring, { by: 'status' }>;

/** Colors the ZIP codes that a brand holds by status, with the flags that edges show, and what changes plan. */
export async function statusColoring(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
): Promise<StatusColoring> {
  const [held, planned] = await Promise.all([mapZips(tenant, brand), plannedDays(tenant, brand)]);
  const zips = (flagged: typeof held) => new Set(flagged.map(({ zip }) => zip));
  return {
    by: 'status',
    statuses: new Map(held.map(({ zip, status }) => [zip, status])),
    planned,
    shared: zips(held.filter(({ sharedWith }) => sharedWith.length > 0)),
    isolated: zips(held.filter(({ isolated }) => isolated)),
  };
}

/**
 * Colors ZIP codes by a data set, or by its rate. ZIP codes without rows have no data, because the classes of those with
 * rows tell more apart.
 * @returns the coloring, and the ZIP codes with figures: those with a rate, from which households follow
 * @throws ServiceError 400 as `readDataField`
 */
export async function dataColoring(
  viewer: DataViewer,
  field: DataField,
  zips: readonly string[],
): Promise<{ coloring: AmountColoring; title: string; figures: string[] }> {
  const { set, isRate, label, valueAt } = await readDataField(viewer, field);
  const owners = await readFigures(
    viewer.tenant.common,
    zips,
    isRate ? ['ownerOccupiedHouseholds'] : [],
  );
  const amounts = zips.flatMap((zip): [string, number][] => {
    if (!set.amounts.has(zip)) return [];
    const value = valueAt(zip, owners(zip).ownerOccupiedHouseholds ?? null);
    return value === null ? [] : [[zip, value]];
  });
  const isNamed = set.unit === 'count' || set.unit === 'dollars';
  const unit = { unit: isNamed ? set.unit : 'count' };
  const coloring = amountColoring(new Map(amounts), {
    title: (isRate ? label : set.name) + (isNamed ? '' : ` (${set.unit})`),
    method: 'Equal numbers of ZIP codes',
    format: (amount) => formatAmount(unit, amount),
  });
  return { coloring, title: label, figures: isRate ? amounts.map(([zip]) => zip) : [] };
}
