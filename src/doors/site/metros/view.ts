/** All launched metros. */
import { formatCount } from '../../../base/text/words.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { metroPath, METROS_PATH, type Links } from '../links.ts';
import { breadcrumbs, itemList, sourceNote } from '../parts.ts';
import { records } from '../records.ts';
import { byAverage, type Study, type StudyMetro } from '../study.ts';

export function metrosPage(study: Study, links: Links): string {
  const { metros } = study;
  const title = `${metros.length} launched metros`;
  const description =
    `Home-services demand in ${metros.length} US metros: ZIP codes, population, households, and ` +
    'the vertical with the highest average score in each.';
  const main = html`
    ${breadcrumbs([['/', 'Home']], 'Metros', links)}
    <h1>${title}</h1>
    <p class="lead">
      Public maps, scores, and figures cover the ZIP codes of these metros. A metro consists of the
      counties of a Core Based Statistical Area.
    </p>
    ${sourceNote(study)} ${metroTable(study, links)}
  `;
  const items = metros.map((one) => ({ name: one.metroFullName, path: metroPath(one.metroSlug) }));
  const structuredData = itemList(title, items, links);
  return renderPage({ title, description, path: METROS_PATH, structuredData, main }, links);
}

function metroTable({ metros, verticals }: Study, links: Links): Html {
  const labels = new Map(verticals.map((v) => [v.verticalSlug, v.verticalLabel]));
  const best = (metro: StudyMetro) => byAverage(metro.verticals)[0]!;
  return records<StudyMetro>(
    'Launched metros',
    [
      {
        heading: 'Metro',
        cell: (one) =>
          html`<a href="${links.page(metroPath(one.metroSlug))}">${one.metroLabel}</a>`,
      },
      { heading: 'ZIP codes', number: true, cell: (one) => formatCount(best(one).zipCount) },
      { heading: 'Population', number: true, cell: (one) => formatCount(one.populationTotal) },
      { heading: 'Households', number: true, cell: (one) => formatCount(one.householdsTotal) },
      {
        heading: 'Highest average',
        cell: (one) => {
          const { averageScore, verticalSlug } = best(one);
          if (averageScore === null) return formatCount(null);
          const address = links.metroVertical(one.metroSlug, verticalSlug);
          return html`<a href="${address}">${labels.get(verticalSlug)}</a>`;
        },
      },
    ],
    metros,
  );
}
