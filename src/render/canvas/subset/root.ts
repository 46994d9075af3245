/** The part of the style specification that the canvas engine draws. Everything else is refused. */
import { BACKGROUND_SUBSET } from './background.ts';
import { CIRCLE_SUBSET } from './circle.ts';
import { EXTRUSION_SUBSET } from './extrusion.ts';
import { FILL_SUBSET } from './fill.ts';
import { HEATMAP_SUBSET } from './heatmap.ts';
import { HILLSHADE_SUBSET } from './hillshade.ts';
import { LINE_SUBSET } from './line.ts';
import { RASTER_SUBSET } from './raster.ts';
import { RELIEF_SUBSET } from './relief.ts';
import { accept, type LayerSubset, type Subset } from './subset.ts';
import { SYMBOL_SUBSET } from './symbol.ts';

export const STYLE_SUBSET: Subset = {
  ...accept('version name metadata center zoom bearing pitch roll state sources layers glyphs'),
  ...accept('sprite'),
  // Transitions animate changes, and a picture is still.
  ...accept('transition light sky'),
  centerAltitude: [0],
  projection: [{ type: 'mercator' }],
};

export const LAYER_KEYS = new Set(
  'id type source source-layer minzoom maxzoom filter layout paint metadata interactive'.split(' '),
);

/** By layer type */
export const LAYER_SUBSETS: Readonly<Record<string, LayerSubset>> = {
  background: BACKGROUND_SUBSET,
  circle: CIRCLE_SUBSET,
  'color-relief': RELIEF_SUBSET,
  fill: FILL_SUBSET,
  'fill-extrusion': EXTRUSION_SUBSET,
  heatmap: HEATMAP_SUBSET,
  hillshade: HILLSHADE_SUBSET,
  line: LINE_SUBSET,
  raster: RASTER_SUBSET,
  symbol: SYMBOL_SUBSET,
};
