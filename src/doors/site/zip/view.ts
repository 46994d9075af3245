/** A ZIP code: its map, scores with their reasons, census figures, and neighbors. */
import type { ZipDetails } from '../../../data/market/public/zip-details.ts';
import { formatCount, placeName, joinWithAnd } from '../../../base/text/words.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { metroPath, METROS_PATH, zipPath, type Links, explorePath } from '../links.ts';
import { breadcrumbs, scoreChip, sourceNote, tableHead } from '../parts.ts';
import type { Study } from '../study.ts';
import { censusTable, keyFigures, reasonList, scoreTable } from './figures.ts';
import { verticalBySlug } from '../../../data/scoring/verticals.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { formatView } from '../explore/browser/view-address.ts';
import { pictureFigure, type PictureSize } from '../map-figure.ts';
import { liveMap } from '../score-map-frame.ts';

export function zipPage(details: ZipDetails, study: Study, links: Links): string {
  const { profile, county, verticals } = details;
  const { zipCode, demographics } = profile;
  const metroSlug = profile.metroSlug!;
  const metro = study.metros.find((one) => one.metroSlug === metroSlug)!;
  const place = placeName(demographics.city, demographics.state);
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
          <td>${placeName(city, state)}</td>
          <td class="number">${score === undefined ? formatCount(null) : scoreChip(score)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** For search engines: https://schema.org/Dataset about a https://schema.org/Place, and the breadcrumbs of the page */
function structuredDataOf(
  { profile, county, center }: ZipDetails,
  name: string,
  description: string,
  study: Study,
  links: Links,
) {
  const { zipCode, demographics, metroSlug, metroLabel } = profile;
  const url = links.absolute(zipPath(zipCode));
  const trail = [
    ['Metros', METROS_PATH],
    [metroLabel!, metroPath(metroSlug!)],
    [zipCode, zipPath(zipCode)],
  ] as const;
  return {
    '@graph': [
      {
        '@type': 'Dataset',
        name: `${name}: home-services demand and census figures`,
        description: `${description} Source: ${study.vintage}.`,
        url,
        dateModified: study.updatedAt,
        spatialCoverage: {
          '@type': 'Place',
          name,
          address: {
            '@type': 'PostalAddress',
            postalCode: zipCode,
            ...(demographics.city && { addressLocality: demographics.city }),
            ...(demographics.state && { addressRegion: demographics.state }),
            addressCountry: 'US',
          },
          ...(center && {
            geo: {
              '@type': 'GeoCoordinates',
              latitude: Number(center.lat.toFixed(5)),
              longitude: Number(center.lng.toFixed(5)),
            },
          }),
          ...(county && { containedInPlace: { '@type': 'AdministrativeArea', name: county } }),
        },
        isPartOf: links.absolute('/data-study'),
        distribution: {
          '@type': 'DataDownload',
          encodingFormat: 'application/json',
          contentUrl: links.absoluteApi(`/public/zip/${zipCode}`),
        },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: trail.map(([label, path], i) => ({
          '@type': 'ListItem',
          position: i + 1,
          name: label,
          item: links.absolute(path),
        })),
      },
    ],
  };
}

/** The map of a ZIP code without a score is colored by this vertical. */
const FIRST_VERTICAL = verticalBySlug('roofing');

/** Surroundings that the map shows, as a part of the ZIP code's extent */
const MARGIN = 0.6;

/** The map of a ZIP code and its surroundings */
function mapOf({ profile, bbox, center, verticals }: ZipDetails, links: Links): Html {
  const { zipCode, metroSlug } = profile;
  if (!bbox || !center) {
    return html`<p class="quiet">
      ${zipCode} has figures but no imported boundary, so maps can’t show it.
    </p>`;
  }
  const { slug: verticalSlug, label: verticalLabel } = verticals[0] ?? FIRST_VERTICAL;
  const around = widen(bbox);
  const view = around.map((degrees) => degrees.toFixed(4));
  const query = new URLSearchParams({
    title: '',
    markers: `${center.lng.toFixed(5)},${center.lat.toFixed(5)}`,
  });
  const address = ({ size, style = 'light', ratio = 1 }: PictureSize) =>
    links.api(
      `/static/${style}/metro:${metroSlug}:${verticalSlug}/${view.join()}/` +
        `${size}${ratio === 1 ? '' : `@${ratio}x`}.png?${query}`,
    );
  const alt = `Map of ${zipCode} and the ZIP codes around it, colored by their ${verticalLabel} score in five classes.`;
  const camera = { zoom: zoomTo(around), ...center };
  return liveMap(
    {
      verticalSlug,
      verticalLabel,
      zip: zipCode,
      bbox: around,
      picture: pictureFigure({ alt, first: true }, address),
      caption: html`${zipCode} and its surroundings by their ${verticalLabel} score.
        <a href="${links.page(explorePath(verticalSlug))}${formatView({ camera, zip: zipCode })}"
          >Explore the map</a
        >.`,
    },
    links,
  );
}

/** Width of a tile, and about the shorter side of the map at `/explore` on a laptop */
const [TILE_PX, MAP_PX] = [512, 640];
/** Largest zoom. Closer, the map would hide the surroundings of a small ZIP code. */
const MAX_ZOOM = 13;

/** The zoom at which the map at `/explore` shows an extent */
function zoomTo([west, south, east, north]: Bbox): number {
  const height = (north - south) / Math.cos(((north + south) * Math.PI) / 360);
  const tiles = MAP_PX / TILE_PX;
  return Math.min(MAX_ZOOM, Math.log2((360 * tiles) / Math.max(east - west, height)));
}

function widen([west, south, east, north]: Bbox): Bbox {
  const [x, y] = [MARGIN * (east - west), MARGIN * (north - south)];
  return [west - x, south - y, east + x, north + y];
}
