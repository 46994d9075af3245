/** A ZIP code: its map, scores with their reasons, census figures, and neighbors. */
import type { ZipDetails } from '../../market/public/zip-details.ts';
import { formatCount, formatPlace, joinWithAnd } from '../../text/words.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { metroPath, METROS_PATH, zipPath, type Links } from '../links.ts';
import { breadcrumbs, scoreChip, sourceNote, tableHead } from '../parts.ts';
import type { Study } from '../study.ts';
import { censusTable, keyFigures } from './census.ts';
import { FIRST_VERTICAL, mapOf } from './map.ts';
import { reasonList, scoreTable } from './scores.ts';
import { structuredDataOf } from './structured-data.ts';

export function zipPage(details: ZipDetails, study: Study, links: Links): string {
  const { profile, county, verticals } = details;
  const { zipCode, demographics } = profile;
  const metroSlug = profile.metroSlug!;
  const metro = study.metros.find((one) => one.metroSlug === metroSlug)!;
  const place = formatPlace(demographics.city, demographics.state);
  const path = zipPath(zipCode);
  const title = `ZIP code ${zipCode}${place && `, ${place}`}`;
  const summary = summaryOf(details);
  const main = html`
    ${breadcrumbs(
      [
        ['/', 'Home'],
        [METROS_PATH, 'Metros'],
        [metroPath(metroSlug), metro.metroLabel],
      ],
      zipCode,
      links,
    )}
    <h1>${title}</h1>
    <p class="lead">${summary}</p>
    ${sourceNote(study)} ${mapOf(details, links)} ${keyFigures(details)}
    <section>
      <h2>Demand by vertical</h2>
      ${
        verticals.length > 0
          ? scoreTable(details, metro.metroLabel, links)
          : html`<p>Not enough data to score this ZIP code.</p>`
      }
    </section>
    ${reasonList(details)}
    <div class="columns">
      <section>
        <h2>More census figures</h2>
        ${censusTable(details)}
      </section>
      <section>
        <h2>Neighbors</h2>
        ${neighborTable(details, links)}
      </section>
    </div>
  `;
  const position = verticals[0];
  return renderPage(
    {
      title,
      description: `${title}${county ? `, ${county}` : ''}. ${summary}`,
      path,
      map: { metroSlug, verticalSlug: (position ?? FIRST_VERTICAL).slug },
      structuredData: structuredDataOf(details, title, summary, study, links),
      main,
      ...(details.bbox && { assets: ['browser/live-map.ts'], hasMap: 'later' }),
    },
    links,
  );
}

/** The two best verticals, unless the ZIP code has no scores. */
function summaryOf({ profile, verticals }: ZipDetails): string {
  const { zipCode, metroLabel } = profile;
  if (verticals.length === 0) {
    return `${zipCode} is in the ${metroLabel} metro. There isn’t enough data to score it.`;
  }
  const best = verticals.slice(0, 2).map(({ label, score }) => `${label} (${score})`);
  return (
    `${zipCode} scores highest for ${joinWithAnd(best)}. A score of 83 means that it fits better ` +
    'than about 83% of all scored US ZIP codes.'
  );
}

function neighborTable({ neighbors, verticals, bbox }: ZipDetails, links: Links): Html {
  const [vertical] = verticals;
  if (neighbors.length === 0) {
    return html`<p>
      ${
        bbox
          ? 'No ZIP code of a launched metro borders it.'
          : 'Its neighbors are unknown without a boundary.'
      }
    </p>`;
  }
  return html`<table class="ranking">
    <caption>
      Longest common border first, in launched metros
    </caption>
    ${tableHead('ZIP code', 'Place', [vertical ? `${vertical.label} score` : 'Score', 'number'])}
    <tbody>
      ${neighbors.map(({ zip, city, state, scores }) => {
        const score = vertical && scores[vertical.slug];
        return html`<tr>
          <th scope="row"><a href="${links.page(zipPath(zip))}">${zip}</a></th>
          <td>${formatPlace(city, state)}</td>
          <td class="number">${score === undefined ? formatCount(null) : scoreChip(score)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}
