/**
 * The plan of the city: sections of a mile, as in Texas, with roads along their edges, and streets of a pattern of
 * its own in each. Freeways, water, and downtown interrupt them.
 */
import { cross, range } from 'd3-array';
import { ringOf } from '../../../../base/spatial/bbox.ts';
import { tileBbox } from '../../../../base/spatial/tile.ts';
import { seededRandom, type Random } from '../random.ts';
import { label, road, type StreetFeature, area } from './features.ts';
import { freeways, TRUNKS } from './highways.ts';
import {
  between,
  curve,
  isInAny,
  smooth,
  toMeters,
  type Area,
  type Point,
  distance,
  areaOf,
  type Line,
} from './lines.ts';
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
  layer: 'earth',
  type: 'Polygon',
  zooms: [0, 14],
  properties: { kind: 'earth' },
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
    kind,
    kind_detail: detail,
    name,
    population,
    population_rank: rank,
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

/** Downtown is a dense grid of its own direction, with buildings. This is its center. */
const CENTER = toMeters([-96.801, 32.795]);
const TURN = (-20 * Math.PI) / 180;
const BLOCK = { width: 112, height: 100 };

const LATTICE: Lattice = {
  columns: 26,
  rows: 24,
  at: (column, row) => {
    const [x, y] = [(column - 13) * BLOCK.width, (row - 12) * BLOCK.height];
    const [cos, sin] = [Math.cos(TURN), Math.sin(TURN)];
    return [CENTER[0] + x * cos - y * sin, CENTER[1] + x * sin + y * cos];
  },
};

const PLOTS: Plot[] = [
  { kind: 'park', name: 'Bluestem Park', west: 8, south: 15, east: 12, north: 18 },
  { kind: 'park', name: 'Founders Green', west: 15, south: 9, east: 16, north: 11 },
  { kind: 'park', name: 'Depot Square', west: 5, south: 9, east: 6, north: 10 },
  { kind: 'university', name: 'Blackland College', west: 20, south: 15, east: 24, north: 19 },
  { kind: 'hospital', name: 'Pecan River Hospital', west: 16, south: 19, east: 19, north: 21 },
  { kind: 'park', name: 'Lantern Park', west: 20, south: 6, east: 22, north: 8 },
  { kind: 'school', name: 'Cedar Street School', west: 3, south: 19, east: 5, north: 20 },
];

const TREES = (
  'Cedar Pecan Juniper Magnolia Sycamore Cypress Redbud Hackberry Mesquite Persimmon Mulberry Dogwood ' +
  'Laurel Hickory Sumac Catalpa Buckeye Chestnut Alder Linden Hawthorn Sassafras Tupelo Larch'
).split(' ');

const DOWNTOWN = plotArea(LATTICE, { west: 0, south: 0, east: 26, north: 24 });

/** Returns downtown's streets, parks, and buildings. @param freeways areas that only major streets cross */
function downtown(freeways: readonly Area[]): StreetFeature[] {
  const streets = streetsOf(LATTICE, PLOTS, 0.1, seededRandom('downtown'));
  return [
    ...PLOTS.flatMap((plot) => grounds(LATTICE, plot)),
    ...streets.flatMap(({ axis, index, line }) =>
      road(classOf(axis, index), [line], {
        name:
          axis === 'row'
            ? `${pick(TREES, index)} Street`
            : `Avenue ${String.fromCharCode(64 + index)}`,
        ...(index % 4 === 0 ? { bridges: freeways } : { ends: freeways }),
      }),
    ),
    ...road('primary', [DOWNTOWN.ring], { name: 'Ring Street', bridges: freeways }),
    ...buildings(freeways),
  ];
}

function classOf(axis: Axis, index: number) {
  if (index === (axis === 'row' ? 12 : 16)) return 'primary';
  if (index % 8 === 0) return 'secondary';
  return index % 4 === 0 ? 'tertiary' : 'residential';
}

/** Blocks from the center within which blocks have buildings */
const CORE = 900;

