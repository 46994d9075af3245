import { describe, expect, it } from 'vitest';
import type {
  LayerSpecification,
  SymbolLayerSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import { blend, MIN_CONTRAST } from '../../../src/data/basemap/label-inks.ts';
import { contrast } from '../../../src/render/contrast.ts';
import { paletteOf } from '../../../src/data/basemap/palette.ts';
import { loadStyle, readWithPalette, STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { styleVariant } from '../../../src/maps/cartography/style-variant.ts';
import { createExpression } from '../../../src/render/style-spec.ts';

/** Evaluates a value of a style for a feature with these properties. */
function evaluate(value: unknown, properties: Record<string, unknown>, zoom = 10): string {
  if (!Array.isArray(value)) return String(value);
  const compiled = createExpression(value, 'layers[0].paint.text-color');
  if (compiled.result === 'error') throw new Error(compiled.value.map(String).join());
  return String(compiled.value.evaluate({ zoom }, { type: 'Point', properties } as never));
}

const ZIPS = [
  ...['live', 'pending', 'removed', 'plain'].map((status) => ({ status })),
  ...[0, 20, 40, 60, 80, null].map((score) => ({ score })),
];

describe.each(STYLE_NAMES)('labels in the style %s', (name) => {
  const whole = loadStyle(name);
  const palette = paletteOf(whole)!;
  const paintOf = (layers: readonly LayerSpecification[], id: string) =>
    layers.find((layer) => layer.id === id)!.paint as Record<string, unknown>;

  it.each([false, true])(
    'of ZIP codes contrast with every fill (transparent: %s)',
    (transparent) => {
      const { layers } = styleVariant(whole, { transparent });
      const fill = paintOf(layers, 'zip-fill');
      const low = ZIPS.flatMap((zip) => {
        const own = evaluate(fill['fill-color'], zip);
        const shown = blend(own, palette.land, fill['fill-opacity'] as number);
        const names = paintOf(layers, 'zip-names');
        const ink = evaluate(names['text-color'], zip);
        // Where a road or a border crosses a label, only the halo is behind the text.
        const pairs = [
          contrast(ink, shown),
          contrast(ink, evaluate(names['text-halo-color'], zip)),
        ];
        return pairs.filter((ratio) => ratio < MIN_CONTRAST).map((ratio) => [zip, ink, ratio]);
      });
      expect(low).toEqual([]);
    },
  );

  /** The layers under the labels of each layer, besides the layer's own halo */
  const GROUNDS: Record<string, readonly unknown[]> = {
    'county-names': [palette.land, paintOf(whole.layers, 'background')['background-color']],
    'lake-names': [palette.water],
  };

  it('of the basemap contrast with the ground and their halos', () => {
    const symbols = whole.layers.filter(
      (layer): layer is SymbolLayerSpecification =>
        layer.type === 'symbol' && !layer.id.startsWith('zip-names') && layer.id !== 'road-shields',
    );
    const low = symbols.flatMap(({ id, paint }) => {
      const ink = String(paint!['text-color']);
      const halo = blend(String(paint!['text-halo-color']), palette.land, 1);
      return [halo, ...(GROUNDS[id] ?? [])]
        .map((ground) => [id, ink, ground, contrast(ink, String(ground))] as const)
        .filter(([, , , ratio]) => ratio < MIN_CONTRAST);
    });
    expect(low).toEqual([]);
  });

  it.each([
    ['interstate', 'I '],
    ['us-highway', 'US'],
  ])('on the shield %s contrast with its drawing', (icon, prefix) => {
    const ink = evaluate(paintOf(whole.layers, 'road-shields')['text-color'], { name: prefix });
    const drawing = readWithPalette(`styles/sprite/${icon}.svg`, name);
    // The edge, then the face on which the number is drawn.
    const [, face] = [...drawing.matchAll(/fill="([^"]+)"/g)].map(([, color]) => color!);
    expect(contrast(ink, face!)).toBeGreaterThanOrEqual(MIN_CONTRAST);
  });
});
