/** The data study: a comparison of the launched metros in each vertical. */
import { DATA_STUDY_COLUMNS } from '../../../data/market/public/data-study.ts';
import { median, percent } from '../format.ts';
import { heatTable } from '../heat-table.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Links } from '../links.ts';
import {
  bar,
  barsHeading,
  breadcrumbs,
  definition,
  sourceNote,
  tableHead,
  wideTable,
} from '../parts.ts';
import {
  byAverage,
  metrosByAverage,
  type Study,
  type StudyMetro,
  type StudyVertical,
} from '../study.ts';
import { records } from '../records.ts';
import { formatCount, formatTenths } from '../../../base/text/words.ts';

export function dataStudyPage(study: Study, links: Links): string {
  const title = 'Data study';
  const zips = study.verticals[0]?.zipCount ?? 0;
  const description =
    `Home-services demand in ${formatCount(study.metros.length)} metros and ${formatCount(zips)} ZIP codes, ` +
    `compared in ${formatCount(study.verticals.length)} verticals. As a table, CSV, and JSON.`;
  const main = html`
    ${breadcrumbs([['/', 'Home']], title, links)}
    <h1>${title}</h1>
    <p class="lead">${description}</p>
    <p class="actions">
      <a class="button" href="${links.api('/public/data-study.csv')}">Download CSV</a>
      <a href="${links.api('/public/data-study')}">JSON</a>
    </p>
    ${sourceNote(study)}
    <section>
      <h2>Metro by vertical</h2>
      ${heatTable(study, links)}
    </section>
    <section>
      <h2>Verticals</h2>
      ${verticalTable(study, links)}
    </section>
    <section>
      <h2>Metros</h2>
      ${metroTable(study, links)}
    </section>
    <section>
      <h2>Columns of the CSV</h2>
      <p>One row per metro and vertical, in UTF-8, with a header row.</p>
      <dl class="columns-list">
        ${Object.entries(DATA_STUDY_COLUMNS).map(([name, meaning]) =>
          definition(html`<code>${name}</code>`, meaning),
        )}
      </dl>
    </section>
  `;
  const structuredData = dataset(description, study, links);
  const map = { metroSlug: 'dallas-tx', verticalSlug: 'roofing' };
  return renderPage({ title, description, path: '/data-study', map, structuredData, main }, links);
}

function verticalTable(study: Study, links: Links): Html {
  const table = html`<table>
    ${tableHead('Vertical', ['Average', 'number'], barsHeading('Average as a bar'), ['Median', 'number'], ['ZIP codes at 80+', 'number'], 'Highest average')}
    <tbody>
      ${byAverage(study.verticals).map((v) => {
        const [best] = metrosByAverage(study, v.verticalSlug);
        return html`<tr>
          <th scope="row"><a href="${links.vertical(v.verticalSlug)}">${v.verticalLabel}</a></th>
          <td class="number">${formatTenths(v.averageScore)}</td>
          <td class="bars">${bar((v.averageScore ?? 0) / 100)}</td>
          <td class="number">${median(v.medianScore)}</td>
          <td class="number">
            ${formatCount(v.highDemandZipCount)} <span class="quiet">${shareOf(v)}</span>
          </td>
          <td>
            <a href="${links.metroVertical(best!.metroSlug, v.verticalSlug)}"
              >${best!.metroLabel}</a
            >
            <span class="quiet">${formatTenths(best!.averageScore)}</span>
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
  return wideTable('Verticals over all launched metros', table);
}

const shareOf = ({ highDemandZipCount, scoredZipCount }: StudyVertical) =>
  scoredZipCount > 0 && percent(highDemandZipCount / scoredZipCount);

function metroTable(study: Study, links: Links): Html {
  const labels = new Map(study.verticals.map((v) => [v.verticalSlug, v.verticalLabel]));
  const vertical = (metro: StudyMetro, position: 0 | -1) => {
    const { verticalSlug, averageScore } = byAverage(metro.verticals).at(position)!;
    return html`<a href="${links.metroVertical(metro.metroSlug, verticalSlug)}"
        >${labels.get(verticalSlug)}</a
      >
      <span class="quiet">${formatTenths(averageScore)}</span>`;
  };
  return records<StudyMetro>(
    'Launched metros',
    [
      { heading: 'Metro', cell: (one) => one.metroLabel },
      { heading: 'Population', number: true, cell: (one) => formatCount(one.populationTotal) },
      { heading: 'Households', number: true, cell: (one) => formatCount(one.householdsTotal) },
      {
        heading: 'ZIP codes',
        number: true,
        cell: (one) => formatCount(one.verticals[0]!.zipCount),
      },
      { heading: 'Strongest vertical', cell: (one) => html`<span>${vertical(one, 0)}</span>` },
      { heading: 'Weakest vertical', cell: (one) => html`<span>${vertical(one, -1)}</span>` },
    ],
    study.metros,
  );
}

/** https://schema.org/Dataset */
function dataset(description: string, study: Study, links: Links) {
  return {
    '@type': 'Dataset',
    name: 'Home-services demand in the launched metros',
    description: `${description} Source: ${study.vintage}.`,
    url: links.absolute('/data-study'),
    dateModified: study.updatedAt,
    spatialCoverage: { '@type': 'Place', name: 'United States' },
    distribution: [
      {
        '@type': 'DataDownload',
        encodingFormat: 'text/csv',
        contentUrl: links.absoluteApi('/public/data-study.csv'),
      },
      {
        '@type': 'DataDownload',
        encodingFormat: 'application/json',
        contentUrl: links.absoluteApi('/public/data-study'),
      },
    ],
  };
}
