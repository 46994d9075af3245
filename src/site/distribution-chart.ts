/** How the scores of a metro are spread, as a histogram of ten bins. */
import { scoreFill } from './colors.ts';
import { html, type Html } from './html.ts';

/** `from` and `to` are scores that both belong to the bin. */
export interface ScoreBin {
  from: number;
  to: number;
  count: number;
}

const WIDTH = 480;
const HEIGHT = 240;
const TOP = 22;
const BASELINE = HEIGHT - 26;
const BAR_GAP = 4;

/**
 * @param label names the chart, for who cannot see it; the numbers stand in the table below it
 */
export function distributionChart(bins: readonly ScoreBin[], label: string): Html {
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  const heightOf = (count: number) => (count / highest) * (BASELINE - TOP);
  const step = WIDTH / bins.length;
  const evenShare = bins.reduce((sum, { count }) => sum + count, 0) / bins.length;
  const bar = ({ from, count }: ScoreBin, i: number) => {
    const height = heightOf(count);
    return html`<rect
        class="${scoreFill(from)}"
        x="${i * step + BAR_GAP / 2}"
        y="${fixed(BASELINE - height)}"
        width="${step - BAR_GAP}"
        height="${fixed(height)}"
      />
      <text x="${(i + 0.5) * step}" y="${fixed(BASELINE - height - 6)}">${count}</text>`;
  };
  const ticks = [...bins.map(({ from }) => from), 100];
  const tick = (score: number, i: number) =>
    i % 2 === 0 &&
    html`<text class="tick" x="${i * step}" y="${HEIGHT - 6}" text-anchor="${anchor(i, ticks)}">
      ${score}
    </text>`;
  const even = fixed(BASELINE - heightOf(evenShare));
  return html`<figure class="chart">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
      ${bins.map(bar)}
      <line class="even" x1="0" x2="${WIDTH}" y1="${even}" y2="${even}" />
      <line class="axis" x1="0" x2="${WIDTH}" y1="${BASELINE}" y2="${BASELINE}" />
      ${ticks.map(tick)}
    </svg>
    <figcaption>
      ZIP codes by score. The dashed line is the country, which has a tenth of its ZIP codes in each
      bar.
    </figcaption>
    <details>
      <summary>The numbers</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Score</th>
            <th scope="col" class="number">ZIP codes</th>
          </tr>
        </thead>
        <tbody>
          ${bins.map(
            ({ from, to, count }) =>
              html`<tr>
                <th scope="row">${from}–${to}</th>
                <td class="number">${count}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </figure>`;
}

const fixed = (value: number) => value.toFixed(1);

/** The outermost labels stay within the picture. */
function anchor(i: number, ticks: readonly unknown[]): string {
  if (i === 0) return 'start';
  return i === ticks.length - 1 ? 'end' : 'middle';
}
