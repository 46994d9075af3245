/** Explains how scores are computed, with the numbers in the scoring code. */
import { signalsOf } from '../../../data/market/public/methodology.ts';
import { MIN_COVERAGE } from '../../../data/scoring/score.ts';
import { SIGNALS, type SignalId } from '../../../data/scoring/signals.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import { percent } from '../format.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Links } from '../links.ts';
import { breadcrumbs, sourceNote, wideTable } from '../parts.ts';
import type { Study } from '../study.ts';
import { formatCount, joinWithAnd } from '../../../base/text/words.ts';

export function methodologyPage(study: Study, links: Links): string {
  const title = 'Methodology';
  const signals = Object.keys(SIGNALS).length;
  const description =
    `How ${signals} census signals become a demand score from 0 to 100 for every US ZIP code in ` +
    `${VERTICALS.length} home-services verticals: weights, missing data, vintages, and limits.`;
  const main = html`
    ${breadcrumbs([['/', 'Home']], title, links)}
    <h1>${title}</h1>
    <p class="lead">${description}</p>
    ${sourceNote(study)}
    <div class="prose">
      <section>
        <h2>What a score means</h2>
        <p>
          A score of 83 means that a ZIP code fits the vertical better than about 83% of all scored
          US ZIP codes. A score is a rank, not an amount: 80 is not twice the demand of 40. One ZIP
          code in five scores 80 or more.
        </p>
      </section>
      <section>
        <h2>How scores are computed</h2>
        <p>
          The method follows the Social Vulnerability Index of the Centers for Disease Control: rank
          each signal, add the ranks, and rank the sum.
        </p>
        <ol>
          <li>
            <strong>Signals.</strong> ${signals} figures come from tables ${joinWithAnd(tables())}
            of the American Community Survey’s 5-year estimates.
          </li>
          <li>
            <strong>Ranks.</strong> Each signal becomes a percentile among all populated US ZIP
            codes. Equal values share their middle rank. Ranks keep outliers and skewed units from
            dominating.
          </li>
          <li>
            <strong>Weights.</strong> Each vertical adds its weighted signals. One volume signal
            (how many households could buy) has a weight of ${volumeRange()}. Propensity signals
            (how likely they are to buy) have the rest, so size alone isn’t enough for a high score.
          </li>
          <li><strong>Score.</strong> The sums are ranked nationally, from 0 to 100.</li>
        </ol>
      </section>
      <section>
        <h2>Age of homes</h2>
        <p>
          A median construction year hides what matters: 1985 can mean homes from the eighties, or
          half from 1950 and half from 2020. Instead, scores use the share of homes in an age band
          when work is due, such as 15 to 30 years for shingles. Ages count from the last year of
          the survey’s vintage.
        </p>
      </section>
      <section>
        <h2>Missing data</h2>
        <p>
          A signal that the Census Bureau suppresses is unknown, never zero, and the other signals
          take its weight. A ZIP code needs known signals with at least ${percent(MIN_COVERAGE)} of
          the weight. Otherwise it has no score, shows as “No data” on maps, and isn’t ranked.
          Unpopulated ZIP codes, such as airports and parks, aren’t ranked either.
        </p>
      </section>
      <section>
        <h2>Vintages</h2>
        <p>
          Scores compare ZIP codes within one nationwide computation. Every page, map, and API
          response names the vintage of its data. When new data is imported, all scores are
          recomputed together.
        </p>
      </section>
      <section>
        <h2>Limits</h2>
        <ul>
          <li>
            Weights are judgments based on public sources, such as household spending, the lifetime
            of building parts, and moves. Each has a stated reason. They are not fitted to sales
            data.
          </li>
          <li>
            The survey describes residents and homes. It doesn’t cover storms, competitors, prices,
            or contractors’ capacity.
          </li>
          <li>
            Scored ZIP codes are the Census Bureau’s ZIP Code Tabulation Areas. ZIP codes of PO
            boxes and single companies have no area and no score.
          </li>
          <li>
            Estimates for small ZIP codes are uncertain. Differences of a few points mean little.
          </li>
          <li>
            A ZIP code belongs to the metro whose counties contain its center, even if it extends
            beyond them.
          </li>
        </ul>
      </section>
    </div>
    <section>
      <h2>Weights</h2>
      <p>As percentages of the score. Each vertical’s page gives the reason for every weight.</p>
      ${weightTable(links)}
    </section>
    <section>
      <h2>Results</h2>
      <p>
        The <a href="${links.page('/data-study')}">data study</a> compares all
        ${formatCount(study.metros.length)} launched metros in all ${formatCount(VERTICALS.length)}
        verticals.
      </p>
    </section>
  `;
  return renderPage({ title, description, path: '/methodology', main }, links);
}

const tables = () => [...new Set(Object.values(SIGNALS).map(({ source }) => source))].sort();

function volumeRange(): string {
  const weights = VERTICALS.flatMap((vertical) =>
    signalsOf(vertical)
      .filter(({ kind }) => kind === 'volume')
      .map(({ weight }) => weight),
  );
  return `${percent(Math.min(...weights))} to ${percent(Math.max(...weights))}`;
}

/** Lower bounds of the table's shades, from the second one up */
const SHADES = [0.08, 0.12, 0.16, 0.24];

function weightTable(links: Links): Html {
  const weights = VERTICALS.map(({ inputs }) => new Map(inputs.map((i) => [i.signal, i])));
  const cell = (input: (typeof VERTICALS)[number]['inputs'][number] | undefined) =>
    input
      ? html`<td class="fill-${SHADES.filter((bound) => input.weight >= bound).length}">
          ${input.direction === 'lower' && html`<span aria-label="lower is better">−</span>`}${Math.round(
            100 * input.weight,
          )}
        </td>`
      : html`<td></td>`;
  const table = html`<table class="heat">
    <thead>
      <tr>
        <th scope="col">Signal</th>
        ${VERTICALS.map(
          ({ slug, label }) =>
            html`<th scope="col"><a href="${links.vertical(slug)}">${label}</a></th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${(Object.keys(SIGNALS) as SignalId[]).map(
        (id) =>
          html`<tr>
            <th scope="row">
              ${SIGNALS[id].label} <span class="quiet">${SIGNALS[id].source}</span>
            </th>
            ${weights.map((inputs) => cell(inputs.get(id)))}
          </tr>`,
      )}
    </tbody>
  </table>`;
  return html`${wideTable('Weights of the signals in each vertical', table)}
    <p class="legend">
      <span>Empty: not used.</span>
      <span>Minus: a lower value means a higher score.</span>
    </p>`;
}
