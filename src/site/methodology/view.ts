/** How scores come about, in plain words, with the numbers that the scoring itself uses. */
import { signalsOf } from '../../market/public/methodology.ts';
import { MIN_COVERAGE } from '../../scoring/score.ts';
import { SIGNALS, type SignalId } from '../../scoring/signals.ts';
import { VERTICALS } from '../../scoring/verticals.ts';
import { count, listed, percent } from '../format.ts';
import { html, type Html } from '../html.ts';
import { page } from '../layout.ts';
import type { Links } from '../links.ts';
import { breadcrumbs, sourceNote, wideTable } from '../parts.ts';
import type { Study } from '../study.ts';

export function methodologyPage(study: Study, links: Links): string {
  const title = 'Methodology';
  const signals = Object.keys(SIGNALS).length;
  const description =
    `How ${signals} census signals become a demand score from 0 to 100 for every US ZIP code in ` +
    `${VERTICALS.length} home-services verticals: weights, missing data, vintages and limits.`;
  const main = html`
    ${breadcrumbs([['/', 'Home']], title, links)}
    <h1>${title}</h1>
    <p class="lead">${description}</p>
    ${sourceNote(study)}
    <div class="prose">
      <section>
        <h2>What a score says</h2>
        <p>
          A score of 83 means that a ZIP code fits the vertical better than about 83 % of all scored
          ZIP codes of the country. It is a rank, not an amount: 80 is not twice the demand of 40,
          and one ZIP code in five scores 80 or more.
        </p>
      </section>
      <section>
        <h2>How it is made</h2>
        <p>
          In the way of the Social Vulnerability Index of the Centers for Disease Control: rank each
          signal, add the ranks, rank the sum.
        </p>
        <ol>
          <li>
            <strong>Signals.</strong> ${signals} figures are taken or derived from the tables
            ${listed(tables())} of the American Community Survey’s 5-year estimates.
          </li>
          <li>
            <strong>Ranks.</strong> Each signal is turned into its percentile among the country’s
            ZIP codes where people live; equal values share the middle of their ranks. So no single
            mansion and no skewed unit outweighs the rest.
          </li>
          <li>
            <strong>Weights.</strong> Each vertical adds up its signals by weight. One signal of
            volume, how many could buy, carries ${volumeRange()}; signals of propensity, how likely
            they are to, carry the rest. So a big ZIP code starts well but does not win by size
            alone.
          </li>
          <li><strong>Score.</strong> The sums are ranked nationally again, from 0 to 100.</li>
        </ol>
      </section>
      <section>
        <h2>Age of homes</h2>
        <p>
          A median year of construction hides what matters: 1985 may be all of the eighties, or half
          1950 and half 2020. Home age therefore counts as the share of homes in an age at which
          something is due, such as 15 to 30 years for shingles, counted from the last year of the
          survey’s vintage.
        </p>
      </section>
      <section>
        <h2>Missing data</h2>
        <p>
          Where the Census suppresses a signal it is unknown, never zero, and the other signals
          carry its weight. A ZIP code of whose signals less than ${percent(MIN_COVERAGE)} by weight
          is known has no score; it is drawn as “No data” and is in no ranking. ZIP codes where
          nobody lives, such as airports and parks, do not take part in the ranking.
        </p>
      </section>
      <section>
        <h2>Vintages</h2>
        <p>
          Scores compare ZIP codes within one run over the whole country, and every page, map and
          answer names the vintage of its data. When new data come in, all scores are computed anew
          and change together.
        </p>
      </section>
      <section>
        <h2>Limits</h2>
        <ul>
          <li>
            The weights are judgements on public sources (household spending, life of building
            parts, moves), given with their reasons for each vertical. They are not fitted to
            anyone’s sales.
          </li>
          <li>
            The survey tells about residents and homes. It knows nothing of storms, competitors,
            prices or contractors’ capacity.
          </li>
          <li>
            Its ZIP codes are the Census’s ZIP Code Tabulation Areas. ZIP codes of PO boxes and
            single companies have none and no score.
          </li>
          <li>
            Estimates of small ZIP codes are uncertain. Differences of a few points mean little.
          </li>
          <li>
            A ZIP code belongs to the metro whose counties hold its centre, also where it reaches
            beyond them.
          </li>
        </ul>
      </section>
    </div>
    <section>
      <h2>Weights</h2>
      <p>In percent of the score. Each vertical’s page tells the reason for every weight.</p>
      ${weightTable(links)}
    </section>
    <section>
      <h2>Results</h2>
      <p>
        The <a href="${links.page('/data-study')}">data study</a> compares all
        ${count(study.metros.length)} launched metros in all ${count(VERTICALS.length)} verticals.
      </p>
    </section>
  `;
  return page({ title, description, path: '/methodology', main }, links);
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

/** Shades of the table: the lower bounds of the second and those above it. */
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
      <span>Empty: does not count.</span>
      <span>With a minus: the lower the signal, the higher the score.</span>
    </p>`;
}
