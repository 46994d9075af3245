/** How the features of the Census Bureau's files are read, classified, and named. */
import { describe, expect, it } from 'vitest';
import { joinTitles } from '../../../src/data/basemap/sources.ts';
import { describeLanduse } from '../../../src/data/ingest/sources/landuse.ts';
import { describeRoad } from '../../../src/data/ingest/sources/roads.ts';
import { sourceTitle } from '../../../src/data/ingest/sources/titles.ts';
import { describeWater } from '../../../src/data/ingest/sources/water.ts';
import type { SourceFeature } from '../../../src/data/ingest/sources/description.ts';

const feature = (properties: object, more: Partial<SourceFeature> = {}): SourceFeature => ({
  properties: properties as SourceFeature['properties'],
  file: 'tl_2023_32003_roads.zip',
  isLine: true,
  areaM2: () => 0,
  ...more,
});

it.each([
  ['tl_2023_48113_roads.zip', 'US Census Bureau TIGER/Line 2023'],
  ['/data/cb_2018_us_county_5m.shp', 'US Census Bureau cartographic boundaries 2018'],
  ['ne_10m_lakes.geojson', 'Natural Earth 1:10m'],
  ['us_highways_hi_gempak.geojson', 'Unidata GEMPAK'],
  ['texas-osm-roads.zip', '© OpenStreetMap contributors'],
  ['us_trunk-roads, v2.geojson', 'US trunk roads v2'],
])('attributes %s to "%s"', (file, title) => {
  expect(sourceTitle(file)).toBe(title);
});

it('joins titles that differ only in their year', () => {
  const tiger = [2019, 2017, 2023].map((year) => `US Census Bureau TIGER/Line ${year}`);
  expect(joinTitles([...tiger, 'Natural Earth 1:10m', 'Census 2020 ZCTAs', tiger[0]!])).toBe(
    'US Census Bureau TIGER/Line 2017–2023, Natural Earth 1:10m, Census 2020 ZCTAs',
  );
  expect(joinTitles([tiger[0]!, tiger[0]!])).toBe(tiger[0]);
});

it.each([
  ['S1100', 'I- 80', 'interstate', 'I 80'],
  ['S1100', 'I- 35 E', 'interstate', 'I 35'],
  ['S1100', 'US Hwy 101', 'freeway', 'US 101'],
  ['S1100', 'Las Vegas Fwy', 'freeway', 'Las Vegas Fwy'],
  ['S1200', 'I- 80 Bus', 'highway', 'I-80 Bus'],
  ['S1200', 'US Hwy 95 Alt', 'highway', 'US 95 Alt'],
  ['S1200', 'US Hwy 395 N', 'highway', 'US 395'],
  ['S1200', 'State Rte 121', 'highway', 'NV 121'],
  ['S1200', '19th Ave', 'highway', '19th Ave'],
  ['S1400', 'I St', 'street', 'I St'],
  ['S1400', '', 'street', null],
  ['S1630', '', 'ramp', null],
  ['S1740', 'Miller Rd', 'service', 'Miller Rd'],
  ['S1820', '', 'path', null],
])('reads a road of class %s named "%s" as %s', (MTFCC, FULLNAME, kind, name) => {
  const road = describeRoad(feature({ mtfcc: MTFCC, fullname: FULLNAME }));
  expect(road).toMatchObject({ kind, name });
});

describe('water', () => {
  const lake = (areaM2: number) =>
    describeWater(
      feature({ mtfcc: 'H2030', fullname: 'Lk Merced' }, { isLine: false, areaM2: () => areaM2 }),
    ) as Exclude<ReturnType<typeof describeWater>, string>;

  it('is named in full, and large lakes are shown before small ones', () => {
    expect(lake(1e6)).toMatchObject({ kind: 'lake', name: 'Lake Merced' });
    expect(lake(1e9).minZoom).toBeLessThan(lake(1e6).minZoom);
    expect(lake(1e9).rank).toBeLessThan(lake(1e6).rank);
  });

  it('of a small bay is drawn like a lake', () => {
    const bay = (awater: number) =>
      describeWater(feature({ mtfcc: 'H2051', awater }, { isLine: false }));
    expect(bay(5e6)).toMatchObject({ kind: 'lake' });
    expect(bay(5e8)).toMatchObject({ kind: 'ocean' });
  });

  it('excludes lines that only connect rivers through a lake', () => {
    const path = { mtfcc: 'H3010', fullname: 'Río Grande' };
    expect(describeWater(feature({ ...path, artpath: 'Y' }))).toMatch(/isn’t drawn/);
    expect(describeWater(feature({ ...path, artpath: 'N' }))).toMatchObject({ kind: 'river' });
  });
});

it.each([
  ['K2181', 'Presidio Natl Pk', 'park', 'Presidio National Park'],
  ['K2561', 'Harding Glf Crs', 'golf', 'Harding Glf Crs'],
  ['K2457', 'San Francisco Intl Arprt', 'airport', 'San Francisco International Airport'],
  ['K2540', 'Univ of San Francisco', 'campus', 'University of San Francisco'],
  ['K2110', 'Camp Parks', 'military', 'Camp Parks'],
])('reads a landmark of class %s named "%s" as %s', (mtfcc, fullname, kind, name) => {
  const landmark = describeLanduse(feature({ mtfcc, fullname, aland: 4e6 }, { isLine: false }));
  expect(landmark).toMatchObject({ kind, name });
});

it('rejects landmarks that maps don’t show, such as shopping centers', () => {
  expect(describeLanduse(feature({ mtfcc: 'K2361' }, { isLine: false }))).toMatch(/aren’t drawn/);
});
