import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MapFurniture } from '../../../src/render/furniture/furniture.ts';
import { Sheet } from '../../../src/maps/cartography/panels/sheet.ts';
import { layOutPanels } from '../../../src/maps/cartography/panels/panel-layout.ts';
import { rectContains, rectsMeet } from '../../../src/base/spatial/flat.ts';

const measure = (text: string) => text.length * 0.56;

const furniture: MapFurniture = {
  title: 'Roofing demand by ZIP code',
  subtitle: '27 ZIP codes in AZ, TX',
  legend: {
    title: 'Demand score',
    classes: ['0–19', '20–39', '40–59', '60–79', '80–100'].map((label) => ({
      label,
      color: '#888888',
    })),
    noData: { label: 'No data', color: '#999999' },
  },
  vintage: 'ACS 5-Year 2019–2023',
  attribution: 'US Census Bureau, Natural Earth',
};

const area = { bounds: [-97, 32, -96, 33] as [number, number, number, number], zips: 9 };

function planPanels(sheet: Sheet, names: readonly string[]) {
  const frames = layOutPanels(
    names.map(() => area),
    sheet,
  )!;
  return sheet.arrange(
    frames.map((frame, i) => ({ frame, caption: { name: names[i]!, note: '9 ZIP codes' } })),
  );
}

const cardsOf = (sheet: Sheet) => planPanels(sheet, ['Dallas, TX', 'Phoenix, AZ']).cards;
const find = (cards: ReturnType<typeof cardsOf>, text: string) =>
  cards.flatMap(({ texts }) => texts).find((t) => t.text === text)!;

describe('a sheet', () => {
  it('never covers a map or overlaps another card, and contains its texts, at any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 400, max: 2048 }),
        fc.integer({ min: 320, max: 2048 }),
        fc.constantFrom(undefined, 'and 3 ZIP codes elsewhere'),
        (width, height, note) => {
          const sheet = new Sheet({ ...furniture, note }, width, height, measure);
          const { cards, frames } = planPanels(sheet, ['Dallas, TX', 'Phoenix, AZ']);
          expect(cards.length).toBe(4);
          for (const [i, { box, texts, swatches }] of cards.entries()) {
            for (const frame of frames!) expect(rectsMeet(box, frame)).toBe(false);
            for (const other of cards.slice(i + 1)) {
              const inner = { ...box, maxY: box.maxY - 1, maxX: box.maxX - 1 };
              expect(rectsMeet(inner, other.box)).toBe(false);
            }
            for (const { text, x, y, sizePx } of texts) {
              expect(x).toBeGreaterThanOrEqual(0);
              expect(x + measure(text) * sizePx).toBeLessThanOrEqual(width);
              expect([y > box.minY, y <= box.maxY]).toEqual([true, true]);
            }
            for (const swatch of swatches) expect(rectContains(box, swatch.box)).toBe(true);
          }
        },
      ),
    );
  });

  it('places the legend to the right of the title, or below it in a narrow picture', () => {
    const wide = cardsOf(new Sheet(furniture, 900, 600, measure));
    expect(find(wide, 'Demand score').x).toBeGreaterThan(400);
    expect(find(wide, 'Demand score').y).toBeLessThan(find(wide, '27 ZIP codes in AZ, TX').y);
    const narrow = cardsOf(new Sheet(furniture, 420, 600, measure));
    expect(find(narrow, 'Demand score').x).toBeLessThan(20);
    expect(find(narrow, 'Demand score').y).toBeGreaterThan(
      find(narrow, '27 ZIP codes in AZ, TX').y,
    );
  });

  it('notes ZIP codes outside the panels to the left of the sources', () => {
    const note = 'and 3 ZIP codes elsewhere';
    const cards = cardsOf(new Sheet({ ...furniture, note }, 900, 600, measure));
    const source = find(cards, 'ACS 5-Year 2019–2023 · US Census Bureau, Natural Earth');
    expect(find(cards, note).x).toBeLessThan(20);
    expect(find(cards, note).y).toBeCloseTo(source.y, -1);
  });

  it('reserves no room for missing furniture', () => {
    const { room } = new Sheet({}, 900, 600, measure);
    expect(room.maxY - room.minY).toBeGreaterThan(560);
    expect(cardsOf(new Sheet({}, 900, 600, measure)).length).toBe(2);
  });

  it('truncates a name that is wider than its panel, but never the number of ZIP codes', () => {
    const name = 'A name of a metropolitan area that no panel of this size can hold in one line';
    const { cards } = planPanels(new Sheet(furniture, 500, 400, measure), [name, 'Phoenix, AZ']);
    const texts = cards.flatMap((card) => card.texts).map(({ text }) => text);
    expect(texts).not.toContain(name);
    expect(texts.find((text) => text.startsWith('A name'))).toMatch(/…$/);
    expect(texts.filter((text) => text === '9 ZIP codes').length).toBe(2);
  });
});
