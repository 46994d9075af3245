import { describe, expect, it } from 'vitest';
import { projectAlbers, projectGeometry } from '../../../src/base/spatial/albers-usa.ts';
import { mercatorX, mercatorY, type LngLat } from '../../../src/base/spatial/mercator.ts';

/** Position in the plane of the contiguous states, in meters east and north of 37.5° N, 96° W */
function meters(lng: number, lat: number): [number, number] {
  const radius = 6_378_137;
  const toRadii = 2 * Math.PI * Math.cos((38 * Math.PI) / 180);
  const plane = (point: LngLat) => {
    const [x, y] = projectAlbers('contiguous', point);
    return [(mercatorX(x) - 0.5) * toRadii * radius, (0.5 - mercatorY(y)) * toRadii * radius];
  };
  const [x0, y0] = plane([-96, 37.5]) as [number, number];
  const [x, y] = plane([lng, lat]) as [number, number];
  return [x - x0, y - y0];
}

describe('Albers\u2019 projection of the country', () => {
  it('agrees with the example of Snyder, on the sphere', () => {
    // Map Projections, page 291: 35° N, 75° W is 0.2952720 radii east of the meridian.
    const [x] = meters(-75, 35);
    expect(x / 6_378_137).toBeCloseTo(0.295272, 5);
  });

  it('keeps areas equal from Florida to the border with Canada', () => {
    const areaOf = (south: number) => {
      const north = (Math.asin(Math.sin((south * Math.PI) / 180) + 0.001) * 180) / Math.PI;
      const [x1, y1] = meters(-90, south);
      const [x2] = meters(-89.9, south);
      const [, y2] = meters(-90, north);
      return (
        Math.hypot(x2 - x1, meters(-89.9, south)[1] - y1) *
        Math.hypot(meters(-90, north)[0] - x1, y2 - y1)
      );
    };
    expect(areaOf(48) / areaOf(26)).toBeCloseTo(1, 2);
  });

  it('draws the Aleutians beyond 180° next to the others, and parallels as curves', () => {
    const [west] = projectAlbers('alaska', [179.9, 52]);
    const [east] = projectAlbers('alaska', [-179.9, 52]);
    expect(east - west).toBeGreaterThan(0);
    expect(east - west).toBeLessThan(0.1);
    const border = {
      type: 'LineString' as const,
      coordinates: [
        [-123, 49],
        [-95, 49],
      ],
    };
    expect(projectGeometry('contiguous', border).coordinates.length).toBeGreaterThan(50);
  });
});
