/**
 * Highways: the sample's own interstates, so that both basemaps agree, and made-up US highways. Freeways have two
 * roadways, frontage roads as in Texas, and ramps where they meet.
 */
import { cross } from 'd3-array';
import type { LineString } from 'geojson';
import { clipLine } from '../../../../base/spatial/clip.ts';
import { loadCities, gazetteer } from '../gazetteer.ts';
import { schematicRoads } from '../roads.ts';
import { road, type StreetFeature } from './features.ts';
import {
  curve,
  parallel,
  pointsOf,
  resample,
  smooth,
  strip,
  toMeters,
  meetings,
  type Area,
  type Line,
} from './lines.ts';

const usRoute = (number: number) => ({
  ref: `US ${number}`,
  shield_text: `${number}`,
  network: 'US',
});

/** US 75 leaves I 45 and passes downtown in the east. */
const US_75 = curve(
  '-96.761 32.752897, -96.763843 32.759326, -96.7685 32.77, -96.7745 32.783, -96.779 32.797, -96.7805 32.815, ' +
    '-96.779 32.845, -96.777 32.872, -96.768 32.91, -96.752 32.96, -96.72 33.05, -96.69 33.16',
);

/** US highways that are streets */
export const TRUNKS = [
  {
    route: usRoute(77),
    name: 'Old Mill Boulevard',
    course: curve('-96.806 32.79, -96.822 32.815, -96.868 32.853, -96.93 32.885, -97.06 33.0'),
  },
  {
    route: usRoute(67),
    name: 'Caliche Highway',
    course: curve('-96.806 32.786, -96.83 32.755, -96.862 32.727, -96.915 32.7, -97.06 32.61'),
  },
  {
    route: usRoute(80),
    name: 'Sabine Parkway',
    course: curve('-96.8 32.786, -96.773 32.775, -96.74 32.772, -96.7 32.767, -96.56 32.76'),
  },
];

/** The city and a little more, in meters */
const NEAR = { minX: -16e3, minY: -12e3, maxX: 14e3, maxY: 18e3 };
/** Meters between points of a freeway, which ramps count */
const STEP = 100;
/** Between the middle of a freeway and a roadway, and a frontage road */
const [ROADWAY, FRONTAGE] = [12, 62];

/**
 * Returns the country's freeways for low zooms, and the roadways, frontage roads, and ramps of those nearby.
 * @param river which they cross on bridges
 */
export function freeways(river: Area): { roads: StreetFeature[]; corridors: Area[] } {
  const interstates = schematicRoads(loadCities(gazetteer())).map(({ name, geometry }) => ({
    route: { ref: name!, shield_text: name!.replace('I ', ''), network: 'US:I' },
    course: smooth((geometry as LineString).coordinates.map(toMeters)),
  }));
  const all = [...interstates, { route: usRoute(75), course: US_75 }];
  const near = all.flatMap(({ route, course }) =>
    clipLine(course.flat(), NEAR).map((part) => ({
      route,
      course: resample(pointsOf(part), STEP),
    })),
  );
  const corridors = near.map(({ course }) => strip(course, FRONTAGE));
  const nearRoads = near.flatMap(({ route, course }, index) => {
    const beside = (meters: number) =>
      [course, course.toReversed()].map((line) => parallel(line, meters));
    const [right, left] = beside(FRONTAGE);
    const ends = corridors.toSpliced(index, 1);
    const bridges = [river, ...corridors.slice(0, index)];
    const name = `${route.ref} Frontage Road`;
    // The streets at which the freeway ends
    const caps = [0, -1].map((end) => [right!.at(end)!, left!.at(-1 - end)!]);
    return [
      ...road('motorway', beside(ROADWAY), { route, isOneway: true, zooms: [13, 14], bridges }),
      ...road('unclassified', [right!, left!], { name, isOneway: true, ends: [river, ...ends] }),
      ...road('primary', caps, { ends }),
      ...near
        .slice(0, index)
        .flatMap((other) => road('motorway_link', ramps(course, other.course), { isOneway: true })),
    ];
  });
  const far = all.flatMap(({ route, course }) =>
    road('motorway', [course], { route, zooms: [6, 12] }),
  );
  return { roads: [...far, ...nearRoads], corridors };
}

/** Returns four curved ramps where two freeways cross. */
const ramps = (a: Line, b: Line): Line[] =>
  meetings(a, b).flatMap(([i, j]) =>
    cross([1, -1], [1, -1]).flatMap(([onA, onB]) => {
      const ramp = [a[i + 6 * onA], a[i + 3 * onA], b[j + 3 * onB], b[j + 6 * onB]];
      return ramp.every((point) => point !== undefined) ? [smooth(ramp)] : [];
    }),
  );
