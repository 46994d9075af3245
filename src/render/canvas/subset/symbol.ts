import { accept, type LayerSubset } from './subset.ts';

export const SYMBOL_SUBSET: LayerSubset = {
  layout: {
    ...accept('visibility symbol-placement symbol-spacing symbol-sort-key symbol-z-order'),
    ...accept('text-field text-font text-size text-transform text-letter-spacing'),
    ...accept('text-max-width text-line-height text-justify text-anchor text-variable-anchor'),
    ...accept('text-variable-anchor-offset text-radial-offset text-offset text-padding'),
    ...accept('text-allow-overlap text-overlap text-ignore-placement'),
    ...accept('text-max-angle text-keep-upright text-rotate'),
    // MapLibre GL JS accepts it without effect.
    ...accept('symbol-avoid-edges'),
    ...accept(
      'text-optional icon-image icon-size icon-rotate icon-offset icon-anchor icon-padding',
    ),
    ...accept('icon-allow-overlap icon-overlap icon-ignore-placement icon-optional'),
    ...accept('icon-text-fit icon-text-fit-padding icon-keep-upright'),
    ...accept('icon-rotation-alignment icon-pitch-alignment'),
    ...accept('text-writing-mode'),
    ...accept('text-rotation-alignment text-pitch-alignment'),
  },
  paint: {
    ...accept('text-color text-opacity text-halo-color text-halo-width text-halo-blur'),
    ...accept('icon-color icon-opacity icon-halo-color icon-halo-width icon-halo-blur'),
    ...accept('text-translate icon-translate'),
    ...accept('text-translate-anchor icon-translate-anchor'),
  },
};
