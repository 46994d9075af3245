import { accept, type LayerSubset } from './subset.ts';

export const CIRCLE_SUBSET: LayerSubset = {
  layout: accept('visibility circle-sort-key'),
  paint: {
    ...accept('circle-radius circle-blur circle-color circle-opacity circle-translate'),
    ...accept('circle-stroke-width circle-stroke-color circle-stroke-opacity'),
    ...accept('circle-translate-anchor circle-pitch-scale circle-pitch-alignment'),
  },
};
