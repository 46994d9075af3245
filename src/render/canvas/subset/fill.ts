import { accept, type LayerSubset } from './subset.ts';

export const FILL_SUBSET: LayerSubset = {
  layout: accept('visibility fill-sort-key'),
  paint: {
    ...accept('fill-layer-opacity fill-pattern'),
    'fill-layer-blend': ['normal'],
    ...accept('fill-antialias fill-color fill-opacity fill-outline-color fill-translate'),
    ...accept('fill-translate-anchor'),
  },
};
