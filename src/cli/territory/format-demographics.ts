import type { z } from 'zod';
import type { ZipDemographics } from '../../contract/resources.ts';
import { TOP_CODES } from '../../ingest/acs-tables.ts';
import {
  formatCount,
  formatDollars,
  formatPercent,
  formatTenths,
  formatYear,
} from '../../words.ts';
import type { Layout } from '../layout.ts';
import { formatTable } from '../table.ts';

export type Demographics = z.output<typeof ZipDemographics>;

export const TOP_INCOME = TOP_CODES.B19013!;
export const TOP_HOME_VALUE = TOP_CODES.B25077!;

/** Census figures of a ZIP code. @param flags remarks by field, such as `suppressed` */
export function formatDemographics(
  zip: Omit<Demographics, 'zipCode'>,
  layout: Layout,
  flags: Readonly<Record<string, string>> = {},
): string {
  const rows: [name: string, value: string, field: keyof Demographics][] = [
    ['Population', formatCount(zip.populationTotal), 'populationTotal'],
    ['Households', formatCount(zip.householdsTotal), 'householdsTotal'],
    ['Owner households', formatCount(zip.ownerOccupiedHouseholds), 'ownerOccupiedHouseholds'],
    ['Owner share', formatPercent(zip.ownerOccupiedPct), 'ownerOccupiedPct'],
    [
      'Median household income',
      formatDollars(zip.medianHouseholdIncome, TOP_INCOME),
      'medianHouseholdIncome',
    ],
    ['Median home value', formatDollars(zip.medianHomeValue, TOP_HOME_VALUE), 'medianHomeValue'],
    ['Detached homes', formatPercent(zip.singleFamilyDetachedPct), 'singleFamilyDetachedPct'],
    ['Median age', formatTenths(zip.medianAge), 'medianAge'],
    ['Median year built', formatYear(zip.medianYearBuilt), 'medianYearBuilt'],
    ['Built before 1980', formatPercent(zip.homeAgePre1980Pct), 'homeAgePre1980Pct'],
    ['Built 1980 to 1999', formatPercent(zip.homeAge19801999Pct), 'homeAge19801999Pct'],
    ['Built since 2000', formatPercent(zip.homeAge2000PlusPct), 'homeAge2000PlusPct'],
  ];
  return formatTable(
    layout,
    [
      { heading: 'Census figure', cell: ([name]) => name },
      { heading: 'Value', cell: ([, value]) => value, right: true },
      { heading: '', cell: ([, , field]) => layout.paint('dim', flags[field] ?? '') },
    ],
    rows,
  );
}
