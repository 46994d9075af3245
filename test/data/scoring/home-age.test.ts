import { expect, test } from 'vitest';
import { builtAtAge, shareBuilt } from '../../../src/data/scoring/home-age.ts';
import { AS_OF, homesBuiltIn, NO_BUILDINGS, zip } from './zips.ts';

const share = (changes: Parameters<typeof zip>[0], youngest: number, oldest: number) =>
  shareBuilt(zip(changes), builtAtAge(youngest, oldest, AS_OF), AS_OF);

test('the homes of a decade are spread evenly over its years', () => {
  // 15 to 30 years old in 2023: built from 1993 to 2008, which includes seven years of the
  // nineties.
  expect(share({ homesByDecadeBuilt: homesBuiltIn(1990) }, 15, 30)).toBeCloseTo(0.7);
  expect(share({ homesByDecadeBuilt: homesBuiltIn(2000) }, 15, 30)).toBeCloseTo(0.9);
  expect(share({ homesByDecadeBuilt: homesBuiltIn(1980) }, 15, 30)).toBe(0);
});

test('the newest decade ends with the last year of the vintage', () => {
  expect(share({ homesByDecadeBuilt: homesBuiltIn(2020) }, 0, 3)).toBe(1);
  expect(share({ homesByDecadeBuilt: homesBuiltIn(2020) }, 2, 3)).toBe(0.5);
});

test('the oldest decade has no lower limit', () => {
  expect(share({ homesByDecadeBuilt: homesBuiltIn(1900) }, 40, Infinity)).toBe(1);
});

test('ages count from the last year of the vintage', () => {
  const nineties = zip({ homesByDecadeBuilt: homesBuiltIn(1990) });
  expect(shareBuilt(nineties, builtAtAge(15, 30, 2012), 2012)).toBeCloseTo(0.8); // 1982 to 1997
  expect(shareBuilt(nineties, builtAtAge(15, 30, 2025), 2025)).toBeCloseTo(0.5); // 1995 to 2010
});

const withoutNewest = { ...NO_BUILDINGS, homeAgePre1980Pct: 50, homeAge19801999Pct: 20 };

test('the three coarse bands replace missing decades', () => {
  const shares = { ...withoutNewest, homeAge2000PlusPct: 30 };
  expect(shareBuilt(zip(shares), { from: -Infinity, to: 1979 }, AS_OF)).toBe(0.5);
  expect(share(shares, 44, 63)).toBeCloseTo(0.25); // the later half of 1940 to 1979
  expect(share(shares, 24, 43)).toBeCloseTo(0.2); // built 1980 to 1999
  expect(share(shares, 0, 11)).toBeCloseTo(0.15); // the later half of 2000 to 2023
});

test('the share is unknown without complete bands, even if the median year is known', () => {
  expect(share(NO_BUILDINGS, 15, 30)).toBeNaN();
  expect(share({ ...NO_BUILDINGS, medianYearBuilt: 1998 }, 15, 30)).toBeNaN();
  expect(share(withoutNewest, 15, 30)).toBeNaN();
  expect(share({ ...withoutNewest, homeAge2000PlusPct: -666666666 }, 15, 30)).toBeNaN();
});

test('the three coarse bands replace incomplete, invalid, or empty decades', () => {
  const fallback = share({ homesByDecadeBuilt: null }, 15, 30);
  expect(fallback).toBeGreaterThan(0);
  for (const homes of [[-666666666, ...homesBuiltIn(1990).slice(1)], [100], homesBuiltIn(1776)]) {
    expect(share({ homesByDecadeBuilt: homes }, 15, 30)).toBe(fallback);
  }
});
