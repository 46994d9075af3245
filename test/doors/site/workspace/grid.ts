/** A market on a street grid: square ZIP codes of 1 km, numbered row by row from the north. */
import type {
  Draft,
  DraftTerritory,
} from '../../../../src/doors/site/workspace/browser/territories/draft.ts';
import {
  readMarket,
  type Market,
  type MarketAnswer,
} from '../../../../src/doors/site/workspace/browser/market.ts';

export interface Grid {
  columns: number;
  rows: number;
  figures?: Record<string, (number | null)[]>;
  dataSets?: MarketAnswer['dataSets'];
}

const DEGREES_PER_KM = 0.01;
const [WEST, NORTH] = [-97, 33];

export const gridMarket = (grid: Grid): Market => readMarket(gridAnswer(grid));

export function gridAnswer({ columns, rows, figures = {}, dataSets = [] }: Grid): MarketAnswer {
  const count = columns * rows;
  const all = Array.from({ length: count }, (_, i) => i);
  const neighbors = all.map((i) => {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    return [
      ...(y > 0 ? [i - columns] : []),
      ...(x > 0 ? [i - 1] : []),
      ...(x < columns - 1 ? [i + 1] : []),
      ...(y < rows - 1 ? [i + columns] : []),
    ];
  });
  return {
    id: 'grid',
    label: 'Grid',
    bbox: [-97, 32, -96, 33],
    changePeriods: null,
    withheld: null,
    asksForFigures: false,
    zips: all.map((i) => String(75e3 + i)).join(' '),
    lon: all.map((i) => WEST + (i % columns) * DEGREES_PER_KM),
    lat: all.map((i) => NORTH - Math.floor(i / columns) * DEGREES_PER_KM),
    areaKm2: all.map(() => 1),
    perimeterKm: all.map(() => 4),
    neighborCounts: neighbors.map((list) => list.length),
    neighbors: neighbors.flat(),
    borderKm: neighbors.flat().map(() => 1),
    bridges: [],
    placeNames: ['Dallas, TX', 'Fort Worth, TX'],
    places: all.map((i) => (i < count / 2 ? 0 : 1)),
    countyCodes: ['48113', '48439'],
    counties: all.map((i) => (i % 2 === 0 ? 0 : 1)),
    columns: figures,
    dataSets,
  };
}

/** `draftOf([0, 1], [2])` has the territories 1 and 2. */
export const draftOf = (...lists: readonly number[][]): Draft => ({
  territories: lists.map((zips, i) => territory(i + 1, zips)),
});

export const territory = (
  number: number,
  zips: Iterable<number>,
  more: Partial<DraftTerritory> = {},
): DraftTerritory => ({
  number,
  name: `Territory ${number}`,
  brand: null,
  zips: new Set(zips),
  pending: new Set(),
  ...more,
});
