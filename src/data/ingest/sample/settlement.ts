/**
 * Estimates where people live from the postal network: cities with many ZIP codes are large, and
 * people settle around them. The constants were chosen by hand.
 */
import { Delaunay } from 'd3-delaunay';
import type { City, ZipPoint } from './gazetteer.ts';
import { group as groupBy } from 'd3-array';

export interface Settlement {
  /**
   * Pull of the cities nearby: each city's ZIP codes beyond the first, weighted by exp(-distance /
   * 10 km). 0 in open country, about 8 in suburbs, and 30 to 80 in the centers of the largest
   * cities.
   */
  pull: number;
  /** Expected population, before random variation and crowding */
  people: number;
}

const KM_PER_DEGREE = 111.2;
const REACH_KM = 10;

export function settlements(zips: readonly ZipPoint[], cities: Iterable<City>): Settlement[] {
  const pulls = pullOf(cities);
  const spacings = spacingsKm(zips);
  return zips.map((point, i) => {
    const pull = pulls(point);
    return { pull, people: density(pull, spacings[i]!) * settledArea(spacings[i]!) };
  });
}

/** Population per square kilometer */
function density(pull: number, spacingKm: number): number {
  const rural = 12 * (10 / Math.max(spacingKm, 4)) ** 1.2;
  return rural + 80 * pull ** 1.05 + 3 * pull ** 2;
}

/**
 * Settled area in square kilometers: the area of the Voronoi cell, except that large cells are mostly
 * uninhabited.
 */
function settledArea(spacingKm: number): number {
  return spacingKm < 10 ? 0.866 * spacingKm ** 2 : 86.6 * (spacingKm / 10) ** 0.9;
}

/** Returns the median distance to the locations of neighboring ZIP codes. */
function spacingsKm(zips: readonly ZipPoint[]): number[] {
  const shrink = ({ lat }: ZipPoint) => Math.cos((lat * Math.PI) / 180);
  const delaunay = Delaunay.from(
    zips,
    (zip) => zip.lng * shrink(zip),
    (zip) => zip.lat,
  );
  return zips.map((zip, i) => {
    const distances = [...delaunay.neighbors(i)].map((j) => distanceKm(zip, zips[j]!));
    return distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)]!;
  });
}

function pullOf(cities: Iterable<City>): (place: ZipPoint) => number {
  const large = [...cities].filter((city) => city.zips.length > 1);
  const byDegree = groupBy(large, (city) => `${Math.floor(city.lng)},${Math.floor(city.lat)}`);
  // Beyond the adjacent square degrees (over 70 km), the pull of a city is below one thousandth.
  return (place) => {
    let pull = 0;
    for (let x = Math.floor(place.lng) - 1; x <= Math.floor(place.lng) + 1; x++) {
      for (let y = Math.floor(place.lat) - 1; y <= Math.floor(place.lat) + 1; y++) {
        for (const city of byDegree.get(`${x},${y}`) ?? []) {
          pull += (city.zips.length - 1) * Math.exp(-distanceKm(place, city) / REACH_KM);
        }
      }
    }
    return pull;
  };
}

interface Location {
  lng: number;
  lat: number;
}

/** On a plane around the first location: accurate to 1% over these distances. */
function distanceKm(a: Location, b: Location): number {
  const shrink = Math.cos((a.lat * Math.PI) / 180);
  return KM_PER_DEGREE * Math.hypot((a.lng - b.lng) * shrink, a.lat - b.lat);
}
