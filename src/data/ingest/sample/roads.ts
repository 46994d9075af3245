/**
 * Schematic interstates: smooth lines through the cities on each route. They show which cities a
 * road connects, not its exact course.
 */
import { readFileSync } from 'node:fs';
import type { Position } from 'geojson';
import type { BasemapFeature } from '../../basemap/features.ts';
import { projectFile } from '../../../base/geodata/project-files.ts';
import { locate, type Cities } from './gazetteer.ts';
import { smoothCurve } from './smooth.ts';

interface Route {
  /** `I 35E`; a route with several sections has an entry for each */
  name: string;
  /** In driving order: `Dallas, TX`, or a part of it: `Dallas, TX 75203` */
  cities: string[];
}

export function interstateRoutes(): Route[] {
  const file = readFileSync(projectFile('geodata/interstates.json'), 'utf8');
  return (JSON.parse(file) as { routes: Route[] }).routes;
}

export function schematicRoads(cities: Cities): BasemapFeature[] {
  return interstateRoutes().map((route) => {
    const rank = rankOf(route.name);
    return {
      layer: 'roads',
      kind: 'interstate',
      name: route.name,
      fips: null,
      minZoom: MIN_ZOOM_BY_RANK[rank]!,
      rank,
      geometry: { type: 'LineString', coordinates: course(route, cities) },
    };
  });
}

function course(route: Route, cities: Cities): Position[] {
  return smoothCurve(route.cities.map((city) => locate(cities, city)));
}

const MIN_ZOOM_BY_RANK = [3, 4, 6];

/** Follows the numbering: multiples of 5 cross the country; three digits are beltways and spurs. */
function rankOf(name: string): number {
  const number = Number(/\d+/.exec(name)![0]);
  if (number >= 100) return 2;
  return number % 5 === 0 ? 0 : 1;
}
