import { accept, type LayerSubset } from './subset.ts';

export const RELIEF_SUBSET: LayerSubset = {
  layout: accept('visibility'),
  paint: accept('color-relief-color color-relief-opacity resampling'),
};
