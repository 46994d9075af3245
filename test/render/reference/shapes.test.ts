/** Compares areas, lines, and circles with maplibre-gl: equal to the pixel, except for rounding. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { render } from '../../../src/render/render.ts';
import { comparePictures } from '../../support/compare-pictures.ts';
import { hasChromium, openReference, type Reference } from '../../support/maplibre.ts';
import { shapeScenes, type ShapeScene } from './shape-scenes.ts';

/** Fraction of pixels that may differ: the same as in MapLibre's own render tests */
const SHARE = 0.00025;

/**
 * Mean difference, of 255. Rounding a vertex to another sixteenth of a pixel changes edge pixels by 16,
 * and few pixels lie on edges: the largest value measured is 0.28.
 */
const MEAN = 0.35;

/** Limits for ragged outlines, which the two simplify differently; measured: 0.0032 and 1.2 */
const RAGGED = { share: 0.004, mean: 1.5 };

function drawWithCanvas({
  style,
  width,
  height,
  pixelRatio,
  center,
  zoom,
  camera,
}: ShapeScene): Promise<Buffer> {
  const view = { center, zoom, ...camera };
  return render({ style, sources: {}, view, width, height, pixelRatio });
}

describe.skipIf(!hasChromium)('the canvas engine draws like maplibre-gl', () => {
  let reference: Reference;
  beforeAll(async () => {
    // The style-spec package warns about values that fall back to defaults, which is intended here.
    vi.spyOn(console, 'warn').mockReturnValue();
    reference = await openReference();
  });
  afterAll(() => reference.close());

  it.each(shapeScenes.map((scene) => [scene.name, scene] as const))('%s', async (_name, scene) => {
    const { png, errors } = await reference.draw(scene);
    expect(errors).toEqual([]);
    const { share, mean } = await comparePictures(await drawWithCanvas(scene), png);
    expect(share).toBeLessThanOrEqual(scene.isRagged === true ? RAGGED.share : SHARE);
    expect(mean).toBeLessThanOrEqual(scene.isRagged === true ? RAGGED.mean : MEAN);
  });
});

describe('the comparison of pictures', () => {
  it('detects small differences', async () => {
    const findScene = (name: string) => shapeScenes.find((scene) => scene.name === name)!;
    const thin = await drawWithCanvas(findScene('a line 1.5 wide'));
    const thick = await drawWithCanvas(findScene('a line 3 wide'));
    const { share, mean } = await comparePictures(thin, thick);
    expect(share).toBeGreaterThan(10 * SHARE);
    expect(mean).toBeGreaterThan(2 * MEAN);
  });

  it('finds no difference between equal pictures', async () => {
    const result = await drawWithCanvas(shapeScenes[0]!);
    expect(await comparePictures(result, result)).toEqual({ share: 0, mean: 0 });
  });
});
