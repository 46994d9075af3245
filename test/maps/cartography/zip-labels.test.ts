import type { Feature, MultiPolygon, Polygon } from 'geojson';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { loadStyle } from '../../../src/data/basemap/styles.ts';
import { drawScoreMap, type ScoreMapRequest } from '../../../src/maps/cartography/score-map.ts';
import { labelZips } from '../../../src/maps/cartography/zip-labels.ts';
import { randomFrom } from '../../../src/territories/design/random.ts';
import { ringOf } from '../../../src/base/spatial/bbox.ts';
import { Viewport } from '../../../src/base/spatial/camera.ts';
import { rectContains, rectsMeet } from '../../../src/base/spatial/flat.ts';
import { paint, type LayerLabel } from '../../../src/render/canvas/paint.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { testDatabase } from '../../support/database.ts';
import { MapLayout } from '../../../src/maps/cartography/map-layout.ts';

const { db } = await testDatabase('sample');

const background = { r: 255, g: 255, b: 255, alpha: 1 };
const blank = ({ width, height }: Scene) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png({ compressionLevel: 1 })
    .toBuffer();

const newView = () => ({ view: { name: 'new', rings: new Map() }, layout: new MapLayout() });

/** Returns the ZIP codes that a map and its insets have to label, and the labels that they show. */
async function labelsOf(change: Partial<ScoreMapRequest>) {
  const scenes: Scene[] = [];
  const render = (sent: Scene) => (scenes.push(sent), blank(sent));
  const look = { style: 'light', width: 900, height: 600, pixelRatio: 1 } as const;
  const market = { metro: 'dallas-tx' };
  const request = { ...look, market, vertical: 'roofing', ...change };
  const map = await drawScoreMap(db, mapsWith({ render }), request);
  const maps = scenes.flatMap(withPanels).map((scene) => {
    const { labels, surface } = paint(scene);
    surface.release();
    const planned = scene.sources['zip-labels'] as Feature[];
    return { scene, planned, labels, zips: labels.filter(isZipLabel) };
  });
  return { map, maps, ...maps[0]! };
}

const withPanels = (scene: Scene): Scene[] => [
  { ...scene, panels: [] },
  ...(scene.panels ?? []).map((panel) => panel.scene),
];

const isZipLabel = ({ layer }: LayerLabel) => layer === 'zip-names';

/** Too small for a key */
const WITHOUT_NUMBERS = { width: 780, height: 520 };

