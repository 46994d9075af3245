import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sheetScene, type PanelSheet } from '../../../src/maps/cartography/panels/panel-sheet.ts';
import { render } from '../../../src/render/render.ts';
import type { Scene } from '../../../src/render/scene.ts';
import type { RectPx } from '../../../src/base/spatial/flat.ts';

const LEFT: RectPx = { minX: 10, minY: 20, maxX: 90, maxY: 90 };
const RIGHT: RectPx = { minX: 110, minY: 20, maxX: 190, maxY: 90 };

const styleFilledWith = (color: string): Scene['style'] => ({
  version: 8,
  sources: {},
  layers: [{ id: 'all', type: 'background', paint: { 'background-color': color } }],
});

function panel(color: string, frame: RectPx, pixelRatio: number) {
  const scene: Scene = {
    style: styleFilledWith(color),
    sources: {},
    view: { center: [0, 0], zoom: 3 },
    width: frame.maxX - frame.minX,
    height: frame.maxY - frame.minY,
    pixelRatio,
  };
  return { scene, frame };
}

const sheet = (change: Partial<PanelSheet> = {}): PanelSheet => ({
  width: 200,
  height: 100,
  pixelRatio: 1,
  format: 'png',
  style: styleFilledWith('#123456'),
  transparent: false,
  furniture: { cards: [], boxes: [], frames: [LEFT, RIGHT] },
  panels: [
    panel('#ff0000', LEFT, change.pixelRatio ?? 1),
    panel('#0000ff', RIGHT, change.pixelRatio ?? 1),
  ],
  ...change,
});

const draw = (change?: Partial<PanelSheet>) => render(sheetScene(sheet(change)));

async function pixels(picture: Buffer) {
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    ...info,
    at: (x: number, y: number) => [...data.subarray(4 * (y * info.width + x)).subarray(0, 4)],
  };
}

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
/** The paper of a style without a palette, as an opaque color */
const PAPER = [255, 255, 255, 255];

describe('a sheet of maps', () => {
  it.each([1, 1.5, 2, 3])(
    'draws each map in its frame, on paper, at pixel ratio %d',
    async (pixelRatio) => {
      const image = await pixels(await draw({ pixelRatio }));
      expect([image.width, image.height]).toEqual([200 * pixelRatio, 100 * pixelRatio]);
      const last = (px: number) => px * pixelRatio - 1;
      expect(image.at(10 * pixelRatio, 20 * pixelRatio)).toEqual(RED);
      expect(image.at(last(90), last(90))).toEqual(RED);
      expect(image.at(110 * pixelRatio, 20 * pixelRatio)).toEqual(BLUE);
      expect(image.at(last(190), last(90))).toEqual(BLUE);
      expect(image.at(100 * pixelRatio, 50 * pixelRatio)).toEqual(PAPER);
      // Hairlines surround the frames.
      expect(image.at(last(10), 50 * pixelRatio)).not.toEqual(PAPER);
      expect(image.at(90 * pixelRatio, 50 * pixelRatio)).not.toEqual(PAPER);
    },
  );

  it('draws a map on a map, also where it is translucent', async () => {
    const outer = panel('#ff0000', LEFT, 1);
    const inner = panel('rgba(0, 0, 255, 0.4)', { minX: 5, minY: 5, maxX: 30, maxY: 30 }, 1);
    const panels = [{ ...outer, scene: { ...outer.scene, panels: [inner] } }];
    const image = await pixels(await draw({ panels }));
    expect(image.at(20, 40)).toEqual([153, 0, 102, 255]);
    expect(image.at(14, 40)).toEqual(RED);
    expect(image.at(39, 49)).toEqual([153, 0, 102, 255]);
    expect(image.at(40, 49)).toEqual(RED);
  });

  it.each(['#0000ff', 'rgba(0, 0, 255, 0.4)'])(
    'cuts a map that rounding moves past the edge: %s',
    async (color) => {
      // 162 and 438 CSS pixels round up to 203 and 548 pixels, of 750.
      const frame = { minX: 162, minY: 0, maxX: 600, maxY: 90 };
      const panels = [panel(color, frame, 1.25)];
      const look = { width: 600, height: 90, pixelRatio: 1.25, transparent: true };
      const furniture = { cards: [], boxes: [], frames: [] };
      const image = await pixels(await draw({ ...look, panels, furniture }));
      expect([image.width, image.height]).toEqual([750, 113]);
      const [inside, outside] = [image.at(749, 50), image.at(0, 50)];
      expect(inside.slice(0, 3)).toEqual([0, 0, 255]);
      expect(outside).toEqual([0, 0, 0, 0]);
    },
  );

  it('refuses a map with another pixel ratio', async () => {
    const panels = [panel('#ff0000', LEFT, 2)];
    await expect(draw({ panels })).rejects.toThrow(
      'a panel has the pixel ratio 2: use 1, the ratio of its picture',
    );
  });

  it('leaves the space between maps transparent on request', async () => {
    const image = await pixels(await draw({ transparent: true }));
    expect(image.at(100, 50)).toEqual([0, 0, 0, 0]);
    expect(image.at(50, 50)).toEqual(RED);
  });

  it('returns the same bytes each time, as opaque PNG or WebP', async () => {
    const [a, b] = [await draw(), await draw()];
    expect(a.equals(b)).toBe(true);
    expect(await sharp(a).metadata()).toMatchObject({ format: 'png', channels: 3 });
    const webp = await draw({ format: 'webp' });
    expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 200 });
  });
});
