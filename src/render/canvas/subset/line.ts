import { accept, type LayerSubset } from './subset.ts';

export const LINE_SUBSET: LayerSubset = {
  layout: accept('visibility line-cap line-join line-miter-limit line-round-limit line-sort-key'),
  paint: {
    ...accept('line-layer-opacity line-pattern'),
    'line-layer-blend': ['normal'],
    ...accept('line-color line-opacity line-width line-gap-width line-offset line-blur'),
    ...accept('line-dasharray line-gradient line-translate'),
    ...accept('line-translate-anchor'),
  },
};
