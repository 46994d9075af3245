import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrangeFurniture, type Arrangement } from '../../../src/render/furniture/arrange.ts';
import { truncateText, wrapText } from '../../../src/render/furniture/text-block.ts';
import { rectContains, rectsMeet, type RectPx } from '../../../src/base/spatial/flat.ts';
import type { MapFurniture } from '../../../src/render/furniture/furniture.ts';
import { picture, scene, white, WHITE } from '../pictures.ts';

const measure = (text: string) => text.length * 0.56;

const legend = {
  title: 'Demand score',
  classes: ['0–19', '20–39', '40–59', '60–79', '80–100'].map((label, i) => ({
    label,
    color: `rgb(${i},${i},${i})`,
  })),
  noData: { label: 'No data', color: '#999999' },
  range: [0, 100] as const,
  histogram: [3, 0, 9, 4, 1].map((count, i) => ({ count, color: `rgb(${i},${i},${i})` })),
};

const furniture: MapFurniture = {
  title: 'Roofing demand, Dallas–Fort Worth',
  subtitle: 'Home-services demand score by ZIP code',
  legend,
  vintage: 'ACS 5-Year 2019–2023',
  attribution: 'US Census Bureau, Natural Earth',
  shortAttribution: ['Census, Natural Earth', 'Census and others'],
};

const roles = (plan: Arrangement) => plan.cards.map(({ texts }) => texts[0]?.role);

