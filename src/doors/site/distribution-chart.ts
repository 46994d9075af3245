/** Histogram of a metro's scores in ten bins. */
import { scoreFill } from './colors.ts';
import { html, type Html } from './html.ts';
import { tableHead } from './parts.ts';

/** Scores from `from` to `to`, both inclusive */
interface ScoreBin {
  from: number;
  to: number;
  count: number;
}

const WIDTH = 480;
const HEIGHT = 240;
const TOP = 22;
const BASELINE = HEIGHT - 26;
const BAR_GAP = 4;

/** @param label describes the chart for screen readers. The table below it contains the numbers */
export function distributionChart(bins: readonly ScoreBin[], label: string): Html {
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  const heightOf = (count: number) => (count / highest) * (BASELINE - TOP);
  const step = WIDTH / bins.length;
  const nationalCount = bins.reduce((sum, { count }) => sum + count, 0) / bins.length;
  const bar = ({ from, count }: ScoreBin, i: number) => {
    const height = heightOf(count);
    return html`<rect
        class="${scoreFill(from)}"
        x="${i * step + BAR_GAP / 2}"
        y="${oneDecimal(BASELINE - height)}"
        width="${step - BAR_GAP}"
        height="${oneDecimal(height)}"
      />
      <text x="${(i + 0.5) * step}" y="${oneDecimal(BASELINE - height - 6)}">${count}</text>`;
  };
  const ticks = [...bins.map(({ from }) => from), 100];
  const tick = (score: number, i: number) =>
    i % 2 === 0 &&
    html`<text class="tick" x="${i * step}" y="${HEIGHT - 6}" text-anchor="${textAnchor(i, ticks)}">
      ${score}
    </text>`;
  const nationalY = oneDecimal(BASELINE - heightOf(nationalCount));
  return html`<figure class="chart">
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
      ${bins.map(bar)}
      <line class="even" x1="0" x2="${WIDTH}" y1="${nationalY}" y2="${nationalY}" />
      <line class="axis" x1="0" x2="${WIDTH}" y1="${BASELINE}" y2="${BASELINE}" />
      ${ticks.map(tick)}
    </svg>
    <figcaption>
      ZIP codes by score. The dashed line is the national distribution: a tenth of all ZIP codes in
      each bar.
    </figcaption>
    <details>
      <summary>Show the numbers</summary>
      <table>
        ${tableHead('Score', ['ZIP codes', 'number'])}
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

const oneDecimal = (value: number) => value.toFixed(1);

/** Keeps the first and last label inside the chart. */
function textAnchor(i: number, ticks: readonly unknown[]): string {
  if (i === 0) return 'start';
  return i === ticks.length - 1 ? 'end' : 'middle';
}
