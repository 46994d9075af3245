/** A launched metro: its verticals, and its ZIP codes by city. */
import { launchedMetros } from '../../../data/market/metros.ts';
import type { CityZips } from '../../../data/market/public/metro.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import {
  formatCount,
  placeName,
  formatTenths,
  joinWithAnd,
  pluralize,
} from '../../../base/text/words.ts';
import { percent } from '../format.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { cityAnchor, explorePath, metroPath, METROS_PATH, zipPath, type Links } from '../links.ts';
import { mapFigure } from '../map-figure.ts';
import { bar, barsHeading, breadcrumbs, definition, sourceNote, tableHead } from '../parts.ts';
import { liveMap } from '../score-map-frame.ts';
import { byAverage, type Study, type StudyMetro } from '../study.ts';

export function metroPage(
  study: Study,
  metroSlug: string,
  cities: readonly CityZips[],
  bbox: Bbox,
  links: Links,
): string {
  const metro = study.metros.find((one) => one.metroSlug === metroSlug)!;
  const { metroLabel, metroFullName, populationTotal, householdsTotal } = metro;
  const [best] = byAverage(metro.verticals);
  const bestLabel = labelIn(study, best!.verticalSlug);
  const counties = launchedMetros().find(({ slug }) => slug === metroSlug)!.counties;
  const title = `Home-services demand in ${metroLabel}`;
  const description =
    `${metroFullName}: ${pluralize(best!.zipCount, 'ZIP code')} in ${counties.length === 1 ? '1 county' : `${counties.length} counties`} ` +
    `with demand scores for ${study.verticals.length} home-services verticals.`;
  const map = { metroSlug, verticalSlug: best!.verticalSlug };
  const main = html`
    ${breadcrumbs(
      [
        ['/', 'Home'],
        [METROS_PATH, 'Metros'],
      ],
      metroLabel,
      links,
    )}
    <h1>${title}</h1>
    <p class="lead">${description}</p>
    ${sourceNote(study)}
    <dl class="figures">
      ${definition('ZIP codes', formatCount(best!.zipCount))}
      ${definition('Population', formatCount(populationTotal))}
      ${definition('Households', formatCount(householdsTotal))}
      ${definition('Verticals', formatCount(study.verticals.length))}
    </dl>
    ${liveMap(
      {
        verticalSlug: best!.verticalSlug,
        verticalLabel: bestLabel,
        bbox,
        picture: mapFigure(
          {
            ...map,
            first: true,
            alt: `Map of ${metroFullName}: ZIP codes colored by their ${bestLabel} score in five classes.`,
          },
          links,
        ),
        caption: html`Vertical with the highest average:
          <a href="${links.metroVertical(metroSlug, best!.verticalSlug)}"
            >${bestLabel} in ${metroLabel}</a
          >.
          <a href="${links.page(explorePath(best!.verticalSlug))}#metro=${metroSlug}"
            >Explore the map</a
          >`,
      },
      links,
    )}
    <section>
      <h2>Verticals</h2>
      ${verticalTable(study, metro, links)}
    </section>
    <section>
      <h2>ZIP codes by city</h2>
      <p>Counties: ${joinWithAnd(counties.map(({ name }) => name))}.</p>
      ${directory(cities, links)}
    </section>
  `;
  const path = metroPath(metroSlug);
  const structuredData = {
    '@type': 'Dataset',
    name: title,
    description: `${description} Source: ${study.vintage}.`,
    url: links.absolute(path),
    dateModified: study.updatedAt,
    spatialCoverage: { '@type': 'Place', name: metroFullName },
    isPartOf: links.absolute('/data-study'),
  };
  return renderPage(
    {
      title,
      description,
      path,
      map,
      structuredData,
      main,
      assets: ['browser/live-map.ts'],
      hasMap: 'later',
    },
    links,
  );
}

const labelIn = ({ verticals }: Study, slug: string) =>
  verticals.find(({ verticalSlug }) => verticalSlug === slug)!.verticalLabel;

function verticalTable(study: Study, { metroSlug, verticals }: StudyMetro, links: Links): Html {
  return html`<table class="metros">
    ${tableHead('Vertical', ['Average', 'number'], barsHeading('Average as a bar'), ['ZIP codes at 80+', 'number'])}
    <tbody>
      ${byAverage(verticals).map(
        ({ verticalSlug, averageScore, highDemandZipCount, scoredZipCount }) =>
          html`<tr>
            <th scope="row">
              <a href="${links.metroVertical(metroSlug, verticalSlug)}"
                >${labelIn(study, verticalSlug)}</a
              >
            </th>
            <td class="number">${formatTenths(averageScore)}</td>
            <td class="bars">${bar((averageScore ?? 0) / 100)}</td>
            <td class="number">
              ${scoredZipCount === 0 ? formatCount(null) : percent(highDemandZipCount / scoredZipCount)}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A city in two states has a list for each of them. */
function directory(cities: readonly CityZips[], links: Links): Html {
  return html`<dl class="zip-directory">
    ${cities.map(
      ({ city, state, zips }) =>
        html`<div>
          <dt ${city !== null && html`id="${cityAnchor(placeName(city, state))}"`}>
            ${city === null ? 'Other ZIP codes' : placeName(city, state)}
          </dt>
          <dd>${zips.map((zip) => html`<a href="${links.page(zipPath(zip))}">${zip}</a> `)}</dd>
        </div>`,
    )}
  </dl>`;
}
