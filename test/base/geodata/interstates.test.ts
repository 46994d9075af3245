import { describe, expect, it } from 'vitest';
import { loadCities, locate, gazetteer } from '../../../src/data/ingest/sample/gazetteer.ts';
import { interstateRoutes } from '../../../src/data/ingest/sample/roads.ts';

type Place = [lng: number, lat: number];

const cities = loadCities(gazetteer());
const routes = interstateRoutes().map(({ name, cities: names }) => ({
  name,
  names,
  places: names.map((city) => locate(cities, city)),
}));

/** In the empty west: I 10 passes no town between Fort Stockton and Ozona, Texas. */
const LONGEST_HOP_KM = 160;
/** Beltways with few cities have sharp corners; a wrong city makes the road turn back. */
const SHARPEST_TURN_DEGREES = 120;

describe('the schematic interstates', () => {
  it('run through existing cities', () => {
    expect(routes.length).toBeGreaterThan(150);
    expect(() => locate(cities, 'Atlantis, TX')).toThrow('Atlantis');
    expect(() => locate(cities, 'Dallas, TX 77002')).toThrow('Dallas');
  });

  it('have no section that is too long or empty', () => {
    const wrong = routes.flatMap(({ name, names, places }) =>
      places.slice(1).flatMap((place, i) => {
        const km = distanceKm(places[i]!, place);
        return km < LONGEST_HOP_KM && km > 0.3 ? [] : [`${name}: ${names[i]} to ${names[i + 1]}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('never turn back', () => {
    const wrong = routes.flatMap(({ name, names, places }) =>
      places.slice(2).flatMap((place, i) => {
        const turn = turnDegrees(places[i]!, places[i + 1]!, place);
        return turn < SHARPEST_TURN_DEGREES ? [] : [`${name} at ${names[i + 1]}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

/** Distance east and north of `a`, in km */
function kmBetween(a: Place, b: Place): [x: number, y: number] {
  return [111.2 * (b[0] - a[0]) * Math.cos((a[1] * Math.PI) / 180), 111.2 * (b[1] - a[1])];
}

const distanceKm = (a: Place, b: Place) => Math.hypot(...kmBetween(a, b));

/** 0 is straight ahead, 180 is back */
function turnDegrees(a: Place, b: Place, c: Place): number {
  const [[x1, y1], [x2, y2]] = [kmBetween(a, b), kmBetween(b, c)];
  return (Math.abs(Math.atan2(x1 * y2 - y1 * x2, x1 * x2 + y1 * y2)) * 180) / Math.PI;
}
