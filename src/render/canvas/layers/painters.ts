/** The painter of each layer type. */
import { drawBackground } from './background.ts';
import { drawCircle } from './circle.ts';
import { drawColorRelief } from '../relief/color-relief.ts';
import type { LayerType } from '../style/compiled-style.ts';
import { drawExtrusion } from '../extrusion/extrusion.ts';
import { drawFill } from './fill.ts';
import { drawHeatmap } from './heatmap.ts';
import { drawHillshade } from '../relief/hillshade.ts';
import { withLayerOpacity } from './layer-opacity.ts';
import { drawLine } from '../line/line.ts';
import type { Painter } from './painter.ts';
import { drawRaster } from '../imagery/raster-layer.ts';
import { drawLabels } from '../text/draw.ts';

export const PAINTERS: Readonly<Record<LayerType, Painter>> = {
  background: drawBackground,
  circle: drawCircle,
  'color-relief': drawColorRelief,
  fill: withLayerOpacity('fill-layer-opacity', drawFill),
  'fill-extrusion': drawExtrusion,
  heatmap: drawHeatmap,
  hillshade: drawHillshade,
  line: withLayerOpacity('line-layer-opacity', drawLine),
  raster: drawRaster,
  symbol: drawLabels,
};
