/**
 * A country of square ZIP codes, where the right result is obvious: 90203 is in row 2, column 3.
 * Sides are a sixteenth of a degree, a sum of powers of two, so that neighbors share their corners
 * exactly. The country is on the equator, where squares are square.
 */
import type { Queryable } from '../../../src/base/db/database.ts';
import { DETAIL_LEVELS } from '../../../src/base/spatial/detail.ts';
import {
  adjacencyOf,
  parseBorders,
  type Adjacency,
} from '../../../src/territories/brands/shape/adjacency.ts';

export const SIDE_DEG = 1 / 16;
const SIDE_M = 6_950;

export const square = (row: number, column: number) =>
  `9${String(row).padStart(2, '0')}${String(column).padStart(2, '0')}`;

/**
 * Returns the ZIP codes where a drawing has a letter; each character is a ZIP code: `['##.',
 * '.a.']`
 */
export function zipsDrawn(rows: readonly string[], letters = /[^.]/): Set<string> {
  return new Set(
    rows.flatMap((line, row) =>
      [...line].flatMap((letter, column) => (letters.test(letter) ? square(row, column) : [])),
    ),
  );
}

export interface Border {
  zip: string;
  neighbor: string;
  sharedBorderM: number;
}

/** @param borders every pair in both directions */
export function adjacencyOfBorders(borders: readonly Border[]): Adjacency {
  const text = borders.map((one) => `${one.zip}${one.neighbor}${100 * one.sharedBorderM}`);
  return adjacencyOf([parseBorders(text.join(' '))]);
}

function gridBorders(rows: number, columns: number): Border[] {
  const borders: Border[] = [];
  const inGrid = (row: number, column: number) =>
    row >= 0 && column >= 0 && row < rows && column < columns;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (const [down, right] of [
        [0, 1],
        [1, 0],
        [0, -1],
        [-1, 0],
      ] as const) {
        if (!inGrid(row + down, column + right)) continue;
        const neighbor = square(row + down, column + right);
        borders.push({ zip: square(row, column), neighbor, sharedBorderM: SIDE_M });
      }
    }
  }
  return borders;
}

export const gridAdjacency = (rows: number, columns: number) =>
  adjacencyOfBorders(gridBorders(rows, columns));

/** Row 0 is on the equator, with the other rows south of it. */
export async function drawGrid(db: Queryable, rows: number, columns: number): Promise<void> {
  const places = Array.from({ length: rows * columns }, (_, i) => {
    const row = Math.floor(i / columns);
    const column = i % columns;
    return { zip: square(row, column), west: column * SIDE_DEG, north: -row * SIDE_DEG };
  });
  const values = [
    places.map(({ zip }) => zip),
    places.map(({ west }) => west),
    places.map(({ north }) => north),
  ];
  const boxes = `(select zip, st_makeenvelope(w, n - ${SIDE_DEG}, w + ${SIDE_DEG}, n, 4326) as box
    from unnest($1::text[], $2::float8[], $3::float8[]) as t (zip, w, n)) squares`;
  await db.query(
    `insert into zips (zip, city, state, centroid, land_area_m2, bbox)
     select zip, 'Squareville', 'TX', st_centroid(box), st_area(box::geography), box from ${boxes}`,
    values,
  );
  await db.query(
    `insert into zip_boundaries (zip, lod, geom)
     select zip, lod, st_multi(box) from ${boxes}, generate_series(0, ${DETAIL_LEVELS.length - 1}) lod`,
    values,
  );
  const borders = gridBorders(rows, columns);
  await db.query(
    `insert into zip_neighbors (zip, neighbor, shared_border_m)
     select * from unnest($1::text[], $2::text[], $3::float8[])`,
    [
      borders.map(({ zip }) => zip),
      borders.map(({ neighbor }) => neighbor),
      borders.map(({ sharedBorderM }) => sharedBorderM),
    ],
  );
}
