/** Labels and formats of census figures for people, in the order of the contract. */
import {
  formatCount,
  formatDollars,
  formatPercent,
  formatTenths,
  formatYear,
} from '../../base/text/words.ts';
import { SCALE_ENDS } from './acs-tables.ts';
import type { CensusFigure } from './demographics.ts';

export const FIGURE_TEXTS: Readonly<
  Record<CensusFigure, { label: string; format(value: number | null): string }>
> = {
  populationTotal: { label: 'Population', format: formatCount },
  householdsTotal: { label: 'Households', format: formatCount },
  ownerOccupiedHouseholds: { label: 'Owner households', format: formatCount },
  ownerOccupiedPct: { label: 'Owner share', format: formatPercent },
  medianHouseholdIncome: {
    label: 'Median household income',
    format: (value) => formatDollars(value, SCALE_ENDS.B19013),
  },
  medianHomeValue: {
    label: 'Median home value',
    format: (value) => formatDollars(value, SCALE_ENDS.B25077),
  },
  singleFamilyDetachedPct: { label: 'Detached homes', format: formatPercent },
  medianAge: { label: 'Median age', format: formatTenths },
  medianYearBuilt: {
    label: 'Median year built',
    format: (value) => formatYear(value, SCALE_ENDS.B25035),
  },
  homeAgePre1980Pct: { label: 'Built before 1980', format: formatPercent },
  homeAge19801999Pct: { label: 'Built 1980 to 1999', format: formatPercent },
  homeAge2000PlusPct: { label: 'Built since 2000', format: formatPercent },
};
