/**
 * The plan of the city: sections of a mile, as in Texas, with roads along their edges, and streets of a pattern of
 * its own in each. Freeways, water, and downtown interrupt them.
 */
import { cross, range } from 'd3-array';
import { ringOf } from '../../../spatial/bbox.ts';
import { tileBbox } from '../../../spatial/tile.ts';
import { seededRandom, type Random } from '../random.ts';
import { grounds, pick, streetsOf, type Lattice, type Plot } from './blocks.ts';
import { downtown, DOWNTOWN, TREES } from './downtown.ts';
import { label, road, type StreetFeature } from './features.ts';
import { freeways, TRUNKS } from './highways.ts';
import { between, curve, isInAny, smooth, toMeters, type Area, type Point } from './lines.ts';
import { FLOODPLAIN, GREENBELTS, LAKE_PARK, RIVER_AREA, waters } from './waters.ts';

const MILE = 1600;
/** Sections with streets: the tiles of zoom 12, and a little more */
const [COLUMNS, ROWS] = [range(-9, 8), range(-7, 10)];
/** Roads along the edges of sections fill the tiles of zoom 10. */
const MILES = range(-18, 27);

const LAND = (
  'Limestone Windmill Caliche Orchard Chalk Cotton Brickyard Depot Ferry Granary Stockyard Quarry Millrace ' +
  'Longhorn Saddle Wagon Lantern Copper Flint Amber Harvest Prairie Blackland'
).split(' ');
const FLOWERS = (
  'Bluestem Primrose Larkspur Switchgrass Foxglove Verbena Indigo Clover Goldenrod Yarrow Coneflower Sorrel ' +
  'Lupine Wisteria Marigold Sage Thistle Bergamot Heather Poppy Aster Milkweed Lantana Columbine'
).split(' ');

/** Returns the features in order of their importance in each layer. */
export function cityPlan(): StreetFeature[] {
  const { roads, corridors } = freeways(RIVER_AREA);
  const closed = [DOWNTOWN, LAKE_PARK];
  const barriers = [...corridors, FLOODPLAIN];
  const ends = [...barriers, ...closed, ...GREENBELTS];
  return [
    earth(),
    ...roads,
    ...TRUNKS.flatMap(({ course, ...shown }) =>
      road('trunk', [course], { ...shown, ends: closed, bridges: barriers }),
    ),
    ...MILES.flatMap((index) => mileRoads(index, closed, barriers)),
    ...downtown(barriers),
    ...cross(COLUMNS, ROWS).flatMap(([i, j]) => section(i, j, ends)),
    ...road('rail', [RAILWAY], { name: 'Blackland Railway', bridges: [RIVER_AREA] }),
    ...waters([...corridors, ...closed]),
    ...places(),
  ];
}

/** The land of the tile of the first zoom */
const earth = (): StreetFeature => ({
  ...{ layer: 'earth', type: 'Polygon', zooms: [0, 14], properties: { kind: 'earth' } },
  line: ringOf(tileBbox({ z: 6, x: 14, y: 25 }, 0.1)).map(toMeters),
});

const RAILWAY = curve(
  '-96.99 32.79, -96.92 32.789, -96.87 32.79, -96.838 32.797, -96.817 32.787, -96.802 32.7795, -96.77 32.776, ' +
    '-96.735 32.79, -96.69 32.795, -96.62 32.81',
);

/** The southwestern corner of a section. Surveys don't fit exactly: roads swerve gently. */
const corner = (i: number, j: number): Point => [
  MILE * i + 260 * Math.sin(0.55 * j + 0.2 * i),
  MILE * j + 230 * Math.sin(0.6 * i - 0.25 * j + 1),
];

/** Returns two roads along the edges of sections, to the east and to the north. Few cross the river. */
function mileRoads(index: number, closed: readonly Area[], bridges: readonly Area[]) {
  const type = index % 3 === 0 ? 'primary' : index % 2 === 0 ? 'tertiary' : 'secondary';
  const ends = type === 'primary' ? closed : [...closed, FLOODPLAIN];
  const [row, column] = [MILES.map((i) => corner(i, index)), MILES.map((j) => corner(index, j))];
  return [
    ...road(type, [row], { name: `${pick(LAND, 5 * index)} Road`, ends, bridges }),
    ...road(type, [column], { name: `${pick(LAND, 7 * index + 3)} Boulevard`, ends, bridges }),
  ];
}

