import { describe, expect, it } from 'vitest';
import { growAreas, type ZipCenter } from '../../../src/territories/demo/areas.ts';
import { neighborsOf } from '../../../src/territories/brands/shape/adjacency.ts';
import { adjacencyOfBorders, type Border } from '../brands/grid.ts';

/** ZIP codes on a chessboard. Squares with a common side are neighbors, except across a river near the middle. */
function board(side: number) {
  const zip = (x: number, y: number) => String(10_000 + y * side + x);
  const places: ZipCenter[] = [];
  const borders: Border[] = [];
  for (let x = 0; x < side; x++) {
    for (let y = 0; y < side; y++) {
      places.push({ zip: zip(x, y), lng: -97 + x / 10, lat: 32 + y / 10 });
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        const [nx, ny] = [x + dx, y + dy];
        const isAcrossRiver = Math.min(x, nx) === (side >> 1) + 1 && x !== nx && y > 0;
        if (isAcrossRiver) continue;
        if (nx >= 0 && ny >= 0 && nx < side && ny < side)
          borders.push({ zip: zip(x, y), neighbor: zip(nx, ny), sharedBorderM: 1 });
      }
    }
  }
  return { places, adjacency: adjacencyOfBorders(borders), middle: zip(side >> 1, side >> 1) };
}

const { places, adjacency, middle } = board(15);
const sizes = { main: 24, other: 10, shared: 3 };

function isOnePiece(zips: readonly string[]): boolean {
  const reached = new Set([zips[0]!]);
  for (const zip of reached) {
    for (const near of neighborsOf(adjacency, zip)) if (zips.includes(near)) reached.add(near);
  }
  return reached.size === zips.length;
}

describe('growAreas', () => {
  const { main, other, isolated } = growAreas(places, adjacency, sizes);

  it('returns areas of the requested sizes, with the requested overlap', () => {
    expect(new Set(main).size).toBe(24);
    expect(new Set(other).size).toBe(10);
    expect(other.filter((zip) => main.includes(zip))).toHaveLength(3);
  });

  it('returns connected areas, even without their last ZIP codes', () => {
    expect(main[0]).toBe(middle);
    for (const area of [main, main.slice(0, -3), other]) expect(isOnePiece(area)).toBe(true);
  });

  it('returns an isolated ZIP code that borders neither area', () => {
    const near = [...neighborsOf(adjacency, isolated!), isolated!];
    expect(near.filter((zip) => main.includes(zip) || other.includes(zip))).toEqual([]);
  });

  it('doesn’t depend on the order of the ZIP codes', () => {
    expect(growAreas(places.toReversed(), adjacency, sizes)).toMatchObject({
      main,
      other,
      isolated,
    });
  });

  it('returns smaller areas and no isolated ZIP code if there are too few', () => {
    const small = board(4);
    const areas = growAreas(small.places, small.adjacency, { ...sizes, main: 20 });
    expect(areas.main).toHaveLength(16);
    expect(areas.isolated).toBeNull();
  });
});
