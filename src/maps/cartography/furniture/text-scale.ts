/** Scales the texts of a map for media that people view from farther away, or at a smaller size. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';

/** Returns a style with larger or smaller texts. Labels of ZIP codes get their sizes one by one. */
export function scaleTexts(style: StyleSpecification, scale: number): StyleSpecification {
  if (scale === 1) return style;
  const layers = style.layers.map((layer): LayerSpecification => {
    // The shields of roads have the size of their icons.
    const isText = layer.type === 'symbol' && layer.layout?.['icon-image'] === undefined;
    const size = isText ? layer.layout?.['text-size'] : undefined;
    if (size === undefined || layer.type !== 'symbol' || layer.id === 'zip-names') return layer;
    return { ...layer, layout: { ...layer.layout, 'text-size': scaleSize(size, scale) } };
  });
  return { ...style, layers };
}

type TextSize = NonNullable<
  NonNullable<Extract<LayerSpecification, { type: 'symbol' }>['layout']>['text-size']
>;

/** Scales a number or the outputs of an interpolation, which begin at index 4. */
function scaleSize(size: TextSize, scale: number): TextSize {
  if (typeof size === 'number') return size * scale;
  return (size as unknown[]).map((part, i) =>
    i >= 4 && i % 2 === 0 ? (part as number) * scale : part,
  ) as TextSize;
}
