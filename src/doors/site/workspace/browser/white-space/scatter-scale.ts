/** Where the scatter plot shows a score and a rate, in CSS pixels. Pure. */

export interface ScatterScale {
  x(score: number): number;
  y(rate: number): number;
  /** Rates with a line of the grid and a label */
  ticks: readonly number[];
}

export interface ScatterFrame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * If the highest rate is more than this many times the median, a linear axis would press most points into its lowest
 * pixels.
 */
const SKEWED = 6;
const TICK_PX = 26;

/**
 * @param highest the highest rate
 * @param typical the median; the axis is logarithmic above it, and linear near 0, if the highest rate is much higher
 */
export function scatterScale(
  frame: ScatterFrame,
  highest: number,
  typical: number | null,
): ScatterScale {
  const { left, right, top, bottom } = frame;
  const most = highest > 0 ? highest : 1;
  const isSkewed = typical !== null && most > SKEWED * typical;
  const stretch = (rate: number) => (isSkewed ? Math.log1p(rate / typical) : rate);
  const y = (rate: number) => bottom - ((bottom - top) * stretch(rate)) / stretch(most);
  const ticks: number[] = [0];
  for (const rate of roundNumbers(most)) {
    const isFree = ticks.every((other) => y(other) - y(rate) >= TICK_PX);
    if (rate <= most && isFree) ticks.push(rate);
  }
  return { x: (score) => left + ((right - left) * score) / 100, y, ticks };
}

/** `0.1, 0.2, 0.5, 1, …` up to ten times the number, over four orders of magnitude */
function roundNumbers(most: number): number[] {
  const digits = Math.floor(Math.log10(most));
  return [-3, -2, -1, 0].flatMap((step) =>
    [1, 2, 5].map((factor) => Number((factor * 10 ** (digits + step)).toPrecision(1))),
  );
}
