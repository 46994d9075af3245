/** The painter of each layer type. */
import { drawBackground } from './background.ts';
import { drawCircle } from './circle.ts';
import type { LayerType } from './compiled-style.ts';
import { drawFill } from './fill.ts';
import { drawLine } from './line.ts';
import type { Painter } from './painter.ts';
import { drawLabels } from './text/draw.ts';

export const PAINTERS: Readonly<Record<LayerType, Painter>> = {
  background: drawBackground,
  circle: drawCircle,
  fill: drawFill,
  line: drawLine,
  symbol: drawLabels,
};
