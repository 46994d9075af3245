import { accept, type LayerSubset } from './subset.ts';

export const HILLSHADE_SUBSET: LayerSubset = {
  layout: accept('visibility'),
  paint: {
    ...accept('hillshade-illumination-direction hillshade-illumination-altitude'),
    ...accept('hillshade-illumination-anchor hillshade-exaggeration hillshade-shadow-color'),
    ...accept('hillshade-highlight-color hillshade-accent-color hillshade-method resampling'),
  },
};
