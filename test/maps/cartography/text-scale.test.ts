import { expect, it } from 'vitest';
import { loadStyle, STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { scaleTexts } from '../../../src/maps/cartography/furniture/text-scale.ts';
import { createExpression } from '../../../src/render/style-spec.ts';

/** Text sizes by layer at a zoom */
function sizesAt(zoom: number, { layers }: ReturnType<typeof loadStyle>) {
  const sizes = new Map<string, number>();
  for (const layer of layers) {
    const size = layer.type === 'symbol' ? layer.layout?.['text-size'] : undefined;
    if (size === undefined) continue;
    const compiled = createExpression(size, 'text-size');
    if (compiled.result === 'error') throw new Error(`${layer.id} has an invalid size`);
    sizes.set(layer.id, compiled.value.evaluate({ zoom }, { type: 1, properties: {} }) as number);
  }
  return sizes;
}

/** Labels of ZIP codes get their sizes one by one, and shields have the size of their icons. */
const UNCHANGED = new Set(['zip-names', 'road-shields']);

it.each(STYLE_NAMES)(
  'scales the names of places and areas in the style %s at every zoom',
  (name) => {
    const style = loadStyle(name);
    const scaled = scaleTexts(style, 1.4);
    for (const zoom of [3, 6.5, 8, 11, 15]) {
      const [before, after] = [sizesAt(zoom, style), sizesAt(zoom, scaled)];
      expect(before.size).toBeGreaterThan(9);
      for (const [layer, size] of before) {
        const expected = UNCHANGED.has(layer) ? size : 1.4 * size;
        expect([layer, after.get(layer)]).toEqual([layer, expect.closeTo(expected, 6)]);
      }
    }
    expect(scaleTexts(style, 1)).toBe(style);
  },
);
