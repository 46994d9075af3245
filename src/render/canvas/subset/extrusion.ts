import { accept, type LayerSubset } from './subset.ts';

export const EXTRUSION_SUBSET: LayerSubset = {
  layout: {
    ...accept('visibility'),
    'fill-extrusion-rounded-corner-distance': [0],
  },
  paint: {
    ...accept('fill-extrusion-color fill-extrusion-opacity fill-extrusion-translate'),
    ...accept('fill-extrusion-pattern'),
    ...accept('fill-extrusion-height fill-extrusion-base fill-extrusion-vertical-gradient'),
    ...accept('fill-extrusion-translate-anchor'),
  },
};
