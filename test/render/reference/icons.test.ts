/** Compares icons, alone and with texts, with maplibre-gl. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { glyphRange } from '../../../src/data/basemap/glyphs.ts';
import { readScene } from '../read-scene.ts';
import { render } from '../../../src/render/render.ts';
import { comparePictures } from '../../support/compare-pictures.ts';
import { hasChromium, openReference, type Reference } from '../../support/maplibre.ts';
import { spriteFiles } from '../sprite.ts';
import type { ShapeScene } from './shape-scenes.ts';
import { iconScenes } from './scenes/icons.ts';

/** Fraction of pixels that may differ: the same as in MapLibre's own render tests */
const SHARE = 0.00025;

/** Mean difference, of 255 */
const MEAN = 0.35;

const folder = mkdtempSync(join(tmpdir(), 'icons-'));

function put(path: string, content: string | Uint8Array): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

async function drawWithCanvas({ style, center, zoom, ...size }: ShapeScene): Promise<Buffer> {
  const file = put('style.json', JSON.stringify({ ...style, center, zoom }));
  const { width, height, pixelRatio } = size;
  return render(await readScene({ file, assets: folder, width, height, pixelRatio }));
}

const addresses: Partial<StyleSpecification> = {
  sprite: 'local://map/sprite',
  glyphs: 'local://{fontstack}/{range}.pbf',
};

describe.skipIf(!hasChromium)('the canvas engine draws icons like maplibre-gl', () => {
  let reference: Reference;
  beforeAll(async () => {
    for (const [ratio, name] of [
      [1, 'map/sprite'],
      [2, 'map/sprite@2x'],
    ] as const) {
      const { index, sheet } = await spriteFiles(ratio);
      put(`${name}.json`, JSON.stringify(index));
      put(`${name}.png`, sheet);
    }
    put('Noto Sans Regular/0-255.pbf', await glyphRange(['Noto Sans Regular'], 0));
    reference = await openReference((path) => {
      const file = join(folder, path);
      return existsSync(file) ? readFileSync(file) : null;
    });
  });
  afterAll(async () => {
    await reference.close();
    rmSync(folder, { recursive: true });
  });

  it.each(iconScenes.map((scene) => [scene.name, scene] as const))('%s', async (_name, plain) => {
    const scene = { ...plain, style: { ...plain.style, ...addresses } };
    const { png, errors } = await reference.draw(scene);
    expect(errors).toEqual([]);
    const { share, mean } = await comparePictures(await drawWithCanvas(scene), png);
    expect(share).toBeLessThanOrEqual(SHARE);
    expect(mean).toBeLessThanOrEqual(MEAN);
  });
});
