/** The made-up river in its floodplain, creeks in greenbelts, and a lake. */
import { range } from 'd3-array';
import { area, label, MAX_ZOOM, road, type StreetFeature } from './features.ts';
import { areaOf, curve, parallel, resample, smooth, strip, toMeters } from './lines.ts';
import type { Area, Line, Point } from './lines.ts';

/** The course of the floodplain */
const VALLEY = curve(
  '-97.12 32.83, -97.03 32.818, -96.965 32.828, -96.915 32.808, -96.873 32.803, -96.843 32.788, -96.828 32.768, ' +
    '-96.818 32.75, -96.79 32.737, -96.762 32.722, -96.742 32.697, -96.7 32.665, -96.66 32.62, -96.6 32.54',
);

/** The river meanders. */
const RIVER = smooth(
  parallel(resample(VALLEY, 220), (i) => 150 * Math.sin(i * 0.75) * Math.sin(i * 0.21)),
);

/** Roads cross it on bridges. */
export const RIVER_AREA = strip(RIVER, (i) => 35 + 8 * Math.sin(i * 0.4));

/** Green land between the levees. Only major roads cross it. */
export const FLOODPLAIN = strip(resample(VALLEY, 400), (i) => 330 + 70 * Math.sin(i * 0.6));

const CREEKS = {
  'Turtle Shell': curve(
    '-96.79 32.93, -96.806 32.9, -96.797 32.87, -96.814 32.845, -96.822 32.82, -96.848 32.803, -96.852 32.793',
  ),
  Sorrel: curve(
    '-96.72 32.815, -96.728 32.795, -96.72 32.775, -96.735 32.755, -96.733 32.73, -96.752 32.712',
  ),
  Cottontail: curve(
    '-96.94 32.71, -96.915 32.722, -96.895 32.717, -96.868 32.735, -96.85 32.75, -96.829 32.757',
  ),
};

const LAKE_CENTER = toMeters([-96.722, 32.843]);

/** @param grow meters to add on each side */
function lakeShore(grow: number): Area {
  const points = range(90).map((i): Point => {
    const turn = (i / 90) * 2 * Math.PI;
    const reach = 1 + 0.16 * Math.sin(2 * turn + 1) + 0.12 * Math.sin(3 * turn);
    return [
      LAKE_CENTER[0] + (620 * reach + grow) * Math.cos(turn + 0.4),
      LAKE_CENTER[1] + (1250 * reach + grow) * Math.sin(turn),
    ];
  });
  return areaOf(points);
}

/** Only major roads cross greenbelts, and no road crosses the park around the lake. */
export const GREENBELTS = Object.values(CREEKS).map((course) => strip(course, 90));
export const LAKE_PARK = lakeShore(260);

/** Returns the water, its parks, and the roads and trails along them. @param ends areas without these roads */
export function waters(ends: readonly Area[]): StreetFeature[] {
  const dry = [...ends, FLOODPLAIN];
  const creeks = Object.entries(CREEKS).flatMap(([name, course], i) => [
    area('landuse', GREENBELTS[i]!, 11, { kind: 'park' }),
    stream('stream', `${name} Creek`, course, 13),
    ...road('residential', [GREENBELTS[i]!.ring], { name: `${name} Drive`, ends: dry }),
  ]);
  return [
    area('landuse', FLOODPLAIN, 9, { kind: 'nature_reserve' }),
    area('landuse', LAKE_PARK, 9, { kind: 'park' }),
    area('water', RIVER_AREA, 8, { kind: 'water', kind_detail: 'river' }),
    area('water', lakeShore(0), 8, { kind: 'water', kind_detail: 'lake' }),
    stream('river', 'Pecan River', RIVER, 9),
    ...creeks,
    label('water', LAKE_CENTER, 12, { kind: 'lake', name: 'Lake Bluestem' }),
    ...road('unclassified', [FLOODPLAIN.ring], { name: 'Levee Road', ends }),
    ...road('tertiary', [LAKE_PARK.ring], { name: 'Lakeshore Drive' }),
    ...road('cycleway', [parallel(RIVER, 130)], { name: 'Pecan River Trail', ends: [RIVER_AREA] }),
    ...road('cycleway', [lakeShore(90).ring], { name: 'Lake Bluestem Trail' }),
  ];
}

const stream = (kind: string, name: string, line: Line, first: number): StreetFeature => ({
  layer: 'water',
  type: 'LineString',
  zooms: [first, MAX_ZOOM],
  line,
  properties: { kind, name, min_zoom: first + 1, sort_rank: 200 },
});
