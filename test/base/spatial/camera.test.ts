import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bbox } from '../../../src/base/spatial/bbox.ts';
import { fitBbox, Viewport, constrainCamera } from '../../../src/base/spatial/camera.ts';

const NO_PADDING = { top: 0, right: 0, bottom: 0, left: 0 };

const boxes: fc.Arbitrary<Bbox> = fc
  .record({
    west: fc.double({ min: -170, max: 100, noNaN: true }),
    south: fc.double({ min: -70, max: 60, noNaN: true }),
    width: fc.double({ min: 0.01, max: 60, noNaN: true }),
    height: fc.double({ min: 0.01, max: 20, noNaN: true }),
  })
  .map(({ west, south, width, height }) => [west, south, west + width, south + height]);

describe('fitBbox', () => {
  it('fits the box inside the padding, touching two opposite sides', () => {
    const side = fc.integer({ min: 300, max: 2048 });
    const pad = fc.integer({ min: 0, max: 60 });
    const paddings = fc.record({ top: pad, right: pad, bottom: pad, left: pad });
    fc.assert(
      fc.property(boxes, side, side, paddings, (box, width, height, padding) => {
        const viewport = new Viewport(fitBbox(box, width, height, padding), width, height);
        const slack = [
          viewport.x(box[0]) - padding.left,
          width - padding.right - viewport.x(box[2]),
          viewport.y(box[3]) - padding.top,
          height - padding.bottom - viewport.y(box[1]),
        ];
        for (const distance of slack) expect(distance).toBeGreaterThan(-1e-3);
        expect(
          Math.min(Math.max(slack[0]!, slack[1]!), Math.max(slack[2]!, slack[3]!)),
        ).toBeLessThan(1e-3);
      }),
    );
  });

  it('shows the neighborhood of a single point', () => {
    const { center, zoom } = fitBbox([-96.8, 32.8, -96.8, 32.8], 400, 300, NO_PADDING);
    expect(center[0]).toBeCloseTo(-96.8, 9);
    expect(center[1]).toBeCloseTo(32.8, 9);
    expect(zoom).toBe(13);
  });

  it('scales padding down to half of the picture', () => {
    const box: Bbox = [-97, 32, -96, 33];
    const tight = { top: 100, right: 100, bottom: 100, left: 100 };
    const half = { top: 16, right: 16, bottom: 16, left: 16 };
    expect(fitBbox(box, 64, 64, tight)).toEqual(fitBbox(box, 64, 64, half));
  });

  it('stays within the zoom range of the engines', () => {
    expect(fitBbox([0, 0, 1e-9, 1e-9], 1000, 1000, NO_PADDING).zoom).toBe(22);
    expect(fitBbox([-180, -85, 180, 85], 16, 16, NO_PADDING).zoom).toBe(-2);
  });
});

describe('Viewport', () => {
  it('is centered on the camera and converts pixels back to degrees', () => {
    const viewport = new Viewport({ center: [-96.8, 32.8], zoom: 9.3 }, 640, 480);
    expect([viewport.x(-96.8), viewport.y(32.8)]).toEqual([320, 240]);
    const [lng, lat] = viewport.lngLat(17.5, 400.25);
    expect(viewport.x(lng)).toBeCloseTo(17.5, 6);
    expect(viewport.y(lat)).toBeCloseTo(400.25, 6);
  });
});

describe('constrainCamera', () => {
  const cameras = fc.record({
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    zoom: fc.double({ min: -3, max: 24, noNaN: true }),
    height: fc.integer({ min: 64, max: 2048 }),
  });

  it('shows nothing beyond the world’s top and bottom edges', () => {
    fc.assert(
      fc.property(cameras, ({ lng, lat, zoom, height }) => {
        const camera = constrainCamera({ center: [lng, lat], zoom }, height);
        const { north, south } = new Viewport(camera, 100, height).worldEdges();
        expect(north).toBeGreaterThan(-1e-9);
        expect(south).toBeLessThan(1 + 1e-9);
        expect(camera.center[0]).toBe(lng);
      }),
    );
  });

  it('keeps a camera that shows nothing beyond the edges', () => {
    for (const lat of [32.8, -60, 51.123456789, 59.87654321]) {
      const camera = { center: [-96.8, lat] as [number, number], zoom: 4.5 };
      expect(constrainCamera(camera, 2048)).toEqual(camera);
    }
  });

  it('zooms in until the world is as tall as the picture', () => {
    expect(constrainCamera({ center: [7, 50], zoom: 0 }, 1024)).toEqual({
      center: [7, 0],
      zoom: 1,
    });
  });
});
