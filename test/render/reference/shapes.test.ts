/** Areas, lines and circles come out as maplibre-gl draws them, to the pixel but for rounding. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { render } from '../../../src/render/render.ts';
import { comparePictures } from '../../support/compare-pictures.ts';
import { hasChromium, openReference, type Reference } from '../../support/maplibre.ts';
import { shapeScenes, type ShapeScene } from './shape-scenes.ts';

/** What MapLibre allows its own pictures in its render tests */
const SHARE = 0.00025;

/**
 * Of 255. A vertex rounded to the next sixteenth of a pixel changes the pixels of its edges by 16,
 * and few pixels lie on edges: no scene measures more than 0.28.
 */
const MEAN = 0.35;

/** Where the two thin a ragged outline differently: 0.0032 and 1.2 at most */
const RAGGED = { share: 0.004, mean: 1.5 };

function ours({ style, width, height, pixelRatio, center, zoom }: ShapeScene): Promise<Buffer> {
  return render({ style, sources: {}, view: { center, zoom }, width, height, pixelRatio });
}

describe.skipIf(!hasChromium)('maplibre-gl and our painter draw alike', () => {
  let reference: Reference;
  beforeAll(async () => {
    // The specification's package complains of values that fall back to their defaults; they should.
    vi.spyOn(console, 'warn').mockReturnValue();
    reference = await openReference();
  }, 30_000);
  afterAll(() => reference.close());

  it.each(shapeScenes.map((scene) => [scene.name, scene] as const))('%s', async (_name, scene) => {
    const { png, errors } = await reference.draw(scene);
    expect(errors).toEqual([]);
    const { share, mean } = await comparePictures(await ours(scene), png);
    expect(share).toBeLessThanOrEqual(scene.isRagged === true ? RAGGED.share : SHARE);
    expect(mean).toBeLessThanOrEqual(scene.isRagged === true ? RAGGED.mean : MEAN);
  });
});

describe('the comparison of pictures', () => {
  it('tells scenes apart that differ a little', async () => {
    const named = (name: string) => shapeScenes.find((scene) => scene.name === name)!;
    const thin = await ours(named('a line 1.5 wide'));
    const thick = await ours(named('a line 3 wide'));
    const { share, mean } = await comparePictures(thin, thick);
    expect(share).toBeGreaterThan(10 * SHARE);
    expect(mean).toBeGreaterThan(2 * MEAN);
  });

  it('finds no difference where there is none', async () => {
    const drawn = await ours(shapeScenes[0]!);
    expect(await comparePictures(drawn, drawn)).toEqual({ share: 0, mean: 0 });
  });
});
