/** All launched metros. */
import { formatCount } from '../../words.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { metroPath, METROS_PATH, type Links } from '../links.ts';
import { breadcrumbs, itemList, sourceNote, tableHead, wideTable } from '../parts.ts';
import { byAverage, type Study } from '../study.ts';

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
  const table = html`<table>
    ${tableHead('Metro', ['ZIP codes', 'number'], ['Population', 'number'], ['Households', 'number'], 'Highest average')}
    <tbody>
      ${metros.map(({ metroSlug, metroLabel, populationTotal, householdsTotal, verticals }) => {
        const [best] = byAverage(verticals);
        return html`<tr>
          <th scope="row"><a href="${links.page(metroPath(metroSlug))}">${metroLabel}</a></th>
          <td class="number">${formatCount(best!.zipCount)}</td>
          <td class="number">${formatCount(populationTotal)}</td>
          <td class="number">${formatCount(householdsTotal)}</td>
          <td>
            ${
              best!.averageScore === null
                ? formatCount(null)
                : html`<a href="${links.metroVertical(metroSlug, best!.verticalSlug)}"
                    >${labels.get(best!.verticalSlug)}</a
                  >`
            }
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
  return wideTable('Launched metros', table);
}