/** Returns the streets and grounds inside a section. @param ends areas at which its streets end */
function section(i: number, j: number, ends: readonly Area[]): StreetFeature[] {
  const random = seededRandom(`section ${i} ${j}`);
  const isCurved = random() < 0.35;
  const lattice = latticeOf(i, j, random, isCurved ? 0.09 : 0);
  const isOpen = Math.hypot(i, j) > 5.5 && random() < 0.55;
  const plots = plotsOf(lattice, random, isOpen).filter(
    ({ west, south, east, north }) =>
      !cross([west, east], [south, north]).some((place) => isInAny(lattice.at(...place), ends)),
  );
  const streets = streetsOf(lattice, plots, isCurved ? 0.25 : 0, random);
  return [
    ...plots.flatMap((plot) => grounds(lattice, plot)),
    ...streets.flatMap(({ axis, index, line }) => {
      const isRow = axis === 'row';
      const count = isRow ? lattice.rows : lattice.columns;
      // Straight streets keep their name across sections.
      const number = isCurved ? 31 * i + 17 * j + index : 8 * ((isRow ? j : i) + index / count);
      const suffix = isCurved ? pick(CURVED, number) : isRow ? 'Street' : 'Avenue';
      const name = `${pick(isRow ? FLOWERS : TREES, 7 * number)} ${suffix}`;
      const isMain = !isCurved && index === count / 2;
      return road(isMain ? 'tertiary' : 'residential', [smooth(line)], { name, ends });
    }),
  ];
}

const CURVED = ['Lane', 'Drive', 'Trail', 'Way', 'Court', 'Circle'];

/** Divides a section. @param bow how much its streets curve; they still end at its edges */
function latticeOf(i: number, j: number, random: Random, bow: number): Lattice {
  const [columns, rows] = random() < 0.6 ? [4, 8] : [8, 4];
  const turn = 6 * random();
  const at = (column: number, row: number): Point => {
    const [x, y] = [column / columns, row / rows];
    const u = x + bow * Math.sin(Math.PI * x) * Math.sin(5 * y + turn);
    const v = y + bow * Math.sin(Math.PI * y) * Math.sin(5 * x + 2 * turn);
    const south = between(corner(i, j), corner(i + 1, j), u);
    const north = between(corner(i, j + 1), corner(i + 1, j + 1), u);
    return between(south, north, v);
  };
  return { columns, rows, at };
}

const GROUNDS = ['Park', 'School', 'Park', 'Park', 'School', 'Hospital', 'Park', 'Cemetery'];
/** Grounds of a mile */
const CAMPUSES = ['Park', 'University', 'Park', 'Cemetery'];

/** Returns up to two plots, one in each half, or one for the whole section. */
function plotsOf({ columns, rows }: Lattice, random: Random, isOpen: boolean): Plot[] {
  const dice = (sides: number) => Math.floor(random() * sides);
  const named = (titles: readonly string[]) => {
    const title = pick(titles, dice(titles.length));
    return { kind: title.toLowerCase(), name: `${pick(FLOWERS, dice(24))} ${title}` };
  };
  const whole = { west: 0, south: 0, east: columns, north: rows };
  if (isOpen) return [{ kind: 'farmland', ...whole }];
  if (dice(30) === 0) return [{ ...named(CAMPUSES), ...whole }];
  return [0, 2].flatMap((half) => {
    const west = ((half + dice(2)) * columns) / 4;
    const south = dice(rows - 1);
    const [east, north] = [west + columns / 4, south + 1 + dice(rows / 4)];
    return random() < 0.5 ? [{ ...named(GROUNDS), west, south, east, north }] : [];
  });
}

/** Returns the names of the city and its neighborhoods. */
function places(): StreetFeature[] {
  const place = (kind: string, detail: string, name: string, [population, rank] = [0, 1]) => ({
    ...{ kind, kind_detail: detail, name, population, population_rank: rank },
  });
  const dallas = place('locality', 'city', 'Dallas', [1_300_000, 13]);
  return [
    label('places', toMeters([-96.7942, 32.7948]), 4, dallas),
    label('places', toMeters([-96.7965, 32.7915]), 12, place('macrohood', 'quarter', 'Downtown')),
    ...cross(range(-8, 8, 3), range(-6, 10, 3)).map(([i, j], n) => {
      const name = `${pick(LAND, 5 * n)} ${pick(['Heights', 'Hill', 'Bend', 'Row', 'Creek'], n)}`;
      const kind = 'neighbourhood';
      return label('places', corner(i + 0.5, j + 0.5), 13, place(kind, kind, name));
    }),
  ];
}
