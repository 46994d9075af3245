import { describe, expect, it } from 'vitest';
import { loadAtlas } from '../../../src/data/ingest/atlas.ts';
import { launchedMetros } from '../../../src/data/market/metros.ts';

const metros = launchedMetros();

describe('the launched metros', () => {
  it('are the twenty of the contract', () => {
    expect(metros.map(({ slug }) => slug)).toEqual(
      (
        'dallas-tx houston-tx phoenix-az los-angeles-ca chicago-il atlanta-ga denver-co ' +
        'charlotte-nc orlando-fl nashville-tn tampa-fl austin-tx san-antonio-tx jacksonville-fl ' +
        'raleigh-nc minneapolis-mn seattle-wa portland-or sacramento-ca las-vegas-nv'
      ).split(' '),
    );
  });

  it('consist of counties with the same names as in the atlas', () => {
    const names = new Map(
      loadAtlas().objects.counties.geometries.map(({ id, properties }) => [id, properties]),
    );
    const counties = metros.flatMap((metro) => metro.counties);
    expect(counties.map(({ fips }) => ({ fips, ...names.get(fips) }))).toEqual(counties);
  });

  it('share no county', () => {
    const counties = metros.flatMap((metro) => metro.counties.map(({ fips }) => fips));
    expect(counties).toHaveLength(161);
    expect(new Set(counties).size).toBe(counties.length);
  });

  it.each(metros)('$slug: label, full name, and slug agree, and its CBSA code has five digits', (metro) => {
    const [city, state] = metro.label.split(', ') as [string, string];
    expect(`${city} ${state}`.toLowerCase().replaceAll(' ', '-')).toBe(metro.slug);
    expect(metro.fullName.startsWith(city)).toBe(true);
    expect(metro.fullName).toMatch(new RegExp(`, .*${state}`));
    expect(metro.cbsa).toMatch(/^\d{5}$/);
  });
});
