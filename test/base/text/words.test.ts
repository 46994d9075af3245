import { expect, it } from 'vitest';
import { FIGURE_TEXTS } from '../../../src/data/ingest/figure-texts.ts';
import { formatSignedPercent } from '../../../src/base/text/words.ts';

it('differences have a sign, unless they are rounded to zero', () => {
  expect([12, -3.04, 0.04, -0.04].map(formatSignedPercent)).toEqual([
    '+12.0%',
    '−3.0%',
    '0%',
    '0%',
  ]);
});

it('medians at the ends of the census’s scale say so', () => {
  const { medianHouseholdIncome, medianHomeValue, medianYearBuilt } = FIGURE_TEXTS;
  expect([2499, 2500, 250_001].map(medianHouseholdIncome.format)).toEqual([
    '$2,500 or less',
    '$2,500',
    '$250,000+',
  ]);
  expect([9999, 2_000_001].map(medianHomeValue.format)).toEqual(['$10,000 or less', '$2,000,000+']);
  expect([1938, 1939, 1940].map(medianYearBuilt.format)).toEqual([
    '1939 or earlier',
    '1939 or earlier',
    '1940',
  ]);
});
