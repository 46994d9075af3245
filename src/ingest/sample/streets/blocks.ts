/** Blocks in columns and rows, the streets between them, and grounds, such as parks, in place of some. */
import { range } from 'd3-array';
import type { Random } from '../random.ts';
import { area, label, road, type StreetFeature } from './features.ts';
import { areaOf, type Area, type Line, type Point } from './lines.ts';

export interface Lattice {
  columns: number;
  rows: number;
  /** Where two streets meet. Fractions are inside blocks. */
  at: (column: number, row: number) => Point;
}

/** Blocks without streets between them */
export interface Plot {
  kind: string;
  /** Grounds without a name have no label. */
  name?: string;
  west: number;
  south: number;
  east: number;
  north: number;
}

export type Axis = 'row' | 'column';

/** Whether a place is inside a plot, not on its border */
export const isInPlot = (column: number, row: number, plots: readonly Plot[]): boolean =>
  plots.some(
    ({ west, south, east, north }) => column > west && column < east && row > south && row < north,
  );

/**
 * Returns the parts of streets inside a lattice, without those along its border. Plots interrupt them.
 * @param missing share of the parts of every other street, each along one block, that are missing
 */
export function streetsOf(
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
export const plotArea = ({ at }: Lattice, { west, south, east, north }: Omit<Plot, 'kind'>): Area =>
  areaOf([
    ...range(west, east).map((column) => at(column, south)),
    ...range(south, north).map((row) => at(east, row)),
    ...range(east, west, -1).map((column) => at(column, north)),
    ...range(north, south, -1).map((row) => at(west, row)),
  ]);

/** Returns the grounds of a plot, with its label, and paths in a park. */
export function grounds(lattice: Lattice, plot: Plot): StreetFeature[] {
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
export const pick = (words: readonly string[], index: number): string =>
  words[((index % words.length) + words.length) % words.length]!;
