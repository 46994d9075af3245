import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { mapsWith, type MapRenderer } from '../../../src/maps/cartography/map-renderer.ts';
import { commonCity, nameAreas } from '../../../src/maps/cartography/area-names.ts';
import { keepLargerSide } from '../../../src/maps/cartography/draw-zip-map.ts';
import { drawStatusMap, type StatusMapRequest } from '../../../src/maps/cartography/status-map.ts';
import { placedZips } from '../../../src/data/market/zips.ts';
import { render } from '../../../src/render/render.ts';
import type { Renderer } from '../../../src/render/renderer.ts';
import { bboxesMeet } from '../../../src/base/spatial/bbox.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const renderer = mapsWith({ render });

const DALLAS = ['75201', '75202', '75204', '75205', '75219'];
const PHOENIX = ['85003', '85004', '85006'];
const LOOK = { style: 'light', width: 600, height: 400, pixelRatio: 1 } as const;
const draw = (change: Partial<StatusMapRequest>) =>
  drawStatusMap(db, renderer, { ...LOOK, live: [...DALLAS, ...PHOENIX], ...change });

describe('a territory in cities far apart', () => {
  it('is drawn in panels, each framed on its city and named after it', async () => {
    const map = await draw({});
    expect(await sharp(map.picture).metadata()).toMatchObject({ width: 600, height: 400 });
    expect(map).toMatchObject({
      zips: 8,
      missing: [],
      elsewhere: [],
      panels: [
        { caption: 'Dallas, TX', zips: 5 },
        { caption: 'Phoenix, AZ', zips: 3 },
      ],
    });
    const [dallas, phoenix] = map.panels;
    for (const [panel, zips] of [
      [dallas!, DALLAS],
      [phoenix!, PHOENIX],
    ] as const) {
      expect(panel.zoom).toBeGreaterThan(9);
      for (const { bbox } of await placedZips(db, zips)) {
        expect([bbox[0] > panel.bbox[0], bbox[2] < panel.bbox[2]]).toEqual([true, true]);
        expect([bbox[1] > panel.bbox[1], bbox[3] < panel.bbox[3]]).toEqual([true, true]);
      }
    }
    expect(bboxesMeet(dallas!.bbox, phoenix!.bbox)).toBe(false);
    expect(map.bbox).toEqual([
      phoenix!.bbox[0],
      Math.min(dallas!.bbox[1], phoenix!.bbox[1]),
      dallas!.bbox[2],
      Math.max(dallas!.bbox[3], phoenix!.bbox[3]),
    ]);
  });

  it('is drawn on a single map if the request has a camera or the picture is small', async () => {
    const [center, zoom]: [[number, number], number] = [[-104, 33], 5];
    for (const change of [{ camera: { center, zoom } }, { width: 256, height: 256 }]) {
      const map = await draw(change);
      expect(map.panels).toEqual([{ caption: null, bbox: map.bbox, zoom: map.zoom, zips: 8 }]);
    }
  });

  it('has a legend of the statuses shown and reports ZIP codes outside the panels', async () => {
    const map = await draw({
      live: DALLAS,
      pending: PHOENIX,
      removed: ['98101'],
      width: 400,
      height: 300,
    });
    expect(map.elsewhere).toEqual(['98101']);
    expect(map.zips).toBe(8);
    expect(map.legend!.classes.map(({ label }) => label)).toEqual(['Pending review', 'Live']);
  });

  it('has the same bytes each time and can be WebP or transparent', async () => {
    const [a, b] = [await draw({}), await draw({})];
    expect(a.picture.equals(b.picture)).toBe(true);
    const webp = await draw({ format: 'webp', pixelRatio: 1.5 });
    expect(await sharp(webp.picture).metadata()).toMatchObject({ format: 'webp', width: 900 });
    const clear = await draw({ transparent: true });
    const { channels, isOpaque } = await sharp(clear.picture).stats();
    expect([channels.length, isOpaque]).toEqual([4, false]);
  });
});

describe('a picture of several maps', () => {
  it.each([
    ['insets', { market: { metro: 'dallas-tx' }, width: 1200, height: 800 }, 1],
    ['panels', { live: [...DALLAS, ...PHOENIX] }, 2],
  ])('is drawn at once, and ends with its request: %s', async (_name, change, least) => {
    const drawn = vi.fn<Renderer['render']>(() => Promise.resolve(Buffer.of()));
    const { signal } = new AbortController();
    const maps = mapsWith({ render: drawn });
    const ending: MapRenderer = {
      ...maps,
      drawMap: (data, map) => maps.drawMap(data, map, signal),
    };
    await drawStatusMap(db, ending, { ...LOOK, ...change });
    expect(drawn).toHaveBeenCalledOnce();
    const [scene, passed] = drawn.mock.calls[0]!;
    expect(scene.panels!.length).toBeGreaterThanOrEqual(least);
    expect(passed === signal).toBe(true);
  });
});

describe('the name of an area', () => {
  it('is the metro of most of its ZIP codes, or a city if there is no metro or another area has its name', async () => {
    const areas = [DALLAS, ['76102', '76104'], ['79901', '79902'], ['75201', '85003', '85004']];
    expect(await nameAreas(db, areas)).toEqual([
      'Dallas, TX',
      'Fort Worth, TX',
      'El Paso, TX',
      'Phoenix, AZ',
    ]);
  });

  it('is the most important of equally common cities, but no place without ZIP codes', async () => {
    const kauai = await placedZips(db, ['96703', '96746', '96766']);
    expect(commonCity(kauai)).toBe('Anahola, HI');
    expect(commonCity(kauai, ['Honolulu', 'Lihue', 'Kapaa'])).toBe('Lihue, HI');
    const dallas = await placedZips(db, ['75201', '75202', '76102']);
    expect(commonCity(dallas, ['Fort Worth', 'Dallas'])).toBe('Dallas, TX');
  });
});

describe('a ZIP code that spans the antimeridian', () => {
  it('gets the box of its larger side', async () => {
    const placed = await placedZips(db, ['75201', '99546']);
    expect(placed[1]!.bbox[2] - placed[1]!.bbox[0]).toBeGreaterThan(350);
    const [dallas, adak] = await keepLargerSide(db, placed);
    expect(dallas).toBe(placed[0]);
    expect(adak!.bbox[0]).toBeLessThan(-175);
    expect(adak!.bbox[2]).toBeLessThan(-170);
  });

  it('is drawn in close-up with its neighbors', async () => {
    const map = await draw({ live: ['99546', '99685'] });
    expect(map.panels.length).toBe(1);
    expect(map.zoom).toBeGreaterThan(3);
    expect(map.bbox[2]).toBeLessThan(-150);
  });
});
