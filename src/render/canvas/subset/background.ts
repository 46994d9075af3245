import { accept, type LayerSubset } from './subset.ts';

export const BACKGROUND_SUBSET: LayerSubset = {
  layout: accept('visibility'),
  paint: accept('background-color background-opacity background-pattern'),
};
