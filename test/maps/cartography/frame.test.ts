import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frameTerritory } from '../../../src/maps/cartography/frame.ts';
import { arrangeFurniture } from '../../../src/render/furniture/arrange.ts';
import { coveredPx, territoryBoxes } from '../../../src/render/furniture/territory-boxes.ts';
import { measureEm } from '../../../src/render/canvas/text/measure.ts';
import type { Bbox } from '../../../src/base/spatial/bbox.ts';
import { cameraOf } from '../../../src/render/scene.ts';
import { Viewport } from '../../../src/base/spatial/camera.ts';
import { rectContains } from '../../../src/base/spatial/flat.ts';

const furniture = {
  title: 'Roofing demand by ZIP code',
  subtitle: 'Dallas-Fort Worth-Arlington, TX',
  legend: {
    title: 'Demand score',
    classes: ['0–19', '20–39', '40–59', '60–79', '80–100'].map((label) => ({
      label,
      color: '#888888',
    })),
  },
  vintage: 'ACS 5-Year 2019–2023',
};
const padding = { top: 24, right: 24, bottom: 36, left: 24 };

/** Returns how many pixels of the territory cards hide in the view of `frameTerritory`. */
function hiddenPx(territory: readonly Bbox[], width: number, height: number): number {
  const view = frameTerritory({ territory, furniture, width, height, padding });
  const camera = cameraOf({ view, width, height });
  const boxes = territoryBoxes(territory, new Viewport(camera, width, height));
  const { cards } = arrangeFurniture(furniture, width, height, measureEm, boxes);
  return cards
    .filter(({ flush }) => !flush)
    .reduce((sum, { box }) => sum + coveredPx(box, boxes), 0);
}

describe('frameTerritory', () => {
  it('shows a whole territory without hiding it behind the title or the legend', () => {
    const degrees = fc.double({ min: 0.05, max: 8, noNaN: true });
    fc.assert(
      fc.property(
        degrees,
        degrees,
        fc.integer({ min: 600, max: 2048 }),
        fc.integer({ min: 480, max: 2048 }),
        (lngs, lats, width, height) => {
          const territory: Bbox[] = [
            [-97 - lngs / 2, 33 - lats / 2, -97 + lngs / 2, 33 + lats / 2],
          ];
          const view = frameTerritory({ territory, furniture, width, height, padding });
          const camera = cameraOf({ view, width, height });
          const [box] = territoryBoxes(territory, new Viewport(camera, width, height));
          const picture = { minX: 0, minY: 0, maxX: width, maxY: height };
          expect(rectContains(picture, box!)).toBe(true);
          expect(hiddenPx(territory, width, height)).toBeLessThan(0.001 * width * height);
        },
      ),
    );
  });

  it('hides none of three ZIP codes in distant corners of the country', () => {
    const specks: Bbox[] = [
      [-122.34, 47.6, -122.33, 47.61],
      [-80.2, 25.76, -80.19, 25.77],
      [-96.8, 32.78, -96.79, 32.79],
    ];
    expect(hiddenPx(specks, 1200, 800)).toBe(0);
  });

  it('shows an upright territory beside the title of a wide picture, instead of below it', () => {
    const territory: Bbox[] = [[-122.9, 46.7, -121, 48.4]];
    const [width, height] = [600, 315];
    const view = frameTerritory({ territory, furniture, width, height, padding });
    const camera = cameraOf({ view, width, height });
    const [box] = territoryBoxes(territory, new Viewport(camera, width, height));
    expect(box!.maxY - box!.minY).toBeGreaterThan(height - padding.top - padding.bottom - 1);
    expect(hiddenPx(territory, width, height)).toBe(0);
  });

  it('keeps the padding that the caller asks for', () => {
    const territory: Bbox[] = [[-122.9, 46.7, -121, 48.4]];
    for (const left of [24, 400, 700]) {
      const asked = { ...padding, left };
      const size = { width: 1000, height: 800 };
      const { paddingPx } = frameTerritory({ territory, furniture, ...size, padding: asked });
      for (const side of ['top', 'right', 'bottom', 'left'] as const) {
        expect((paddingPx as typeof padding)[side]).toBeGreaterThanOrEqual(asked[side]);
      }
    }
  });

  it('reserves no room if nothing would be hidden', () => {
    const territory: Bbox[] = [[-97, 30, -96.9, 34]];
    const options = { territory, width: 1200, height: 800, padding };
    expect(frameTerritory({ ...options, furniture })).toEqual(
      frameTerritory({ ...options, furniture: {} }),
    );
  });
});