function buildings(blocked: readonly Area[]): StreetFeature[] {
  const random = seededRandom('buildings');
  return cross(range(LATTICE.columns), range(LATTICE.rows)).flatMap(([column, row]) => {
    const away = distance(LATTICE.at(column + 0.5, row + 0.5), LATTICE.at(12.5, 11));
    if (away > CORE || isInPlot(column + 0.5, row + 0.5, PLOTS)) return [];
    const lots = 1 + Math.floor(random() * 3);
    return range(lots).flatMap((lot) => {
      const west = column + 0.13 + (0.74 * lot) / lots;
      const east = west + 0.74 / lots - 0.04;
      const [south, north] = [row + 0.15, row + 0.59 + 0.24 * random()];
      const height = Math.round((12 + 160 * random() ** 2 * (1 - away / CORE)) / 5) * 5;
      const footprint = plotArea(LATTICE, { west, south, east, north });
      const isFree = !footprint.ring.some((point) => isInAny(point, blocked));
      return isFree ? [area('buildings', footprint, 13, { kind: 'building', height })] : [];
    });
  });
}

/** Blocks in columns and rows, the streets between them, and grounds, such as parks, in place of some */
interface Lattice {
  columns: number;
  rows: number;
  /** Where two streets meet. Fractions are inside blocks. */
  at: (column: number, row: number) => Point;
}

/** Blocks without streets between them */
interface Plot {
  kind: string;
  /** Grounds without a name have no label. */
  name?: string;
  west: number;
  south: number;
  east: number;
  north: number;
}

type Axis = 'row' | 'column';

/** Whether a place is inside a plot, not on its border */
const isInPlot = (column: number, row: number, plots: readonly Plot[]): boolean =>
  plots.some(
    ({ west, south, east, north }) => column > west && column < east && row > south && row < north,
  );

/**
 * Returns the parts of streets inside a lattice, without those along its border. Plots interrupt them.
 * @param missing share of the parts of every other street, each along one block, that are missing
 */
function streetsOf(
  { columns, rows, at }: Lattice,
  plots: readonly Plot[],
  missing: number,
  random: Random,
) {
  const streets: { axis: Axis; index: number; line: Line }[] = [];
  for (const axis of ['row', 'column'] as const) {
    const [across, along] = axis === 'row' ? [rows, columns] : [columns, rows];
    for (let index = 1; index < across; index++) {
      const placeAt = (step: number) =>
        axis === 'row' ? ([step, index] as const) : ([index, step] as const);
      let line: Point[] = [];
      for (let step = 0; step <= along; step++) {
        line.push(at(...placeAt(step)));
        const isMissing = random() < missing && index % 2 === 1;
        if (step < along && !isMissing && !isInPlot(...placeAt(step + 0.5), plots)) continue;
        if (line.length > 1) streets.push({ axis, index, line });
        line = [];
      }
    }
  }
  return streets;
}

/** Returns the area of a plot, along the streets around it. */
function plotArea({ at }: Lattice, { west, south, east, north }: Omit<Plot, 'kind'>): Area {
  return areaOf([
    ...range(west, east).map((column) => at(column, south)),
    ...range(south, north).map((row) => at(east, row)),
    ...range(east, west, -1).map((column) => at(column, north)),
    ...range(north, south, -1).map((row) => at(west, row)),
  ]);
}

/** Returns the grounds of a plot, with its label, and paths in a park. */
function grounds(lattice: Lattice, plot: Plot): StreetFeature[] {
  const { kind, name, west, south, east, north } = plot;
  const at = (x: number, y: number) =>
    lattice.at(west + x * (east - west), south + y * (north - south));
  const shares = range(0, 1.01, 1 / 8);
  const [near, far] = [0.15, 0.85];
  const paths = [
    shares.map((share) => at(share, share)),
    shares.map((share) => at(share, 1 - share)),
    [at(near, near), at(far, near), at(far, far), at(near, far), at(near, near)],
  ];
  return [
    area('landuse', plotArea(lattice, plot), 11, { kind }),
    ...(name ? [label('pois', at(0.5, 0.5), 14, { kind, name })] : []),
    ...(kind === 'park' ? road('footway', paths) : []),
  ];
}

/** Returns a word of a list, which repeats in both directions. */
const pick = (words: readonly string[], index: number): string =>
  words[((index % words.length) + words.length) % words.length]!;
