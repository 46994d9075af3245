/** A vertical: its signals, its metros, and its best ZIP codes. */
import type { Complete } from '../../../base/contract/resources.ts';
import type { PublicVerticalSummary } from '../../../base/contract/vertical-resources.ts';
import { cityOf, percent } from '../format.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { verticalPath, VERTICALS_PATH, type Links } from '../links.ts';
import { mapFigure } from '../map-figure.ts';
import { bar, barsHeading, breadcrumbs, rankedZips, signalName } from '../parts.ts';
import { sourceNote, tableHead } from '../parts.ts';
import { metrosByAverage, type Study } from '../study.ts';
import { formatCount, formatTenths, joinWithAnd } from '../../../base/text/words.ts';

type VerticalSummary = Complete<typeof PublicVerticalSummary>;

export function verticalPage(summary: VerticalSummary, study: Study, links: Links): string {
  const { verticalSlug, verticalLabel, signals, topZips } = summary;
  const metros = metrosByAverage(study, verticalSlug);
  const best = metros[0]!;
  const title = `${verticalLabel} demand by ZIP code`;
  const description =
    `${verticalLabel} demand: average scores of ${metros.length} metros, the best ZIP codes, and ` +
    `the ${signals.length} signals behind the score with their weights.`;
  const shown = { metroSlug: best.metroSlug, verticalSlug };
  const main = html`
    ${breadcrumbs(
      [
        ['/', 'Home'],
        [VERTICALS_PATH, 'Verticals'],
      ],
      verticalLabel,
      links,
    )}
    <h1>${title}</h1>
    <p class="lead">
      Of the ${metros.length} launched metros,
      ${joinWithAnd(metros.slice(0, 3).map(({ metroLabel }) => cityOf(metroLabel)))} have the
      highest average scores.
    </p>
    ${sourceNote(study)}
    <section>
      <h2>What drives the score</h2>
      ${signalTable(signals)}
      <p>${summary.methodology} <a href="${links.page('/methodology')}">How scores work</a></p>
    </section>
    <div class="columns">
      <section>
        <h2>Metros by average score</h2>
        ${metroTable(metros, verticalSlug, links)}
      </section>
      <section>
        <h2>Best ZIP codes</h2>
        ${rankedZips(topZips, `Sample: top ${topZips.length} of all launched metros`, links)}
        ${mapFigure(
          {
            ...shown,
            size: '600x315',
            alt: `Map of ${best.metroFullName}: ZIP codes colored by their ${verticalLabel} score.`,
            caption: html`Metro with the highest average:
              <a href="${links.metroVertical(best.metroSlug, verticalSlug)}"
                >${verticalLabel} in ${best.metroLabel}</a
              >`,
          },
          links,
        )}
      </section>
    </div>
  `;
  const path = verticalPath(verticalSlug);
  return renderPage({ title, description, path, map: shown, main }, links);
}

function signalTable(signals: VerticalSummary['signals']): Html {
  const heaviest = Math.max(...signals.map(({ weight }) => weight));
  const table = html`<table class="signals">
    ${tableHead('Signal and reason', ['Weight', 'number'], barsHeading('Weight as a bar'))}
    <tbody>
      ${signals.map(
        ({ label, weight, direction, kind, reason, source }) =>
          html`<tr>
            <th scope="row">
              ${signalName({ label, direction })}
              <p>${reason} <span class="quiet">ACS ${source}</span></p>
            </th>
            <td class="number">${percent(weight)}</td>
            <td class="bars">${bar(weight / heaviest, kind === 'volume' ? 'fill-4' : 'fill-3')}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
  return html`${table}
    <p class="legend">
      <span class="key"><i class="fill-4"></i>Volume: how many could buy</span>
      <span class="key"><i class="fill-3"></i>Propensity: how likely they are to</span>
    </p>`;
}

function metroTable(
  metros: ReturnType<typeof metrosByAverage>,
  verticalSlug: string,
  links: Links,
): Html {
  return html`<table class="metros">
    ${tableHead('Metro', ['Average', 'number'], barsHeading('Average as a bar'), ['ZIP codes at 80+', 'number'])}
    <tbody>
      ${metros.map(
        ({ metroSlug, metroLabel, averageScore, highDemandZipCount, scoredZipCount }) =>
          html`<tr>
            <th scope="row">
              <a href="${links.metroVertical(metroSlug, verticalSlug)}">${metroLabel}</a>
            </th>
            <td class="number">${formatTenths(averageScore)}</td>
            <td class="bars">${bar((averageScore ?? 0) / 100)}</td>
            <td class="number">
              ${formatCount(highDemandZipCount)}
              <span class="quiet">of ${formatCount(scoredZipCount)}</span>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
