/** Census figures of a ZIP, one a line. */
import type { z } from 'zod';
import type { ZipDemographics } from '../../contract/resources.ts';
import { count, dollars, oneDecimal, percent, year } from '../figures.ts';
import type { Paper } from '../paper.ts';
import { table } from '../table.ts';
import { TOP_HOME_VALUE, TOP_INCOME } from './census-tops.ts';

export type Demographics = z.output<typeof ZipDemographics>;

/** What is remarkable about a figure, by its field: `suppressed`. */
export type Flags = Readonly<Record<string, string>>;

export function demographicsText(
  zip: Omit<Demographics, 'zipCode'>,
  paper: Paper,
  flags: Flags = {},
): string {
  const rows: [name: string, value: string, field: keyof Demographics][] = [
    ['Population', count(zip.populationTotal), 'populationTotal'],
    ['Households', count(zip.householdsTotal), 'householdsTotal'],
    ['Owner households', count(zip.ownerOccupiedHouseholds), 'ownerOccupiedHouseholds'],
    ['Owner share', percent(zip.ownerOccupiedPct), 'ownerOccupiedPct'],
    [
      'Median household income',
      dollars(zip.medianHouseholdIncome, TOP_INCOME),
      'medianHouseholdIncome',
    ],
    ['Median home value', dollars(zip.medianHomeValue, TOP_HOME_VALUE), 'medianHomeValue'],
    ['Detached homes', percent(zip.singleFamilyDetachedPct), 'singleFamilyDetachedPct'],
    ['Median age', oneDecimal(zip.medianAge), 'medianAge'],
    ['Median year built', year(zip.medianYearBuilt), 'medianYearBuilt'],
    ['Built before 1980', percent(zip.homeAgePre1980Pct), 'homeAgePre1980Pct'],
    ['Built 1980 to 1999', percent(zip.homeAge19801999Pct), 'homeAge19801999Pct'],
    ['Built since 2000', percent(zip.homeAge2000PlusPct), 'homeAge2000PlusPct'],
  ];
  return table(
    paper,
    [
      { heading: 'Census figure', cell: ([name]) => name },
      { heading: 'Value', cell: ([, value]) => value, right: true },
      { heading: '', cell: ([, , field]) => paper.paint('dim', flags[field] ?? '') },
    ],
    rows,
  );
}
