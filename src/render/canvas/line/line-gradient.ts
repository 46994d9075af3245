/** Colors along a line, as `line-gradient` declares, and distances as fractions of a whole line. */
import type { Color, StylePropertyExpression } from '@maplibre/maplibre-gl-style-spec';
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import { ColorRamp, RAMP_STEPS } from '../layers/color-ramp.ts';
import type { SceneLayer } from '../layers/painter.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import type { Pixels } from '../raster/pixels.ts';
import type { LineInk } from '../raster/strip.ts';
import type { ScreenFeature } from '../sources/screen-feature.ts';

/** The part of a line that lies in a tile, as fractions of the whole line's length */
interface LineSpan {
  start: number;
  end: number;
}

/** Returns the part of its line that a feature covers, or null unless its source has `lineMetrics`. */
export function spanOf({ properties }: StyleFeature): LineSpan | null {
  const { geojsonvt_clip_start: start, geojsonvt_clip_end: end } = properties;
  return typeof start === 'number' && typeof end === 'number' ? { start, end } : null;
}

/**
 * MapLibre scales the dashes of a source with `lineMetrics` as if every line had this length, in tile
 * pixels. It is the largest distance that fits its buffers.
 */
export const NOMINAL_LENGTH_PX = 32_767 / 16;

type GradientOf = (feature: ScreenFeature, span: LineSpan) => LineInk;

/**
 * Returns a function that colors a feature, or null for a layer without a gradient.
 *
 * @param overzoom how many times tiles may be enlarged until the largest zoom of a map. Steps stay sharp up
 *   to there.
 */
export function gradientReader(
  { compiled, read, features }: SceneLayer,
  overzoom: number,
): GradientOf | null {
  if (!compiled.given.has('line-gradient') || compiled.given.has('line-pattern')) return null;
  const expression = compiled.properties.get('line-gradient')!;
  const opacity = read<number>('line-opacity');
  const stepsOf = isStep(expression) ? stepCounter(features, overzoom) : null;
  const ramps = new Map<string, ColorRamp>();
  return (feature, { start, end }) => {
    const steps = stepsOf?.(feature) ?? RAMP_STEPS;
    const key = `${start} ${end} ${steps}`;
    let ramp = ramps.get(key);
    if (ramp === undefined) {
      const colorAt = (part: number) =>
        expression.evaluate({
          zoom: 0,
          lineProgress: start * (1 - part) + end * part,
        } as never) as Color;
      ramp = new ColorRamp(colorAt, steps, stepsOf === null);
      ramps.set(key, ramp);
    }
    return new LineGradient(ramp, { start, end }, opacity(feature.style));
  };
}

/** Whether an expression is a `step`, whose colors are not mixed. */
function isStep(expression: StylePropertyExpression): boolean {
  const { _styleExpression: style } = expression as { _styleExpression?: { expression: object } };
  return (
    style !== undefined && 'outputs' in style.expression && !('interpolation' in style.expression)
  );
}

/** Limit of SwiftShader and of most graphics cards */
const MAX_STEPS = 8192;

/**
 * Returns a function that counts the steps of a gradient: one for each pixel of the longest line in the
 * tile, just before the next zoom.
 */
function stepCounter(
  features: readonly ScreenFeature[],
  overzoom: number,
): (feature: ScreenFeature) => number {
  const longest = new Map<ScreenFeature['tile'], number>();
  for (const { tile, lines } of features) {
    longest.set(tile, Math.max(longest.get(tile) ?? 0, ...lines.map(lengthOf)));
  }
  return ({ tile }) => {
    const sides = longest.get(tile)! / (tile!.maxX - tile!.minX);
    const steps = 2 ** Math.ceil(Math.log2(sides * 1024 * overzoom));
    return Math.max(RAMP_STEPS, Math.min(MAX_STEPS, steps));
  };
}

export function lengthOf(line: FlatPoints): number {
  let length = 0;
  for (let i = 2; i < line.length; i += 2) {
    length += Math.hypot(line[i]! - line[i - 2]!, line[i + 1]! - line[i - 1]!);
  }
  return length;
}

class LineGradient implements LineInk {
  private readonly ramp: ColorRamp;
  private readonly span: LineSpan;
  private readonly opacity: number;
  private readonly color = new Float32Array(4);

  constructor(ramp: ColorRamp, span: LineSpan, opacity: number) {
    this.ramp = ramp;
    this.span = span;
    this.opacity = opacity;
  }

  blend(target: Pixels, index: number, along: number, _side: number, share: number): void {
    const { color, span } = this;
    const part = (along / NOMINAL_LENGTH_PX - span.start) / (span.end - span.start);
    this.ramp.write(part, color, 0);
    target.blendColor(index, color[0]!, color[1]!, color[2]!, color[3]!, share * this.opacity);
  }
}
