import { expect, it } from 'vitest';
import { loadStyle, STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { styleVariant } from '../../../src/maps/cartography/style-variant.ts';

it.each(STYLE_NAMES)('removes all labels, but no lines, from the style %s', (name) => {
  const types = styleVariant(loadStyle(name), { labels: false }).layers.map(({ type }) => type);
  expect(types).not.toContain('symbol');
  expect(types).toContain('line');
});