describe('arrangeFurniture', () => {
  it('never overlaps cards, leaves the picture, or covers most of it, at any size', () => {
    const side = fc.integer({ min: 64, max: 2048 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const { boxes, cards } = arrangeFurniture(furniture, width, height, measure);
        const whole = { minX: 0, minY: 0, maxX: width, maxY: height };
        let covered = 0;
        for (const [i, box] of boxes.entries()) {
          expect(rectContains(whole, box)).toBe(true);
          for (const other of boxes.slice(i + 1)) expect(rectsMeet(box, other)).toBe(false);
          covered += (box.maxX - box.minX) * (box.maxY - box.minY);
        }
        expect(covered).toBeLessThan(0.45 * width * height);
        for (const { box, texts, swatches } of cards) {
          for (const { text, x, y, sizePx } of texts) {
            expect(x).toBeGreaterThanOrEqual(box.minX);
            expect(x + measure(text) * sizePx).toBeLessThanOrEqual(box.maxX + 1e-6);
            expect(y).toBeLessThan(box.maxY);
            expect(y - sizePx * 0.75).toBeGreaterThanOrEqual(box.minY);
          }
          for (const swatch of swatches) expect(rectContains(box, swatch.box)).toBe(true);
        }
      }),
    );
  });

  it('places all pieces in their corners on a picture of ordinary size', () => {
    const { cards } = arrangeFurniture(furniture, 1200, 800, measure);
    expect(cards.map(({ texts }) => texts[0]?.role)).toEqual(['source', 'title', 'legend-title']);
    const [source, title, legendCard] = cards.map(({ box }) => box);
    expect([source?.maxX, source?.maxY]).toEqual([1200, 800]);
    expect([title!.minX < 30, title!.minY < 30]).toEqual([true, true]);
    expect([legendCard!.minX < 30, legendCard!.maxY > 770]).toEqual([true, true]);
  });

  it('places the key beside the territory if it fits into no corner', () => {
    const entries = Array.from({ length: 60 }, (_, i) => ({ number: i + 1, text: '75201' }));
    const key = { title: 'Small ZIP codes', entries };
    // Two bands across the picture leave room in the middle.
    const territory = [
      { minX: 0, minY: 0, maxX: 1200, maxY: 250 },
      { minX: 0, minY: 500, maxX: 1200, maxY: 800 },
    ];
    const { cards } = arrangeFurniture({ ...furniture, key }, 1200, 800, measure, territory);
    const { box } = cards.find(({ texts }) => texts[0]?.text === key.title)!;
    expect([box.minY > 250, box.maxY < 500]).toEqual([true, true]);
    expect(cards.filter((card) => rectsMeet(card.box, box))).toHaveLength(1);
    // The outline of an inset's part is as free of it as the territory.
    const [above, ...enlarged] = territory;
    const around = { ...furniture, key, enlarged };
    const plan = arrangeFurniture(around, 1200, 800, measure, [above!]);
    expect(plan.cards.find(({ texts }) => texts[0]?.text === key.title)!.box).toEqual(box);
  });

  it('continues the key on a second card if it fits nowhere, and omits it if that is too small as well', () => {
    // Two free rectangles, each with room for less than 60 entries
    const territory = [
      { minX: 0, minY: 0, maxX: 1200, maxY: 560 },
      { minX: 420, minY: 560, maxX: 780, maxY: 800 },
    ];
    const listed = (count: number) => {
      const entries = Array.from({ length: count }, (_, i) => ({ number: i + 1, text: '75201' }));
      const key = { title: 'Small ZIP codes', entries };
      const plan = arrangeFurniture({ title: 'Roofing', key }, 1200, 800, measure, territory);
      const cards = plan.cards.filter(({ texts }) => texts[0]?.text === key.title);
      for (const { box } of cards) {
        expect(territory.some((part) => rectsMeet(box, part))).toBe(false);
        expect(plan.cards.filter((card) => rectsMeet(card.box, box))).toHaveLength(1);
      }
      return cards.map(({ texts }) =>
        texts.slice(1).flatMap(({ text }) => (text === '75201' ? [] : [Number(text)])),
      );
    };
    expect(listed(30)).toHaveLength(1);
    const parts = listed(100);
    expect(parts).toHaveLength(2);
    expect(parts.flat()).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(listed(300)).toEqual([]);
  });

  it('places the legend in the corner where it hides least of the territory', () => {
    const legendIn = (territory: readonly RectPx[]) => {
      const { cards } = arrangeFurniture(furniture, 1200, 800, measure, territory);
      const { minX, minY } = cards[2]!.box;
      return `${minY < 400 ? 'top' : 'bottom'} ${minX < 600 ? 'left' : 'right'}`;
    };
    const left = { minX: 0, minY: 0, maxX: 500, maxY: 800 };
    const bottom = { minX: 0, minY: 500, maxX: 1200, maxY: 800 };
    const right = { minX: 700, minY: 0, maxX: 1200, maxY: 800 };
    expect([[], [left], [bottom], [right]].map(legendIn)).toEqual([
      'bottom left',
      'bottom right',
      'top right',
      'bottom left',
    ]);
  });

  it('gives small pictures smaller pieces, and always names a source', () => {
    const small = arrangeFurniture(furniture, 300, 200, measure);
    expect(roles(small)).toEqual(['source', 'caption', 'legend-label']);
    expect(small.cards[2]!.texts.map(({ text }) => text)).toEqual(['Demand score  0', '100']);
    expect(small.cards[2]!.swatches.length).toBe(5);
    const [source, ...others] = arrangeFurniture(furniture, 64, 64, measure).cards;
    expect(source!.texts.map(({ text }) => text).join(' ')).toBe('Census and others');
    expect(others).toEqual([]);
    expect(roles(arrangeFurniture(furniture, 600, 315, measure))).toContain('legend-title');
  });

  it('shows the histogram only where there is room for it', () => {
    const barsAt = (width: number, height: number) =>
      arrangeFurniture(furniture, width, height, measure).cards.flatMap(({ swatches }) =>
        swatches.filter(({ isBar }) => isBar),
      ).length;
    expect([barsAt(1200, 800), barsAt(420, 280)]).toEqual([4, 0]);
  });

  it('joins vintage and attribution in one line', () => {
    const { cards } = arrangeFurniture(furniture, 1200, 800, measure);
    expect(cards[0]?.texts[0]?.text).toBe('ACS 5-Year 2019–2023 · US Census Bureau, Natural Earth');
    expect(arrangeFurniture({}, 1200, 800, measure).cards).toEqual([]);
    expect(roles(arrangeFurniture({ attribution: 'Census' }, 1200, 800, measure))).toEqual([
      'source',
    ]);
  });

  it('lists the highest class first and "no data" last', () => {
    const { cards } = arrangeFurniture({ legend }, 1200, 800, measure);
    // The ends of the histogram come before the classes.
    expect(cards[0]?.texts.map(({ text }) => text)).toEqual([
      'Demand score',
      '0',
      '100',
      '80–100',
      '60–79',
      '40–59',
      '20–39',
      '0–19',
      'No data',
    ]);
    const swatches = cards[0]!.swatches.filter(({ isBar }) => !isBar);
    expect(swatches.map(({ color }) => color)).toEqual(
      [...legend.classes.toReversed(), legend.noData].map(({ color }) => color),
    );
  });

  it('puts furniture over the map', async () => {
    const result = await picture(
      scene([white], [], { width: 600, height: 400, furniture: { legend } }),
    );
    const colors = new Set<string>();
    for (let y = 200; y < 400; y++) colors.add(result.at(24, y).join());
    expect(colors).toContain('153,153,153,255');
    expect(result.at(400, 100)).toEqual(WHITE);
  });
});

const letters = (text: string) => text.length;

describe('text blocks', () => {
  it('break between words', () => {
    expect(wrapText('one two  three', 7, letters)).toEqual(['one two', 'three']);
    expect(wrapText('', 7, letters)).toEqual([]);
  });

  it('end with an ellipsis where they are cut', () => {
    expect(truncateText('one two three four', 7, 2, letters)).toEqual(['one two', 'three…']);
    expect(truncateText('incomprehensible', 7, 2, letters)).toEqual(['incomp…']);
  });
});
