/** Filters of layers, at the zoom of the tiles that a picture shows. */
import type { CompiledLayer } from './compiled-style.ts';
import type { StyleFeature } from './style-feature.ts';

/**
 * The filter of a layer at a zoom. It remembers which features of a list pass, because the same tiles are drawn
 * again and again.
 */
export class LayerFilter {
  private readonly filter: CompiledLayer['filter'];
  private readonly globals: { zoom: number };
  private readonly selected = new WeakMap<readonly object[], readonly object[]>();

  constructor({ filter }: CompiledLayer, zoom: number) {
    this.filter = filter;
    this.globals = { zoom };
  }

  passes(feature: StyleFeature): boolean {
    const { filter, globals } = this;
    return filter === null || filter(globals, feature as never, feature.tile as never);
  }

  /** Returns the features that pass, in their order. The list must not change. */
  select<Feature extends { style: StyleFeature }>(
    features: readonly Feature[],
  ): readonly Feature[] {
    if (this.filter === null) return features;
    let selected = this.selected.get(features) as readonly Feature[] | undefined;
    if (selected === undefined) {
      selected = features.filter(({ style }) => this.passes(style));
      this.selected.set(features, selected);
    }
    return selected;
  }
}

/** By layer, then by zoom */
const filters = new WeakMap<CompiledLayer, LayerFilter[]>();

/** Returns the same filter for each picture of a style. */
export function filterAt(layer: CompiledLayer, zoom: number): LayerFilter {
  let byZoom = filters.get(layer);
  if (byZoom === undefined) filters.set(layer, (byZoom = []));
  return (byZoom[zoom] ??= new LayerFilter(layer, zoom));
}
