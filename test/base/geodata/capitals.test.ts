import { describe, expect, it } from 'vitest';
import { loadCities, locate, gazetteer } from '../../../src/data/ingest/sample/gazetteer.ts';
import { stateCapitals } from '../../../src/data/ingest/sample/places.ts';

describe('the state capitals', () => {
  it('are fifty existing cities, one in each state', () => {
    const cities = loadCities(gazetteer());
    const capitals = stateCapitals();
    expect(new Set(capitals.map((capital) => capital.slice(-2))).size).toBe(50);
    for (const capital of capitals) expect(() => locate(cities, capital)).not.toThrow();
  });
});
