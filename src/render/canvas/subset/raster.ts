import { accept, type LayerSubset } from './subset.ts';

export const RASTER_SUBSET: LayerSubset = {
  layout: accept('visibility'),
  paint: {
    ...accept('raster-opacity raster-hue-rotate raster-brightness-min raster-brightness-max'),
    ...accept('raster-saturation raster-contrast raster-resampling resampling'),
    // Applies to tiles that load one after another.
    ...accept('raster-fade-duration'),
    'raster-layer-blend': ['normal'],
  },
};