describe('labels of ZIP codes', () => {
  it.each<[string, Partial<ScoreMapRequest>]>([
    ['a metro', {}],
    ['a small picture', { width: 400, height: 300 }],
    ['a map with insets', { width: 1200, height: 800 }],
    ['another style at ratio 2', { market: { metro: 'seattle-wa' }, style: 'dark', pixelRatio: 2 }],
    ['a view inside the metro', { camera: { center: [-96.8, 32.8], zoom: 10.4 } }],
    ['both contents', { zipLabels: 'both' }],
  ])('are whole, overlap nothing, and are all drawn: %s', async (name, change) => {
    const { map, maps } = await labelsOf(change);
    expect(map.unlabeled.length).toBeGreaterThan(0);
    expect(maps.length).toBeGreaterThan(name === 'a map with insets' ? 1 : 0);
    for (const { scene, planned, labels, zips } of maps) {
      expect(zips.map(({ text }) => text).toSorted()).toEqual(
        planned.map(({ properties }) => String(properties!.label)).toSorted(),
      );
      expect(planned.length).toBeGreaterThan(1);
      const overlaps = labels.flatMap(({ text, box }, i) =>
        labels
          .slice(i + 1)
          .flatMap((other) => (rectsMeet(box, other.box) ? [[text, other.text]] : [])),
      );
      expect(overlaps).toEqual([]);
      const picture = { minX: 0, minY: 0, maxX: scene.width, maxY: scene.height };
      expect(zips.filter(({ box }) => !rectContains(picture, box))).toEqual([]);
    }
  });

  it('are also on insets of a print, in the band with its map', async () => {
    let sheet: Scene | undefined;
    const render = (scene: Scene) => ((sheet = scene), blank(scene));
    const print = { style: 'light', width: 850, height: 1100, pixelRatio: 1 } as const;
    const request = { ...print, market: { metro: 'dallas-tx' }, vertical: 'roofing' };
    const map = await drawScoreMap(db, mapsWith({ render }), request);
    expect(map.numbered.length).toBeGreaterThan(5);
    const [band] = sheet!.panels!;
    expect(band!.frame.minY).toBeGreaterThan(0);
    const insets = band!.scene.panels!;
    expect(insets.length).toBeGreaterThan(0);
    const { width, height, arranged } = band!.scene;
    const cards = arranged!.cards.filter(({ texts }) => texts.length > 0);
    expect(cards.length).toBeGreaterThan(0);
    for (const [i, { scene, frame }] of insets.entries()) {
      expect(frame).toMatchObject({
        maxX: frame.minX + scene.width,
        maxY: frame.minY + scene.height,
      });
      expect(rectContains({ minX: 0, minY: 0, maxX: width, maxY: height }, frame)).toBe(true);
      const others = [
        ...insets.slice(i + 1).map((inset) => inset.frame),
        ...cards.map(({ box }) => box),
      ];
      expect(others.filter((other) => rectsMeet(frame, other))).toEqual([]);
    }
  });

  it('are omitted for the same ZIP codes if large text is requested', () => {
    const random = randomFrom(1).next;
    const zips = Array.from({ length: 400 }, (_, i): Feature<Polygon> => {
      const corner = () => [
        -96.8 + (i % 20) * 0.03 + random() * 0.06,
        32.8 + Math.floor(i / 20) * 0.03 + random() * 0.06,
      ];
      const [first, ...rest] = Array.from({ length: 3 }, corner);
      const coordinates = [[first!, ...rest, first!]];
      return {
        type: 'Feature',
        properties: { zip: String(75e3 + i), score: i % 100 },
        geometry: { type: 'Polygon', coordinates },
      };
    });
    const viewport = new Viewport({ center: [-96.5, 33.1], zoom: 11 }, 1600, 1600);
    const picture = { minX: 0, minY: 0, maxX: 1600, maxY: 1600 };
    const unlabeledAt = (textScale: number) => {
      const room = { viewport, picture, obstacles: [], textScale, ...newView() };
      return labelZips(zips, 'both', loadStyle('light'), room).unlabeled;
    };
    expect(unlabeledAt(1).length).toBeGreaterThan(50);
    for (const textScale of [1.2, 1.4, 1.7]) expect(unlabeledAt(textScale)).toEqual(unlabeledAt(1));
  });

  it('are counted as missing only for ZIP codes in the picture', async () => {
    const distant = ['85003', '85004', '85006', '85007'];
    const dallas = ['75201', '75202', '75204', '75205', '75206', '75214', '75219', '75246'];
    const market = { zips: [...dallas, ...distant] };
    const { map } = await labelsOf({ market, camera: { center: [-96.8, 32.8], zoom: 8.5 } });
    expect(map.unlabeled.length).toBeGreaterThan(0);
    expect(map.unlabeled.filter((zip) => distant.includes(zip))).toEqual([]);
  });

  it('are missing on a large map of a large area, unless dots have names', async () => {
    const large = { width: 1200, height: 800 };
    const { map, planned } = await labelsOf({ market: { state: 'TX' }, ...large });
    expect({ planned, numbered: map.numbered }).toEqual({ planned: [], numbered: [] });
    expect(map.unlabeled.length).toBe(map.zips);
    const market = { zips: ['33131', '75201', '98101'] };
    const dots = await labelsOf({ market, ...large });
    expect(dots.map.unlabeled).toEqual([]);
  });

  it('are missing for a ZIP code with only its smaller part in the picture', () => {
    const square = (west: number, side: number) => ringOf([west, 32.7, west + side, 32.7 + side]);
    const island: Feature<MultiPolygon> = {
      type: 'Feature',
      properties: { zip: '75201' },
      geometry: { type: 'MultiPolygon', coordinates: [[square(-96.8, 0.001)], [square(-90, 1)]] },
    };
    const viewport = new Viewport({ center: [-96.8, 32.7], zoom: 11 }, 400, 400);
    const picture = { minX: 0, minY: 0, maxX: 400, maxY: 400 };
    const room = { viewport, picture, obstacles: [], ...newView() };
    const { labels, unlabeled } = labelZips([island], 'zip', loadStyle('light'), room);
    expect({ labels, unlabeled }).toEqual({ labels: [], unlabeled: [island] });
  });

  it('become smaller before they are omitted', async () => {
    const { planned } = await labelsOf(WITHOUT_NUMBERS);
    const sizes = new Set(planned.map(({ properties }) => properties!.labelSize as number));
    expect(sizes.size).toBe(3);
    expect(Math.min(...sizes)).toBe(7.5);
  });

  it('show the ZIP code, the score, both if they fit, or nothing', async () => {
    const texts = async (zipLabels: ScoreMapRequest['zipLabels']) =>
      (await labelsOf({ ...WITHOUT_NUMBERS, zipLabels })).zips.map(({ text }) => text);
    const both = await texts('both');
    expect(both.some((text) => /^\d{5}\n\d{1,3}$/.test(text))).toBe(true);
    expect(both.some((text) => /^\d{5}$/.test(text))).toBe(true);
    expect((await texts('zip')).every((text) => /^\d{5}$/.test(text))).toBe(true);
    // A ZIP code without a score keeps its name.
    expect((await texts('score')).every((text) => /^(\d{1,3}|\d{5})$/.test(text))).toBe(true);
    expect(await texts('none')).toEqual([]);
  });

  it('become numbers with a key if only numbers fit, and the picture doesn’t mention missing ones', async () => {
    const market = { metro: 'tampa-fl' };
    const large = { market, width: 1200, height: 800, zipLabels: 'both' } as const;
    const { map, maps, scene } = await labelsOf(large);
    const planned = maps.flatMap((each) => each.planned);
    const labels = maps.flatMap((each) => each.labels);
    expect(maps.length).toBeGreaterThan(1);
    expect(map.numbered.length).toBeGreaterThan(5);
    const { key } = scene.furniture!;
    const names = (text: string) => text.replace(/ \(\d+\)$/, '');
    expect(key!.entries.map(({ text }) => names(text))).toEqual(map.numbered);
    expect(key!.entries.some(({ text }) => /^\d{5} \(\d+\)$/.test(text))).toBe(true);
    const onMap = new Map(planned.map(({ properties }) => [properties!.label, properties!.zip]));
    for (const { number, text } of key!.entries) expect(onMap.get(`${number}`)).toBe(names(text));
    const texts = labels.map(({ text }) => text);
    expect(key!.entries.filter(({ number }) => !texts.includes(`${number}`))).toEqual([]);
    expect(map.unlabeled.length).toBeGreaterThan(0);
    expect(JSON.stringify(scene.furniture)).not.toContain('no label');
    const named = new Set(planned.map(({ properties }) => properties!.zip as string));
    expect(named.size).toBe(map.zips - map.unlabeled.length);
    const { map: alone } = await labelsOf({ ...large, insets: false });
    expect(map.unlabeled.length).toBeLessThan(alone.unlabeled.length);
    expect(map.numbered.length).toBeLessThan(alone.numbered.length);

    const small = await labelsOf({ width: 600, height: 400 });
    expect(small.scene.furniture!.key).toBeUndefined();
    expect(small.map.unlabeled.length).toBeGreaterThan(0);
    expect(JSON.stringify(small.scene.furniture)).not.toContain('no label');
    const without = await labelsOf({ ...large, zipLabels: 'none' });
    expect(without.map.unlabeled).toEqual([]);
  });
});
