import { accept, type LayerSubset } from './subset.ts';

export const HEATMAP_SUBSET: LayerSubset = {
  layout: accept('visibility'),
  paint: accept('heatmap-color heatmap-intensity heatmap-opacity heatmap-radius heatmap-weight'),
};
