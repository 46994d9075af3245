import { describe, expect, it } from 'vitest';
import { coveringTiles } from '../../../src/base/spatial/covering-tiles.ts';
import { View3, type Projected } from '../../../src/base/spatial/view.ts';

const SIZE = [600, 400] as const;

function viewOf(bearing: number, pitch: number, roll = 0): View3 {
  return new View3({ center: [8.5, 47.3], zoom: 14.25, bearing, pitch, roll }, ...SIZE);
}

function project(view: View3, x: number, y: number, z = 0): Projected {
  const out = { x: 0, y: 0, w: 0 };
  view.project(x, y, z, out);
  return out;
}

describe('A turned and pitched view', () => {
  it('keeps the pixels of the plane if it is level', () => {
    const view = viewOf(0, 0);
    expect(view.isLevel).toBe(true);
    expect(project(view, 17, 301)).toEqual({ x: 17, y: 301, w: 1 });
    expect(view.bounds).toEqual({ minX: 0, minY: 0, maxX: 600, maxY: 400 });
  });

  it('turns the plane around the center against the bearing', () => {
    const { x, y, w } = project(viewOf(90, 0), 300, 100);
    // North is to the left when east is up.
    expect([x, y, w].map(Math.round)).toEqual([200, 200, 1]);
  });

  it('finds the point of the plane under a pixel', () => {
    const view = viewOf(-35, 65, 10);
    const { x, y, w } = project(view, 120, 80);
    expect(w).toBeGreaterThan(1);
    const [planeX, planeY] = view.planePoint(x, y);
    expect(planeX).toBeCloseTo(120, 6);
    expect(planeY).toBeCloseTo(80, 6);
  });

  it('shows high points closer to the camera and higher in the picture', () => {
    const view = viewOf(20, 60);
    const [ground, roof] = [project(view, 300, 200), project(view, 300, 200, 50)];
    expect(roof.y).toBeLessThan(ground.y);
    expect(roof.w).toBeLessThan(ground.w);
  });

  it('limits the plane to the picture, or to the far plane below the horizon', () => {
    const tops = [viewOf(0, 60), viewOf(0, 80)].map((view) => {
      const points = Array.from({ length: view.plane.length / 2 }, (_, i) =>
        project(view, view.plane[2 * i]!, view.plane[2 * i + 1]!),
      );
      for (const { x, y, w } of points) {
        expect(x).toBeGreaterThan(-1e-6);
        expect(x).toBeLessThan(SIZE[0] + 1e-6);
        expect(y).toBeLessThan(SIZE[1] + 1e-6);
        expect(w).toBeLessThan(view.far + 1e-6);
      }
      return Math.min(...points.map(({ y }) => y));
    });
    // At 80 degrees the horizon is in the picture.
    expect(tops[0]).toBeCloseTo(0, 6);
    expect(tops[1]).toBeGreaterThan(50);
  });

  it('needs tiles of lower zooms far away in steep views, and covers the plane once', () => {
    const view = viewOf(30, 75);
    const tiles = coveringTiles(view, { minzoom: 0, maxzoom: 22, centerZoom: view.zoom });
    const zooms = new Set(tiles.map(({ z }) => z));
    expect(zooms.size).toBeGreaterThan(1);
    expect(Math.max(...zooms)).toBeLessThanOrEqual(16);
    expect(tiles.length).toBeLessThan(40);
    for (let column = 0; column < 10; column++) {
      for (let row = 0; row < 10; row++) {
        const pixel = [60 * column + 5, 30 * row + 110] as const;
        const [x, y] = view.planePoint(...pixel);
        const owners = tiles.filter((tile) => {
          const edge = (dx: number, dy: number) => [
            view.xOfWorld((tile.x + dx) / 2 ** tile.z),
            view.yOfWorld((tile.y + dy) / 2 ** tile.z),
          ];
          const [[left, top], [right, bottom]] = [edge(0, 0), edge(1, 1)];
          return left! <= x && x < right! && top! <= y && y < bottom!;
        });
        expect(owners, `tiles at ${pixel.join(', ')}`).toHaveLength(1);
      }
    }
  });
});
