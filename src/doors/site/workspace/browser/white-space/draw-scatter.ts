/** Paints the scatter plot of white space on a canvas, in the colors of the page. */
import {
  WHITE_SPACE_CLASSES,
  type WhiteSpaceClass,
  type WhiteSpaceLimits,
} from '../../../../../territories/own-data/white-space.ts';
import type { Point } from '../selection/distance.ts';
import type { ScatterFrame, ScatterScale } from './scatter-scale.ts';

interface ScatterPicture {
  width: number;
  height: number;
  frame: ScatterFrame;
  scale: ScatterScale;
  /** By number of ZIP code; NaN if unknown */
  points: readonly Point[];
  classes: readonly (WhiteSpaceClass | null)[];
  limits: WhiteSpaceLimits;
  selection: ReadonlySet<number>;
  hovered: number | null;
  lasso: readonly Point[];
  rateLabel: string;
}

const FONT_PX = 11;
/** Many points are smaller. */
const radiusOf = (count: number) => (count > 600 ? 2 : count > 200 ? 2.75 : 3.5);

export function drawScatter(canvas: HTMLCanvasElement, picture: ScatterPicture): void {
  const { width, height, points, classes, selection, hovered, lasso } = picture;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const [ink, paper] = [color('ink'), color('paper')];
  drawAxes(context, picture, { font: style.fontFamily, color });

  const radius = radiusOf(points.length);
  const dot = (zip: number, size: number) => {
    const [x, y] = points[zip]!;
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
  };
  // White space is painted last, over the others.
  for (const name of WHITE_SPACE_CLASSES.toReversed()) {
    context.fillStyle = color(`class-space-${name}`);
    for (const [zip, own] of classes.entries()) {
      if (own !== name) continue;
      dot(zip, radius);
      context.fill();
    }
  }
  context.lineWidth = 1.5;
  context.strokeStyle = ink;
  for (const zip of selection) {
    if (!classes[zip]) continue;
    dot(zip, radius + 0.75);
    context.stroke();
  }
  if (hovered !== null && classes[hovered]) {
    context.fillStyle = color(`class-space-${classes[hovered]}`);
    dot(hovered, radius + 3);
    context.fill();
    context.lineWidth = 4;
    context.strokeStyle = paper;
    context.stroke();
    context.lineWidth = 2;
    context.strokeStyle = ink;
    context.stroke();
  }
  if (lasso.length > 1) {
    context.beginPath();
    for (const [x, y] of lasso) context.lineTo(x, y);
    context.closePath();
    context.globalAlpha = 0.1;
    context.fillStyle = ink;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.stroke();
  }
}

function drawAxes(
  context: CanvasRenderingContext2D,
  { width, height, frame, scale, limits, rateLabel }: ScatterPicture,
  { font, color }: { font: string; color: (name: string) => string },
): void {
  const { left, right, top, bottom } = frame;
  const line = (x1: number, y1: number, x2: number, y2: number) => {
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  };
  context.font = `${FONT_PX}px ${font}`;
  context.strokeStyle = color('hairline');
  context.fillStyle = color('quiet-ink');
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const rate of scale.ticks) {
    const y = Math.round(scale.y(rate)) + 0.5;
    line(left, y, right, y);
    context.fillText(rate.toLocaleString('en-US'), left - 5, y);
  }
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (const score of [0, 20, 40, 60, 80, 100]) {
    const isLast = score === 100;
    context.textAlign = isLast ? 'right' : 'center';
    context.fillText(String(score), isLast ? width : scale.x(score), height - 17);
  }
  context.textAlign = 'center';
  context.fillText('Score', (left + right) / 2, height - 3);
  context.textAlign = 'left';
  context.fillText(rateLabel, 0, 10);
  // Below the thresholds to the right is white space.
  context.strokeStyle = color('ink');
  context.setLineDash([4, 3]);
  context.lineWidth = 1.25;
  const [x, y] = [scale.x(limits.strongFrom), scale.y(limits.servedFrom)];
  line(x, top, x, bottom + 16);
  line(left, y, right, y);
  context.setLineDash([]);
}
