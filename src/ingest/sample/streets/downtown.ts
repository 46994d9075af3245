/** Downtown: a dense grid of its own direction, with buildings. */
import { cross, range } from 'd3-array';
import { seededRandom } from '../random.ts';
import { grounds, isInPlot, pick, plotArea, streetsOf } from './blocks.ts';
import type { Axis, Lattice, Plot } from './blocks.ts';
import { area, road, type StreetFeature } from './features.ts';
import { distance, isInAny, toMeters, type Area } from './lines.ts';

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

export const TREES = (
  'Cedar Pecan Juniper Magnolia Sycamore Cypress Redbud Hackberry Mesquite Persimmon Mulberry Dogwood ' +
  'Laurel Hickory Sumac Catalpa Buckeye Chestnut Alder Linden Hawthorn Sassafras Tupelo Larch'
).split(' ');

export const DOWNTOWN = plotArea(LATTICE, { west: 0, south: 0, east: 26, north: 24 });

/** Returns downtown's streets, parks, and buildings. @param freeways areas that only major streets cross */
export function downtown(freeways: readonly Area[]): StreetFeature[] {
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
