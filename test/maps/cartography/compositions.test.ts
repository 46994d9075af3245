import { describe, expect, it } from 'vitest';
import {
  COMPOSITION_NAMES,
  COMPOSITIONS,
  compositionByShape,
} from '../../../src/maps/cartography/compositions.ts';
import { scaleBarOf } from '../../../src/maps/cartography/furniture/scale-bar.ts';
import { sheetFor } from '../../../src/maps/cartography/panels/single-map.ts';
import { measureEm } from '../../../src/render/canvas/text/measure.ts';
import { FACES } from '../../../src/render/furniture/typography.ts';
import { sizeProblems } from '../../../src/render/scene.ts';
import { rectContains } from '../../../src/base/spatial/flat.ts';

const furniture = {
  title: 'Roofing demand by ZIP code',
  subtitle: 'Los Angeles-Long Beach-Anaheim, CA',
  legend: {
    title: 'Demand score',
    method: 'Quantiles of this map',
    classes: ['0–44', '45–62', '63–75', '76–85', '86–100'].map((label) => ({
      label,
      color: '#888888',
    })),
    range: [0, 100] as const,
  },
  vintage: 'ACS 5-Year 2019–2023',
  attribution: 'Census Bureau, Natural Earth',
  shortAttribution: ['Census Bureau, Natural Earth', 'Census Bureau and others'],
};

describe('compositions', () => {
  it('have the pixels of their medium and can be drawn', () => {
    const pixels = COMPOSITION_NAMES.map((name) => {
      const { width, height, pixelRatio } = COMPOSITIONS[name];
      expect(sizeProblems({ width, height, pixelRatio })).toEqual([]);
      return `${name} ${width * pixelRatio}x${height * pixelRatio}`;
    });
    expect(pixels).toEqual([
      'thumbnail 600x400',
      'social 1200x630',
      'square 1080x1080',
      'story 1080x1920',
      'banner 1500x500',
      'print 2550x3300',
    ]);
  });

  it('are chosen by the shape of a picture', () => {
    for (const name of COMPOSITION_NAMES) {
      const { width, height } = COMPOSITIONS[name];
      expect(compositionByShape(width, height)).toBe(name);
    }
    expect([compositionByShape(1200, 800), compositionByShape(256, 256)]).toEqual([
      'social',
      'thumbnail',
    ]);
  });

  it.each(['story', 'banner', 'print'] as const)(
    'place title, legend, and sources beside the map: %s',
    (name) => {
      const { width, height, covered } = COMPOSITIONS[name];
      const sheet = sheetFor(COMPOSITIONS[name], furniture, width, height);
      const { cards } = sheet.arrange([{ caption: null, frame: sheet.room }]);
      const texts = cards.flatMap((card) => card.texts);
      const roles = new Set(texts.map(({ role }) => role));
      expect([...roles]).toEqual(expect.arrayContaining(['title', 'legend-label', 'source']));
      for (const { x, y, sizePx, text, role } of texts) {
        expect(x + measureEm(text, FACES[role]) * sizePx).toBeLessThanOrEqual(width);
        expect(y - sizePx).toBeGreaterThanOrEqual(covered.top * height - 1);
        expect(y).toBeLessThanOrEqual((1 - covered.bottom) * height);
        const isOverMap = rectContains(sheet.room, { minX: x, minY: y, maxX: x, maxY: y });
        expect(isOverMap).toBe(false);
      }
    },
  );
});

describe('a scale bar', () => {
  it('is right for the latitude, in miles and in kilometers', () => {
    // At zoom 8, a degree of longitude is 364.09 pixels wide: 111.32 km on the equator.
    expect(scaleBarOf({ center: [0, 0], zoom: 8 }, 1000)).toEqual([
      { label: '20 miles', lengthPx: expect.closeTo(105.27, 1) },
      { label: '20 km', lengthPx: expect.closeTo(65.41, 1) },
    ]);
    const [, kilometers] = scaleBarOf({ center: [-100, 60], zoom: 8 }, 1000);
    expect(kilometers).toEqual({ label: '20 km', lengthPx: expect.closeTo(130.83, 1) });
    expect(scaleBarOf({ center: [0, 0], zoom: 13 }, 500)[0]!.label).toBe('0.5 miles');
  });
});
