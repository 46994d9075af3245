import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawPanels, type PanelSheet } from '../../src/cartography/draw-panels.ts';
import { render } from '../../src/render/render.ts';
import type { Scene } from '../../src/render/scene.ts';
import type { RectPx } from '../../src/spatial/flat.ts';

const LEFT: RectPx = { minX: 10, minY: 20, maxX: 90, maxY: 90 };
const RIGHT: RectPx = { minX: 110, minY: 20, maxX: 190, maxY: 90 };

const filled = (color: string): Scene['style'] => ({
  version: 8,
  sources: {},
  layers: [{ id: 'all', type: 'background', paint: { 'background-color': color } }],
});

function panel(color: string, frame: RectPx, pixelRatio: number) {
  const scene: Scene = {
    style: filled(color),
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
  style: filled('#123456'),
  transparent: false,
  furniture: { cards: [], boxes: [], frames: [LEFT, RIGHT] },
  panels: [
    panel('#ff0000', LEFT, change.pixelRatio ?? 1),
    panel('#0000ff', RIGHT, change.pixelRatio ?? 1),
  ],
  ...change,
});

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

describe('drawPanels', () => {
  it.each([1, 1.5, 2, 3])(
    'draws each map in its frame, on paper, at pixel ratio %d',
    async (pixelRatio) => {
      const image = await pixels(await drawPanels({ render }, sheet({ pixelRatio })));
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

  it('leaves the space between maps transparent on request', async () => {
    const image = await pixels(await drawPanels({ render }, sheet({ transparent: true })));
    expect(image.at(100, 50)).toEqual([0, 0, 0, 0]);
    expect(image.at(50, 50)).toEqual(RED);
  });

  it('returns the same bytes each time, as opaque PNG or WebP', async () => {
    const [a, b] = [await drawPanels({ render }, sheet()), await drawPanels({ render }, sheet())];
    expect(a.equals(b)).toBe(true);
    expect(await sharp(a).metadata()).toMatchObject({ format: 'png', channels: 3 });
    const webp = await drawPanels({ render }, sheet({ format: 'webp' }));
    expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 200 });
  });

  it('throws the first error and cancels the other scenes', async () => {
    const signals: AbortSignal[] = [];
    const renderer = {
      render: (scene: Scene, signal?: AbortSignal) => {
        signals.push(signal!);
        return scene.width === 200
          ? Promise.reject(new Error('the render queue is full'))
          : new Promise<Buffer>(() => {});
      },
    };
    await expect(drawPanels(renderer, sheet())).rejects.toThrow('the render queue is full');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('cancels all scenes when the request is aborted', async () => {
    const request = new AbortController();
    const signals: AbortSignal[] = [];
    const renderer = {
      render: (_scene: Scene, signal?: AbortSignal) => {
        signals.push(signal!);
        return new Promise<Buffer>((_resolve, reject) =>
          signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
        );
      },
    };
    const result = drawPanels(renderer, sheet(), request.signal);
    request.abort(new Error('the client disconnected'));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    await expect(result).rejects.toThrow('the client disconnected');
  });
});
