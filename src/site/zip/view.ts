/** A ZIP code: its map, scores with their reasons, census figures, and neighbors. */
import { TOP_CODES } from '../../ingest/acs-tables.ts';
import type { ZipDetails } from '../../market/public/zip-details.ts';
import type { Drivers } from '../../scoring/drivers.ts';
import { verticalBySlug } from '../../scoring/verticals.ts';
import type { Bbox } from '../../spatial/bbox.ts';
import { SQUARE_METERS_PER_SQUARE_MILE } from '../../territory/miles.ts';
import {
  formatCount,
  formatDollars,
  formatPercent,
  formatPlace,
  formatTenths,
  formatYear,
  joinWithAnd,
} from '../../words.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { formatView } from '../explore/browser/view-address.ts';
import { explorePath, metroPath, METROS_PATH, zipPath, type Links } from '../links.ts';
import { pictureFigure, type PictureSize } from '../map-figure.ts';
import { breadcrumbs, definition, scoreChip, sourceNote, tableHead } from '../parts.ts';
import { liveMap } from '../score-map-frame.ts';
import type { Study } from '../study.ts';

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

/** The map of a ZIP code without a score is colored by this vertical. */
const FIRST_VERTICAL = verticalBySlug('roofing');

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

/** Surroundings that the map shows, as a part of the ZIP code's extent */
const MARGIN = 0.6;

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
      ...{ verticalSlug, verticalLabel, zip: zipCode, bbox: around },
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

function scoreTable({ profile, verticals }: ZipDetails, metroLabel: string, links: Links): Html {
  const metroSlug = profile.metroSlug!;
  return html`<table>
    <caption>
      Positions are among the scored ZIP codes of the ${metroLabel} metro
    </caption>
    ${tableHead('Vertical', ['Score', 'number'], ['Position', 'number'])}
    <tbody>
      ${verticals.map(
        (vertical) =>
          html`<tr>
            <th scope="row">
              <a href="${links.metroVertical(metroSlug, vertical.slug)}">${vertical.label}</a>
            </th>
            <td class="number">${scoreChip(vertical.score)}</td>
            <td class="number">
              ${formatCount(vertical.rank)}
              <span class="quiet">of ${formatCount(vertical.ranked)}</span>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Many verticals share a reason, so each reason is listed once, with its verticals. */
function reasonList({ verticals }: Pick<ZipDetails, 'verticals'>): Html | false {
  const reasons = new Map<string, Record<keyof Drivers, string[]>>();
  for (const { label, drivers } of verticals) {
    for (const effect of ['lifts', 'lowers'] as const) {
      for (const driver of drivers[effect]) {
        const reason = reasons.get(driver) ?? { lifts: [], lowers: [] };
        reason[effect].push(label);
        reasons.set(driver, reason);
      }
    }
  }
  const scoresFor = scoresPhrase(verticals.length);
  const effects = ({ lifts, lowers }: Record<keyof Drivers, string[]>) =>
    joinWithAnd([
      ...(lifts.length > 0 ? [`raises ${scoresFor(lifts)}`] : []),
      ...(lowers.length > 0 ? [`lowers ${scoresFor(lowers)}`] : []),
    ]);
  const verticalsOf = ({ lifts, lowers }: Record<keyof Drivers, string[]>) =>
    lifts.length + lowers.length;
  return (
    reasons.size > 0 &&
    html`<section>
      <h2>What raises and lowers the scores</h2>
      <ul>
        ${Array.from(reasons)
          .sort(([, a], [, b]) => verticalsOf(b) - verticalsOf(a))
          .map(([driver, reason]) => html`<li><strong>${driver}</strong> ${effects(reason)}.</li>`)}
      </ul>
    </section>`
  );
}

/**
 * Names scores, unless they are most of them. Not the others then: each score has only its strongest reasons.
 */
const scoresPhrase = (all: number) => (labels: readonly string[]) => {
  if (labels.length === all) return 'all scores';
  if (labels.length > all / 2) return 'most scores';
  return `the ${labels.length === 1 ? 'score' : 'scores'} for ${joinWithAnd(labels)}`;
};

type Row = readonly [name: string, value: number | null, text: string];

const OWN_HOME = 'Own their home';

/** The figures that are largest on the page */
const keyRows = ({ profile: { demographics: d } }: ZipDetails): Row[] => [
  ['Households', d.householdsTotal, formatCount(d.householdsTotal)],
  [OWN_HOME, d.ownerOccupiedPct, formatPercent(d.ownerOccupiedPct)],
  ['Median income', d.medianHouseholdIncome, formatIncome(d.medianHouseholdIncome)],
  ['Median home value', d.medianHomeValue, formatHomeValue(d.medianHomeValue)],
];

function keyFigures(details: ZipDetails): Html | false {
  const known = keyRows(details).filter(([, value]) => value !== null);
  return (
    known.length > 0 &&
    html`<dl class="figures">${known.map(([name, , text]) => definition(name, text))}</dl>`
  );
}

const formatIncome = (amount: number | null) => formatDollars(amount, TOP_CODES['B19013']);
const formatHomeValue = (amount: number | null) => formatDollars(amount, TOP_CODES['B25077']);

/** The other figures, and which the census lacks */
function censusTable(details: ZipDetails): Html {
  const { profile, county, landAreaM2 } = details;
  const d = profile.demographics;
  const rows: Row[] = [
    ['Land area', landAreaM2, landArea(landAreaM2)],
    ['Population', d.populationTotal, formatCount(d.populationTotal)],
    [
      'Households that own their home',
      d.ownerOccupiedHouseholds,
      formatCount(d.ownerOccupiedHouseholds),
    ],
    [
      'Detached single-family homes',
      d.singleFamilyDetachedPct,
      formatPercent(d.singleFamilyDetachedPct),
    ],
    ['Median age', d.medianAge, formatTenths(d.medianAge)],
    ['Median year built', d.medianYearBuilt, formatYear(d.medianYearBuilt)],
    ['Homes built before 1980', d.homeAgePre1980Pct, formatPercent(d.homeAgePre1980Pct)],
    ['Homes built from 1980 to 1999', d.homeAge19801999Pct, formatPercent(d.homeAge19801999Pct)],
    ['Homes built in 2000 or later', d.homeAge2000PlusPct, formatPercent(d.homeAge2000PlusPct)],
  ];
  const known = rows.filter(([, value]) => value !== null);
  const unknown = [...keyRows(details), ...rows]
    // The table has the number of households that own their home.
    .filter(([name, value]) => value === null && name !== OWN_HOME)
    .map(([name]) => inSentence(name));
  const texts = [
    ...(county ? [['County', county] as const] : []),
    ...known.map(([name, , text]) => [name, text] as const),
  ];
  return html`<table>
      <caption>
        ${d.sourceVintage ?? 'The imported census figures don’t include this ZIP code'}
      </caption>
      <tbody>
        ${texts.map(
          ([name, text]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="number">${text}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      d.sourceVintage !== null &&
      unknown.length > 0 &&
      html`<p class="source">The census figures don’t include ${joinWithAnd(unknown)}.</p>`
    }`;
}

const inSentence = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const landArea = (squareMeters: number | null) =>
  squareMeters === null
    ? formatTenths(null)
    : `${formatTenths(squareMeters / SQUARE_METERS_PER_SQUARE_MILE)} sq mi`;

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

/** https://schema.org/Dataset about a https://schema.org/Place, and the way to the page */
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
