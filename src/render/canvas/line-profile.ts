/** How opaque a line is from its sides to its middle: a gap, a blur, or simply all. Pure. */
import { stepCount } from './blend.ts';

export interface LineSides {
  widthPx: number;
  /** Left free in the middle, with the width on either side of it */
  gapPx: number;
  blurPx: number;
}

/** From this distance to the middle inwards, up to the next step, a share (0..1) of the ink. */
export interface ProfileStep {
  halfPx: number;
  share: number;
}

/** From the line's middle to its outer side. */
export function outerHalfPx({ widthPx, gapPx }: LineSides): number {
  return gapPx > 0 ? gapPx / 2 + widthPx : widthPx / 2;
}

/**
 * Steps from the outside inwards.
 *
 * MapLibre smooths an edge over one device pixel, half of it outside; a blur widens that ramp
 * inwards, and into the gap. Strokes smoothed alike, a pixel apart, add up to the same ramp.
 */
export function lineProfile(line: LineSides, pixelRatio: number): ProfileStep[] {
  const outerPx = outerHalfPx(line);
  if (line.gapPx === 0 && line.blurPx === 0) return [{ halfPx: outerPx, share: 1 }];

  const count = stepCount(line.blurPx, pixelRatio);
  const insets = Array.from(
    { length: count },
    (_, i) => (i * line.blurPx) / Math.max(1, count - 1),
  );
  const edges = [
    ...insets.map((insetPx) => ({ halfPx: line.gapPx / 2 - insetPx, rises: false })),
    ...insets.map((insetPx) => ({ halfPx: outerPx - insetPx, rises: true })),
  ]
    .filter(({ halfPx }) => halfPx > 0)
    .sort((a, b) => b.halfPx - a.halfPx);

  let risen = 0;
  let fallen = 0;
  return edges.map(({ halfPx, rises }) => {
    if (rises) risen++;
    else fallen++;
    return { halfPx, share: Math.min(risen, count - fallen) / count };
  });
}
